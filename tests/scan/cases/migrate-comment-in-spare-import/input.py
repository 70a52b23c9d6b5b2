from torch.distributed import (
    all_reduce,  # kept for others
    barrier,
)

barrier()
