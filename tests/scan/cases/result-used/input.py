import torch.distributed as dist

dist.recv(tensor, 1)
sender = dist.recv(tensor, 1)
