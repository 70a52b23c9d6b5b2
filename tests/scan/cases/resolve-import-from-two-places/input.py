try:
    from torch.utils.data import DistributedSampler
except ImportError:
    from torch.utils.data.distributed import DistributedSampler

sampler = DistributedSampler(data, 2, 0, shuffle=False)
