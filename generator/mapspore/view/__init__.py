"""Views of a mapping (stage prepare): a `Mapping` goes in; out comes exactly what a page or an answer prints.

`prepare` makes the views of a page in one language, `answer` the data of `show` and `export json` in both, `prose` the
sentences about what each side does. All sorting, phrasing and escaping happens here; order and headings are left to
the templates, layout on a terminal to `answer`, the site's own pages to `pages`.
"""
