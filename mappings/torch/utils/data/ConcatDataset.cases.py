from torch.utils.data import ConcatDataset, Dataset, IterableDataset


class Stream(IterableDataset):
    def __iter__(self):
        return iter("ab")


# case: one behind the other
joined = ConcatDataset([[1, 2], [3], [4, 5, 6]])
result = [len(joined), [joined[index] for index in range(6)], joined.cumulative_sizes]

# case: from the end
joined = ConcatDataset([[1, 2], [3]])
result = [joined[-1], joined[-3]]

# case: empty parts are passed over
joined = ConcatDataset([[], [1], [], [2]])
result = [len(joined), joined[0], joined[1], joined.cumulative_sizes]

# case: from an iterator
joined = ConcatDataset(part for part in ([1], [2]))
result = [len(joined.datasets), joined[1]]

# case: nested
joined = ConcatDataset([ConcatDataset([[1], [2]]), [3]])
result = [isinstance(joined, Dataset), joined[1], joined[2]]

# case: sums are nested too
joined = ConcatDataset([[1]]) + ConcatDataset([[2], [3]])
result = [len(joined), len(joined.datasets), joined[2]]

# error: nothing to join
ConcatDataset([])

# error: samples without numbers
ConcatDataset([Stream()])

# error: too far from the end
ConcatDataset([[1]])[-2]

# error: past the end
ConcatDataset([[1], [2]])[2]
