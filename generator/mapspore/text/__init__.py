"""Sentences and their markup: from a difference, a code or a label to a sentence in Chinese or English.

In: keys and values, names and versions of APIs. Out: sentences of the catalogue (`phrases`), the same as Markdown or
HTML (`markup`), addresses of documentation (`links`), the Jinja environment (`templates`). The sentences themselves
stand in `templates/text/*.yaml`; which of them a page or an answer needs is left to `view`.
"""
