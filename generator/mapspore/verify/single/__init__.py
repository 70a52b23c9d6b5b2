"""Calls in one process: `run` makes jobs of their cases, `worker` runs them with both frameworks, each kind by its
module `run_*`, and judges in the same process by `compare` and by what the entry says. Starting processes is left to
`processes`.
"""
