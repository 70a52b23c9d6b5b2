"""Help for contributors: the facts and the model go in, what a person starts from comes out.

`draft` writes the first text of an entry, with a marked line for each judgement, and takes the words that it proposes
from `suggestions`; `schema` makes the JSON Schema for editors, and `explain` tells what a code, a field or a word
means. Judging is left to people, checking to `check`.
"""
