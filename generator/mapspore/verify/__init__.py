"""Verification by execution: entries in, one finding per case, target and rank out.

`plan` reads the role of each parameter off an entry's contract and the facts; `cases` and its neighbours turn plans
into cases, which are plain JSON; `jobs` runs them in real processes, torch on gloo beside the adapter on MindSpore;
`compare` judges, with `oracle` where gloo cannot. Only the processes that `server` forks import a framework.
"""
