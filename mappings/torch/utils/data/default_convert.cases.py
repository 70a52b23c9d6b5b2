from collections import namedtuple

import numpy as np
import torch
from torch.utils.data import default_convert

Point = namedtuple("Point", ["x", "y"])

# case: an array
result = [default_convert(np.arange(3)), default_convert(np.float32(2.5))]

# case: what is left as it is
result = [default_convert(0), default_convert("word"), default_convert(None), default_convert(2.5)]

# case: a tensor stays
tensor = torch.ones(2)
result = default_convert(tensor) is tensor

# case: nested
result = default_convert({"a": [np.zeros(2), (1, np.ones(1))], "b": "x"})

# case: fields
found = default_convert(Point(np.array([0, 1]), "a"))
result = [type(found).__name__, found.x, found.y]

# case: words in an array
found = default_convert(np.array(["a", "b"]))
result = [type(found).__name__, found.tolist()]
