"""The last stage: artifacts in memory go in, files on disk come out, or the list of what differs from them.

`generated` gathers all that `mapspore generate` makes; `write` puts files in place by renaming, whole or not at all,
and deletes only what was generated. What the files say is left to `adapter`, `pages` and `author`.
"""
