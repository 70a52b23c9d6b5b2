import numpy as np
import torch

array = np.arange(6, dtype=np.float32).reshape(2, 3)

# case: shares memory
made = torch.from_numpy(array)
array[0, 0] = 7
made[1, 1] = 9
result = [made.tolist(), array.tolist(), str(made.dtype), made.shape]

# case: dtypes
kinds = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float64", "complex64"]
result = [str(torch.from_numpy(np.ones(2, kind)).dtype) for kind in kinds]

# case: without elements and without dimensions
result = [torch.from_numpy(np.empty((0, 3))).shape, torch.from_numpy(np.array(2.5)).item()]

# case: strided
result = torch.from_numpy(array[:, ::2]).tolist()

# error: a list
torch.from_numpy([1, 2])

# error: objects
torch.from_numpy(np.array(["a"], dtype=object))
