"""The curves of whole programs. In: a torch program that trains something, or what two of its runs left. Out: its
curve, and how far two curves are apart and may be. `observe` runs a program in a process of its own, `deviation`
compares. Running programs through the adapter is left to what will let the adapter stand for torch.
"""
