from torch.utils.data import ChainDataset, IterableDataset


class Letters(IterableDataset):
    def __init__(self, text):
        self.text = text

    def __iter__(self):
        return iter(self.text)

    def __len__(self):
        return len(self.text)


# case: one after the other
result = list(ChainDataset([Letters("ab"), Letters(""), Letters("c")]))

# case: length
result = len(ChainDataset([Letters("ab"), Letters("cde")]))

# case: nothing
result = [list(ChainDataset([])), len(ChainDataset([]))]

# case: again
chained = ChainDataset([Letters("ab")])
result = list(chained) + list(chained)

# error: a dataset with numbers
list(ChainDataset([[1, 2]]))

# error: length of a dataset with numbers
len(ChainDataset([[1, 2]]))
