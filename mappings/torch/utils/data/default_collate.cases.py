from collections import OrderedDict, namedtuple

import numpy as np
import torch
from torch.utils.data import default_collate

Point = namedtuple("Point", ["x", "y"])

# case: numbers
result = [default_collate([1, 2]), default_collate([0.5, 1.5]), default_collate([True, False])]

# case: tensors
result = default_collate([torch.tensor([1, 2]), torch.tensor([3, 4])])

# case: tensors of other dtypes
result = [default_collate([torch.ones(1, dtype=dtype)] * 2) for dtype in (torch.float64, torch.int8, torch.bfloat16)]

# case: arrays
result = default_collate([np.zeros((2, 1), np.float32), np.ones((2, 1), np.float32)])

# case: scalars of numpy
result = [default_collate([np.float32(1), np.float32(2)]), default_collate([np.int16(3)])]

# case: words stay
result = [default_collate(["a", "b"]), default_collate([b"c"])]

# case: by name
result = default_collate([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}])

# case: ordered by name
found = default_collate([OrderedDict(b=1, a=2.0)])
result = [type(found).__name__, found]

# case: in a row
result = [default_collate([(1, 2.0), (3, 4.0)]), default_collate([[1, "a"], [2, "b"]])]

# case: fields
found = default_collate([Point(1, 2.0), Point(3, 4.0)])
result = [type(found).__name__, found.x, found.y]

# case: nested
result = default_collate([{"a": [1, (2.0, "x")]}, {"a": [3, (4.0, "y")]}])

# error: nothing
default_collate([])

# error: other lengths
default_collate([[1, 2], [3]])

# error: other shapes
default_collate([torch.zeros(2), torch.zeros(3)])

# error: an object
default_collate([object()])

# error: no value
default_collate([None, None])

# error: an array of words
default_collate([np.array(["a"])])
