import torch


class Trainer:
    def __init__(self, net):
        self.optimiser = torch.optim.AdamW(net.parameters())

    def step(self):
        self.optimiser.zero_grad()
        self.optimiser.step()
