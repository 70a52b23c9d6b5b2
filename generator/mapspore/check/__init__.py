"""The checks (stage check): a `Registry` goes in, `Diagnostic`s come out, in the order of their places.

`check` runs every rule of `rules` over every mapping; `report` prints diagnostics for people, programs and GitHub,
`sarif` for code scanning. Sentences and hints stand in `templates/text/rules.yaml`; repairing files is left to
`entry.repair`.
"""
