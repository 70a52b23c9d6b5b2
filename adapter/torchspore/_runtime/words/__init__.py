"""The vocabulary that entries use between a caller's arguments and MindSpore's: each word is one plain function, found
by its name in one of these modules. `values` and `numbers` import nothing, so that the generator can apply their
functions to documented defaults.
"""
