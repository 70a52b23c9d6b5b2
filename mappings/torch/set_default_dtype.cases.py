import torch

# case: floats follow it
torch.set_default_dtype(torch.float64)
made = [torch.tensor(1.5), torch.tensor([1, 2]), torch.empty(2), torch.tensor(1) / 2, torch.tensor(1j)]
result = [str(each.dtype) for each in made] + [str(torch.get_default_dtype())]
torch.set_default_dtype(torch.float32)
result += [str(torch.tensor(1.5).dtype), str(torch.get_default_dtype())]

# error: whole numbers
torch.set_default_dtype(torch.int32)
