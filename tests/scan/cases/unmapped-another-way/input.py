from torch.nn.parallel import DistributedDataParallel

model = DistributedDataParallel(net)
print(model(x))
