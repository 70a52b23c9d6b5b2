import torch


class Trainer:
    def __init__(self, args):
        self.args = args
        self.device = args.device

    def abs(self):
        return self.args.device, self.abs(), args.distributed.barrier()
