from torch.distributed import (
    ReduceOp,
    barrier,
    fsdp,
)

barrier()
fsdp.fully_shard(model)
