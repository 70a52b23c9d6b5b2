from torchspore.utils.data.distributed import DistributedSampler

for rank in range(2):
    sampler = DistributedSampler(range(5), num_replicas=2, rank=rank, shuffle=True, seed=7)
    sampler.set_epoch(1)
    print(rank, list(sampler))
