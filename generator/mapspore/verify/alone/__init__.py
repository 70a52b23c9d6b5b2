"""Verification of calls in one process: entries in, one finding per case and target out.

`plan` reads an entry and the facts; `cases`, `errors` and `objects` turn plans into cases, which are plain JSON;
`worker` runs both frameworks in one process and `compare` judges there; `run` spreads the cases over processes that a
server forks, so that a crash costs one case.
"""
