"""The documents (stage render): views go in, pages as text in memory come out.

`page` prints a view with a markup, `official` renders it in our own and in the official layout; `site` makes the pages
around them, `preview` serves them while an entry is edited. What a page says is left to `view`, mkdocs to
`site/hook.py`, writing files to `write`.
"""
