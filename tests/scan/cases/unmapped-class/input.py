from torch.nn.parallel import DistributedDataParallel as DDP

model = DDP(model)
