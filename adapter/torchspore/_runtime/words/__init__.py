"""The vocabulary that entries use between a caller's arguments and MindSpore's: each word is one plain function, which
generated code imports from the module of `words` that defines it. `values` imports nothing, so that the generator can
apply its functions to documented defaults; `calls` needs MindSpore; `collectives` needs the groups of ranks.
"""
