import numpy as np
import torch

# case: what is one and what is not
result = [
    torch.is_tensor(each) for each in (torch.ones(2), torch.nn.Parameter(torch.ones(1)), np.ones(2), [1], None, 3)
]
