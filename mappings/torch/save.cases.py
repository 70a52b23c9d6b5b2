import io
from collections import OrderedDict

import torch


def there_and_back(value, **options):
    stream = io.BytesIO()
    torch.save(value, stream)
    stream.seek(0)
    return torch.load(stream, **options)


# case: a tensor
result = there_and_back(torch.arange(6).reshape(2, 3))

# case: dtypes
names = ("float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "bool", "complex64")
result = [there_and_back(torch.ones(2).to(getattr(torch, name))) for name in names]

# case: what holds them
value = {"a": [torch.ones(1), (2, "x")], "b": None, "c": 1.5, 3: True, "d": {4, 5}, "e": b"f"}
found = there_and_back(value)
result = [list(found)[:3], found["a"], found["b"], found["c"], found[3], sorted(found["d"]), found["e"]]

# case: ordered
found = there_and_back(OrderedDict([("z", torch.ones(1)), ("a", torch.zeros(1))]))
result = [type(found).__name__, found]

# case: shared memory
tensor = torch.arange(4)
found = there_and_back([tensor, tensor[1:3], tensor.reshape(2, 2).t()])
found[0][1] = 9
result = [found, found[2].stride()]

# case: a parameter
found = there_and_back(torch.nn.Parameter(torch.ones(2)))
result = [found, type(found).__name__, found.requires_grad]

# case: a gradient is asked for
found = there_and_back(torch.ones(2).requires_grad_())
result = [found, found.requires_grad]

# case: a state
net = torch.nn.ParameterList([torch.ones(2), torch.zeros(3)])
result = there_and_back(net.state_dict())

# case: an optimiser
weight = torch.nn.Parameter(torch.ones(2))
optimizer = torch.optim.Adam([weight], lr=0.1)
weight.sum().backward()
optimizer.step()
result = there_and_back(optimizer.state_dict())

# case: empty and without dimensions
result = there_and_back([torch.empty(0, 3), torch.tensor(2.5)])

# case: kinds
found = there_and_back([torch.float32, torch.Size([2, 3]), torch.device("cpu")])
result = [str(found[0]), found[1], str(found[2])]

# case: to a path
import os
import tempfile

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "some.pt")
    torch.save({"weight": torch.ones(2)}, path)
    result = torch.load(path)

# error: no such folder
torch.save(torch.ones(1), "/no/such/folder/some.pt")

# error: no file
torch.save(torch.ones(1), 3)

# error: a function of its own
torch.save(lambda x: x, io.BytesIO())
