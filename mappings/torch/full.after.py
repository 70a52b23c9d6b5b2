import torchspore as torch

filled = torch.full((2, 3), 7)
print(filled.tolist(), filled.dtype == torch.int64)
