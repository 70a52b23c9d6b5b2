from torch.utils.data import ChainDataset, Dataset, IterableDataset


class Countdown(IterableDataset):
    def __init__(self, start):
        self.start = start

    def __iter__(self):
        return iter(range(self.start, 0, -1))


# case: samples in a row
result = [list(Countdown(3)), list(Countdown(0))]

# case: can be gone through again
numbers = Countdown(2)
result = list(numbers) + list(numbers)

# case: is a dataset
result = [isinstance(Countdown(1), Dataset), issubclass(IterableDataset, Dataset)]

# case: sum of two
both = Countdown(2) + Countdown(1)
result = [isinstance(both, ChainDataset), list(both)]

# case: sum of three
result = list(Countdown(1) + Countdown(2) + Countdown(1))

# error: no samples by number
Countdown(3)[0]

# error: no length
len(Countdown(3))
