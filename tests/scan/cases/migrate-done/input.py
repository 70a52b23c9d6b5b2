import torchspore.distributed as dist
import mindspore.mint.distributed

dist.barrier()
mindspore.mint.distributed.barrier()
