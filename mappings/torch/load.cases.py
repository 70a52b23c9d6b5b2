import io

import torch


def there_and_back(value, **options):
    stream = io.BytesIO()
    torch.save(value, stream)
    stream.seek(0)
    return torch.load(stream, **options)


# case: a stream
result = there_and_back({"a": torch.ones(2)})

# case: to a device
result = [there_and_back(torch.ones(2), map_location=each) for each in ("cpu", torch.device("cpu"), {"cuda:0": "cpu"})]

# case: by a function
result = there_and_back(torch.ones(2), map_location=lambda storage, location: storage)

# case: weights only
result = [there_and_back(torch.ones(1), weights_only=True), there_and_back([1, "a"], weights_only=False)]

# case: each has memory of its own
tensor = torch.ones(2)
found = there_and_back(tensor)
found.fill_(3)
result = [tensor, found]

# case: writable
found = there_and_back(torch.ones(2, 2))
found[0, 1] = 5
result = [found, found.is_leaf, found.requires_grad]

# case: mapped into memory
import os
import tempfile

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "some.pt")
    torch.save(torch.arange(5), path)
    result = torch.load(path, mmap=True).clone()


# case: into a module
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(2))


one, other = Net(), Net()
one.weight.data.fill_(4)
told = other.load_state_dict(there_and_back(one.state_dict()))
result = [other.weight, str(told)]

# error: no such file
torch.load("/no/such/file.pt")

# error: nothing
torch.load(io.BytesIO(b""))

# error: a class that is not allowed
import fractions
import pickle
import zipfile

stream = io.BytesIO()
with zipfile.ZipFile(stream, "w") as archive:
    archive.writestr("some/data.pkl", pickle.dumps(fractions.Fraction(1, 2), protocol=2))
    archive.writestr("some/version", "3")
stream.seek(0)
torch.load(stream)

# error: no file at all
torch.load(3)
