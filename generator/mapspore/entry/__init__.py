"""Entries as contributors write them (stages load and parse): files go in, `Source`s and from them `Entry`s come out.

load   files   -> Source   (load.py, yaml_events.py)   plain data with the place of every key and value
parse  Source  -> Entry    (parse.py, model.py)        or diagnostics, and what `recover` can still read of the entry

`outline` describes the fields, for the guide and for `explain`. `canonical` and `repair` go the other way, from a
`Source` to the text that `fix` writes. Whether names and parameters exist in torch and MindSpore is left to `resolve`
and `check`.
"""
