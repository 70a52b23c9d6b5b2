import mindspore
import torchspore as torch

whole = mindspore.tensor([[1, 2]])
halves = mindspore.tensor([[0.5, 1.5]])
joined = torch.cat((whole, halves), dim=0)
print(joined.tolist())
