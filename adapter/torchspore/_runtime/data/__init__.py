"""Data for training: datasets, samplers, batches, and the loader that brings them together, with worker processes if
asked. The order of samples and the random words taken are those that ported programs know from the same seed.

Workers are made of a process that has never computed with MindSpore, since a copy of one that has hangs. What a worker
needs is sent to it; what it gives is sent back as NumPy arrays, and tensors are made from them here.
"""
