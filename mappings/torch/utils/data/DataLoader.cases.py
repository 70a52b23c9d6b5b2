import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, TensorDataset


class Squares(Dataset):
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return index * index


class Countdown(IterableDataset):
    def __init__(self, start):
        self.start = start

    def __iter__(self):
        return iter(range(self.start, 0, -1))


class Sized(Countdown):
    def __len__(self):
        return self.start


# case: one by one
loader = DataLoader(Squares(3))
result = [list(loader), len(loader), loader.batch_size, loader.drop_last]

# case: in batches
loader = DataLoader(Squares(7), batch_size=3)
result = [list(loader), len(loader)]

# case: last batch dropped
loader = DataLoader(Squares(7), 3, drop_last=True)
result = [list(loader), len(loader)]

# case: shuffled
torch.manual_seed(3)
loader = DataLoader(range(10), batch_size=4, shuffle=True)
result = [list(loader), list(loader), torch.rand(2)]

# case: in order takes a number too
torch.manual_seed(3)
list(DataLoader(range(3)))
result = torch.rand(2)

# case: with a generator of its own
generator = torch.Generator().manual_seed(8)
loader = DataLoader(range(9), batch_size=2, shuffle=True, generator=generator)
torch.manual_seed(1)
result = [list(loader), list(loader), torch.rand(2)]

# case: with a sampler
torch.manual_seed(5)
loader = DataLoader(range(10), batch_size=2, sampler=torch.utils.data.SubsetRandomSampler([1, 3, 5]))
result = [list(loader), len(loader)]

# case: with a sampler of batches
loader = DataLoader(Squares(5), batch_sampler=[[4, 0], [2]])
result = [list(loader), len(loader), loader.batch_size, loader.drop_last]

# case: samples as they are
result = [list(DataLoader(Squares(3), batch_size=None)), list(DataLoader("ab", batch_size=None))]

# case: with a function for batches
loader = DataLoader(["a", "bcd", "ef"], batch_size=2, collate_fn=lambda batch: [len(each) for each in batch])
result = list(loader)

# case: of tensors
data = TensorDataset(torch.arange(6).reshape(3, 2), torch.arange(3.0))
result = list(DataLoader(data, batch_size=2))

# case: by name
result = list(DataLoader([{"a": 1, "b": 2.0}, {"a": 3, "b": 4.0}], batch_size=2))

# case: one after another
result = [list(DataLoader(Countdown(5), batch_size=2)), list(DataLoader(Countdown(3), batch_size=None))]

# case: one after another with a length
result = [len(DataLoader(Sized(5), batch_size=2)), len(DataLoader(Sized(5), 2, drop_last=True))]

# case: nothing
result = [list(DataLoader([])), len(DataLoader([], batch_size=4))]

# case: several iterators at once
loader = DataLoader(range(4), batch_size=2)
one, other = iter(loader), iter(loader)
result = [next(one), next(other), next(one)]

# case: goes on after an error
loader = iter(DataLoader([1, 2], batch_size=1))
next(loader)
next(loader)
result = next(loader, "end")

# case: what it was made of
loader = DataLoader(range(4), num_workers=0, pin_memory=False, timeout=0)
result = [loader.num_workers, loader.pin_memory, loader.timeout, type(loader.sampler).__name__, list(loader.dataset)]

# error: shuffled with a sampler
DataLoader(range(4), shuffle=True, sampler=[0])

# error: sampler of batches with a size
DataLoader(range(4), batch_size=2, batch_sampler=[[0]])

# error: one after another and shuffled
DataLoader(Countdown(2), shuffle=True)

# error: no batches and the last dropped
DataLoader(range(4), batch_size=None, drop_last=True)

# error: less than no workers
DataLoader(range(4), num_workers=-1)

# error: batch of none
DataLoader(range(4), batch_size=0)

# error: ahead without workers
DataLoader(range(4), prefetch_factor=2)

# error: set later
DataLoader(range(4)).batch_size = 3

# error: samples of other lengths
list(DataLoader([[1], [1, 2]], batch_size=2))

# error: in the dataset
list(DataLoader([1, 2], sampler=[5]))

# error: no length
len(DataLoader(Countdown(2)))
