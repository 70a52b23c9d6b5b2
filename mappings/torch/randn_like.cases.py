import torch

torch.manual_seed(2)

# case: shape and dtype
result = [
    torch.randn_like(torch.zeros(2, 3)),
    torch.randn_like(torch.zeros(4, dtype=torch.float64)),
    torch.randn_like(torch.tensor(1.0)),
]

# case: another dtype
result = [
    torch.randn_like(torch.zeros(2, dtype=torch.int64), dtype=torch.float32),
    torch.randn_like(torch.zeros(2), dtype=torch.bfloat16),
]

# case: of a transposed tensor
result = torch.randn_like(torch.zeros(3, 7).t())

# case: no gradient of the other
found = torch.randn_like(torch.zeros(2).requires_grad_())
result = [found, found.requires_grad]

# case: a leaf
result = torch.randn_like(torch.zeros(2), requires_grad=True).requires_grad

# error: whole numbers
torch.randn_like(torch.zeros(2, dtype=torch.int64))

# error: no tensor
torch.randn_like([1.0, 2.0])
