import torch.distributed as dist

if ready:
    pass
elif dist.all_reduce(a, group=g):
    pass
for item in (dist.all_reduce(item, group=g)
             for item in items): use(item)
if late: dist.monitored_barrier()


@wrap(dist.all_reduce)
def step():
    return [
        1,
        dist.all_reduce(a, group=g),
    ]
