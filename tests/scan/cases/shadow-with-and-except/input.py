from torch.distributed import barrier, broadcast

with open(path) as broadcast:
    broadcast(tensor, 0)
try:
    barrier()
except OSError as barrier:
    pass
