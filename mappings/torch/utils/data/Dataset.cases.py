import pickle

from torch.utils.data import ConcatDataset, Dataset


class Squares(Dataset):
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        if not 0 <= index < self.count:
            raise IndexError(index)
        return index * index


class Unfinished(Dataset):
    pass


# case: samples by number
squares = Squares(4)
result = [len(squares), squares[0], squares[3], list(squares)]

# case: is an instance
result = [isinstance(Squares(1), Dataset), issubclass(Squares, Dataset), isinstance([1], Dataset)]

# case: sum of two
both = Squares(2) + Squares(3)
result = [isinstance(both, ConcatDataset), len(both), list(both)]


# case: subscript in an annotation
class Named(Dataset[str]):
    def __getitem__(self, index):
        return "abc"[index]


result = [Named()[1], Named.__mro__[1] is Dataset]

# case: no length unless a subclass has one
result = [hasattr(Dataset, "__len__"), hasattr(Unfinished(), "__len__")]

# case: can be pickled without code of its own
result = type(pickle.loads(pickle.dumps(Dataset()))).__name__

# error: no samples without a method for them
Unfinished()[0]

# error: no length
len(Unfinished())

# error: index past the end
Squares(2)[5]
