import os

import mindspore.mint.distributed as dist

port = int(os.environ.get("MASTER_PORT", "29500"))
store = dist.TCPStore("127.0.0.1", port, world_size=1, is_master=True)
store.set("train/step", "7")
print(store.get("train/step"))
