"""Fit a line on several processes, with PyTorch; `mapspore migrate` makes the MindSpore program of it, as it stands.

    torchrun --nproc-per-node 2 train.py --curve curve.json

Every process sees its own share of the samples; the gradients are averaged after each step.
"""

import argparse
import json

import torch
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler

SAMPLES, FEATURES = 64, 3


def samples():
    """Features that look random but are the same everywhere, and what a known line makes of them."""
    numbers = torch.arange(0.0, SAMPLES * FEATURES)
    features = (numbers * 7919 % 1000 / 1000).view(SAMPLES, FEATURES)
    wanted = features @ (torch.arange(0.0, FEATURES) - 1)
    return features, wanted


def own_samples(features, wanted, epoch):
    """This process's share, shuffled anew in each epoch."""
    sampler = DistributedSampler(range(SAMPLES), seed=5)
    sampler.set_epoch(epoch)
    chosen = list(sampler)
    rows = torch.cat([features[index : index + 1] for index in chosen])
    return rows, torch.cat([wanted[index : index + 1] for index in chosen])


def train(epochs, rate):
    features, wanted = samples()
    weights = torch.full((FEATURES,), float(dist.get_rank()))  # others are overwritten
    dist.broadcast(weights, src=0)
    curve = []
    for epoch in range(epochs):
        rows, targets = own_samples(features, wanted, epoch)
        errors = rows @ weights - targets
        gradient = errors @ rows * (2 / len(rows))
        loss = errors @ errors / len(rows)
        dist.all_reduce(gradient, op=dist.ReduceOp.AVG)
        dist.all_reduce(loss, op=dist.ReduceOp.AVG)
        weights = weights - rate * gradient
        curve.append(loss.item())
    return curve


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--rate", type=float, default=0.3)
    parser.add_argument("--curve", help="write the loss by epoch to this JSON file")
    given = parser.parse_args()
    dist.init_process_group("gloo")
    curve = train(given.epochs, given.rate)
    if dist.get_rank() == 0 and given.curve:
        with open(given.curve, "w", encoding="utf-8") as file:
            json.dump(curve, file)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
