"""Extraction of facts: an installed torch or MindSpore goes in, the text of its snapshot comes out.

`surface` says which names are public, `torch_facts` and `mindspore_facts` read their signatures (from stubs, sources,
operator schemas and docstrings), `aliases` gives each name its home, `extract` puts them together. The only part of
`facts` that imports a framework; reading and comparing snapshots is left to `facts.snapshot` and `facts.diff`.
"""
