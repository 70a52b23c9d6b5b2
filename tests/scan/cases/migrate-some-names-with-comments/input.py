from torch.distributed import (
    ReduceOp,  # sums
    barrier,
    fsdp,
)

barrier()
fsdp.wrap(model)
