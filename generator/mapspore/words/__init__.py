"""The closed vocabulary: the words that convert arguments and results, the policies for parameters without a place, the
predicates on arguments, the kinds of difference with their severity, and the situations that a stated difference can be
about.

In: nothing but the names that entries use. Out: each word as one value with all that stages and consumers want to know
of it, in a module per family (`types` says what a word is, `vocabulary` has all by name); and, of a pure word, the
default that it makes of another (`pure`). Functions of words are left to the adapter's runtime, phrases to
`templates/text/words`, where each family has a file of its name.
"""
