"""What to try of an entry: a `Mapping` goes in; out come its cases, which are plain JSON.

`collective` makes the cases of entries about several processes, `single` those of calls in one process; `all_cases`
tells which of them an entry has. `example_programs` gives the programs that a page shows, `ported` what becomes of one
for torch. Nothing is typed per API, and no framework is needed: running the cases and judging what comes out is left to
`verify`.
"""
