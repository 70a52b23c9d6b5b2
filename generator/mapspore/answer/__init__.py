"""Answers to a name: any name that people use for an API goes in, what is known about it comes out.

`look_up` finds the answer, `index` keeps all of them in the user's cache folder so that `show` starts fast, `text` lays
one out for a terminal. An answer is an `EntryView`; `view.prepare`, which makes it, is only imported to build the
index.
"""
