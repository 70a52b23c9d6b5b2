from mine import distributed as dist
import mine.torch.distributed

dist.barrier()
mine.torch.distributed.barrier()
