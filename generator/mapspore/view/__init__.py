"""Views (stage prepare): a `Mapping` goes in; out comes an `EntryView`: all that is told about an entry, in both
languages.

`entry_view` is the type, and the data of `show` and `export json`; `prepare` makes it, `sentences` and `prose` phrase
it, `spellings` are the names that lead to it. Order, headings and markup are left to `pages`, layout on a terminal to
`answer`.
"""
