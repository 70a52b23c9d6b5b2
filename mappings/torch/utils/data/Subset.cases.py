from torch.utils.data import Dataset, Subset


class Halved(Subset):
    def __getitem__(self, index):
        return self.dataset[self.indices[index]] / 2


# case: in the order of the indices
part = Subset("abcdef", [4, 0, 0])
result = [len(part), [part[index] for index in range(3)]]

# case: from the end
part = Subset("abcdef", [4, 0])
result = [part[-1], part[-2]]

# case: several at once
part = Subset([10, 20, 30], [2, 1])
result = part.__getitems__([1, 0, 1])

# case: of a part
part = Subset(Subset("abcdef", [5, 3, 1]), [2, 0])
result = [part[0], part[1], isinstance(part, Dataset)]

# case: keeps what it was made of
part = Subset([1, 2], range(1))
result = [part.dataset, list(part.indices)]

# case: nothing
result = len(Subset([1], []))

# error: past the end
Subset("abc", [0, 1])[2]

# error: no such sample
Subset("abc", [9])[0]

# error: a subclass that a loader would pass by
Halved([2, 4], [0, 1])
