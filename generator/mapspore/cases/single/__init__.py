"""Cases of calls in one process: mappings go in, cases as data come out.

`plan` reads an entry and the facts; `cases`, `refusals` and `objects` turn plans into cases, stated by `case_builder`
with the dtypes and fills of `tensor_tables`. `entry_cases` puts them together.
"""
