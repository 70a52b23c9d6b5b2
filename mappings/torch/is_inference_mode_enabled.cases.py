import torch

# case: in and out
told = [torch.is_inference_mode_enabled()]
with torch.inference_mode():
    told.append(torch.is_inference_mode_enabled())
with torch.no_grad():
    told.append(torch.is_inference_mode_enabled())
result = told
