import os

import torch.distributed as dist

port = int(os.environ.get("MASTER_PORT", "29500"))
store = dist.TCPStore("127.0.0.1", port, world_size=1, is_master=True)
train = dist.PrefixStore("train", store)
train.set("step", "7")
print(train.get("step"))
