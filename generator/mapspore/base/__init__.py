"""What every stage stands on: diagnostics, the two languages, paths, the version, text on a terminal, digests of files,
the cache folder, and writing files whole or not at all.

In: the environment, the file system, plain text. Out: values that know nothing of torch, MindSpore or an entry. Imports
no other folder of mapspore. What a diagnostic says is left to the rules (`check.rules`) and the phrases (`text`).
"""
