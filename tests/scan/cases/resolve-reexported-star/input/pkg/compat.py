from torch.distributed import barrier, get_pg_count
