"""Extraction of facts: an installed torch or MindSpore goes in, the text of its snapshot comes out.

`surface` and `classes` say which names are public, `torch_facts` and `mindspore_facts` read their signatures (from
stubs, sources, operator schemas and docstrings), `docstring_notes` what docstrings warn of, `aliases` gives each name
its home, `places` says where else it can be found, `extract` puts them together. The only part of `facts` that
imports a framework; reading and comparing snapshots is left to `facts.snapshot` and `facts.diff`.
"""
