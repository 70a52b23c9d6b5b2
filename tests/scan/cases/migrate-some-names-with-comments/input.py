from torch.distributed import (
    ReduceOp,  # sums
    barrier,
    fsdp,
)

barrier()
fsdp.fully_shard(model)
