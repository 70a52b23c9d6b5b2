import torch.distributed as dist


class Worker:
    def __init__(self, ranks):
        self.pg = dist.new_group(ranks)

    def step(self, tensor):
        dist.all_reduce(tensor, group=self.pg)
