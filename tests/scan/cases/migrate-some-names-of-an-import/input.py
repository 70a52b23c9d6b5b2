from torch.distributed import (
    ReduceOp,
    barrier,
    fsdp,
)

barrier()
fsdp.wrap(model)
