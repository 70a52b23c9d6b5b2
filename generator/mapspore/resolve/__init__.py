"""Entries joined with the facts (stage resolve): `Entry`s and the two snapshots go in, the `Registry` comes out.

`registry` holds the types that every later stage reads: what becomes of an API, the preferred target, whether there is
an adapter (`adaptable`), the evidence. `resolve` makes a `Mapping` of each entry, `binding` finds which MindSpore
parameter receives which torch parameter, `differences` derives from that the rows of differences and the verdict of
each target. Free of any language: sentences are left to `view`, and whatever does not fit the facts is kept as it is
and reported by `check`.
"""
