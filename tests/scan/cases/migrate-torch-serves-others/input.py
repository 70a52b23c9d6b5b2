import torch

if torch.distributed.is_available():
    torch.distributed.broadcast(torch.sparse.softmax(x, 0), 0)
    print(torch . distributed . get_node_local_rank())
