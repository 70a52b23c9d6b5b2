from torch.distributed import broadcast

broadcast(tensor, 0)
