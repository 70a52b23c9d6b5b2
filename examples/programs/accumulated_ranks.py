"""Data parallelism with gradient accumulation: every rank adds up the gradients of its batches, then all average."""

import argparse
import os
import tempfile

import torch
import torch.distributed as dist
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def curves(count):
    x = torch.empty(count, 6).uniform_(-1, 1)
    y = torch.sin(3 * x[:, :1]) * x[:, 1:2] + (x[:, 2:] ** 2).sum(dim=1, keepdim=True)
    return TensorDataset(x, y)


class Regressor(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(6, width), nn.LayerNorm(width), nn.GELU(approximate="tanh"), nn.Linear(width, width), nn.Sigmoid()
        )
        self.gate = nn.Bilinear(width, 6, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        hidden = self.layers(x)
        return self.out(hidden + torch.tanh(self.gate(hidden, x)))


def average_gradients(model):
    for parameter in model.parameters():
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad, op=dist.ReduceOp.SUM)
            parameter.grad /= dist.get_world_size()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument("--accumulate", type=int, default=2)
    parser.add_argument("--seed", type=int, default=10)
    options = parser.parse_args()
    dist.init_process_group("gloo")
    rank, ranks = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(options.seed)

    data = curves(512)
    sampler = DistributedSampler(data, num_replicas=ranks, rank=rank, seed=options.seed)
    loader = DataLoader(data, batch_size=16, sampler=sampler)
    model = Regressor()
    for parameter in model.parameters():
        dist.broadcast(parameter.data, src=0)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.08, momentum=0.9)
    schedule = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[options.epochs // 2], gamma=0.3)
    path = os.path.join(tempfile.mkdtemp(), f"rank{rank}.pt")

    for epoch in range(options.epochs):
        sampler.set_epoch(epoch)
        model.train()
        total = torch.zeros(2)
        for number, (x, y) in enumerate(loader):
            loss = F.mse_loss(model(x), y)
            (loss / options.accumulate).backward()
            total += torch.tensor([loss.item() * len(x), len(x)])
            if (number + 1) % options.accumulate == 0:
                average_gradients(model)
                optimizer.step()
                optimizer.zero_grad()
        schedule.step()
        dist.all_reduce(total)
        if rank == 0 and (epoch + 1) % 4 == 0:
            print(f"epoch {epoch + 1}: loss {(total[0] / total[1]).item():.5f}", flush=True)
        if epoch + 1 == options.epochs // 2:
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)
            saved = torch.load(path)
            model.load_state_dict(saved["model"])
            optimizer.load_state_dict(saved["optimizer"])
    model.eval()
    with torch.no_grad():
        error = F.l1_loss(model(data.tensors[0]), data.tensors[1])
    if rank == 0:
        print(f"mean error {error.item():.5f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
