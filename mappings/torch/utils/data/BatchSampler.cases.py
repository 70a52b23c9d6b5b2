from torch.utils.data import BatchSampler, SequentialSampler

# case: last batch smaller
batches = BatchSampler(SequentialSampler(range(7)), batch_size=3, drop_last=False)
result = [list(batches), len(batches)]

# case: last batch dropped
batches = BatchSampler(SequentialSampler(range(7)), 3, True)
result = [list(batches), len(batches)]

# case: even
batches = BatchSampler(range(4), 2, True)
result = [list(batches), len(batches), list(batches)]

# case: larger than all
result = [list(BatchSampler(range(2), 5, False)), list(BatchSampler(range(2), 5, True))]

# case: nothing
batches = BatchSampler([], 2, False)
result = [list(batches), len(batches)]

# case: of any values
result = list(BatchSampler("abcde", 2, False))

# case: keeps what it was made of
batches = BatchSampler(range(4), 2, True)
result = [batches.batch_size, batches.drop_last, list(batches.sampler)]

# error: batch of none
BatchSampler(range(4), 0, False)

# error: batch of a fraction
BatchSampler(range(4), 2.5, False)

# error: batch of a bool
BatchSampler(range(4), True, False)

# error: drop last is no bool
BatchSampler(range(4), 2, 1)

# error: length of an iterator
len(BatchSampler(iter(range(4)), 2, False))
