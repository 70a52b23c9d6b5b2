from torch.distributed import barrier as wait_for_all
