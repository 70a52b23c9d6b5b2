import torch

# case: at first
result = torch.is_grad_enabled()

# case: in blocks
told = []
with torch.no_grad():
    told.append(torch.is_grad_enabled())
    with torch.enable_grad():
        told.append(torch.is_grad_enabled())
with torch.inference_mode():
    told.append(torch.is_grad_enabled())
result = told + [torch.is_grad_enabled()]
