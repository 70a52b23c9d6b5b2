import torch

if torch.distributed.is_available():
    torch.distributed.broadcast(torch.ones(3), 0)
    print(torch . distributed . get_node_local_rank())
