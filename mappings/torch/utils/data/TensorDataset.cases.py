import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset

# case: rows
inputs, labels = torch.arange(6).reshape(3, 2), torch.tensor([0.5, 1.5, 2.5])
data = TensorDataset(inputs, labels)
result = [len(data), data[0], data[-1]]

# case: several rows at once
data = TensorDataset(torch.arange(8).reshape(4, 2))
result = [data[1:3], data[[3, 0]], data[torch.tensor([2, 2])]]

# case: in batches
data = TensorDataset(torch.arange(5), torch.arange(5) * 10)
result = list(DataLoader(data, batch_size=2))

# case: keeps the tensors
inputs = torch.ones(2)
data = TensorDataset(inputs)
result = [data.tensors[0] is inputs, isinstance(data.tensors, tuple), isinstance(data, Dataset)]

# case: a row shares memory
inputs = torch.zeros(2, 2)
TensorDataset(inputs)[1][0].fill_(7)
result = inputs

# error: other lengths
TensorDataset(torch.zeros(2), torch.zeros(3))

# error: past the end
TensorDataset(torch.zeros(2))[2]

# error: nothing to read
len(TensorDataset())
