import torch
from torch.nn.utils import get_total_norm

tensors = [torch.tensor([3.0, -4.0]), torch.tensor([[1.0, -2.0], [0.5, 0.0]]), torch.tensor(7.0)]

# case: two
result = get_total_norm(tensors)

# case: other norms
result = [get_total_norm(tensors, norm_type=each) for each in (1.0, 3, float("inf"))]

# case: one tensor
result = [get_total_norm(tensors[0]), get_total_norm([tensors[2]])]

# case: nothing
result = get_total_norm([])

# case: not a number
result = get_total_norm([torch.tensor([float("nan"), 1.0])])

# case: double
result = get_total_norm([each.double() for each in tensors])

# error: not finite and not allowed
get_total_norm([torch.tensor([float("inf")])], error_if_nonfinite=True)
