"""The documents (stage render): mappings and their views go in, pages as text in memory come out.

`templates` is the Jinja environment and renders comparison pages in our own and in the official layout; `site` makes
the pages around them, `preview` serves them while an entry is edited. What a page says is left to `view`, mkdocs to
`site/hook.py`, writing files to `write`.
"""
