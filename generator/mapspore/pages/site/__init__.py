"""The site's generated part: a registry and a language go in, files in memory and the navigation come out.

`files.py` says what is made; each page has a module of its own that prepares what its template prints. Hand-written
pages lie in `site/`; `site/hook.py` hands both to mkdocs.
"""
