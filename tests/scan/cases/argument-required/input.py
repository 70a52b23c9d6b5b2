from torch.utils.data.distributed import DistributedSampler

DistributedSampler(data)
DistributedSampler(data, num_replicas=2, rank=0, shuffle=False)
