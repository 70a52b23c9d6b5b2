"""PyTorch's own test descriptions as a source of calls: `draw` finds those of an entry and records what they call,
`state` writes it down as data. Runs in a process that imports torch; cases are made of it by `cases.single.drawn`.
"""
