"""Verification by execution: the cases of entries go in, one finding per case, target and rank comes out.

`collective` runs entries about several processes, torch on gloo beside the adapter on MindSpore; `single` calls in one
process. `processes` starts real processes, the only ones that import a framework. `run` is the whole for collectives
(for calls it is `single.run`), `summary` and `script` tell people, `write_evidence` keeps what agrees; `programs` runs
what pages show. Which cases there are is decided by `cases`.
"""
