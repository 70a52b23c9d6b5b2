import torch

if torch.cuda.is_available():
    device = "cuda"
else:
    device = "cpu"
print(torch.cuda.device_count())
