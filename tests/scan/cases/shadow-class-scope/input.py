import torch.distributed as dist


class Channel:
    dist = None

    def wait(self):
        dist.barrier()
