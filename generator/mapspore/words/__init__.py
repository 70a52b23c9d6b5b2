"""The closed vocabulary: the words that convert arguments and results, the policies for parameters without a place, the
kinds of difference with their severity, and the situations that a stated difference can be about.

In: nothing but the names that entries use. Out: what each word is (`vocabulary`) and, of a pure word, the default that
it makes of another (`pure`). Functions of words are left to the adapter's runtime, phrases to `templates/text`.
"""
