"""Help for contributors: the facts and the model go in, what a person starts from comes out.

`draft` writes the first text of an entry, with a marked line for each judgement, and takes the words that it proposes
from `suggestions`; `field_guide` and `outline` describe the fields and make the JSON Schema for editors. Judging is
left to people, checking to `check`.
"""
