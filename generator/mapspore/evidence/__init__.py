"""What was run, as the rest of mapspore reads it: a registry's root and its mappings go in; out come the state of each
entry's evidence (`files`: verified, stale or none) and what its programs printed (`records`).

Evidence holds as long as its `fingerprint` does: the cases of the entry and the code that they `reach`. Reads
`evidence/**.json` and `runs/**.json` and needs no framework. Running is left to `verify`.
"""
