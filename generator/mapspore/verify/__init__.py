"""Verification by execution: the cases of entries go in, one finding per case and target comes out.

`run` is the whole. `sides` are the two frameworks as one; `tensors` and `arguments` make what a case describes;
`outcome` is what a call did; `compare` judges. `collective` runs entries about several processes, torch on gloo beside
the adapter on MindSpore; `single` calls in one process; `processes` starts real processes, the only ones that import a
framework. `result`, `summary` and `script` tell people, `write_evidence` writes what agrees; `programs` runs what pages
show. Which cases there are is decided by `cases`.
"""
