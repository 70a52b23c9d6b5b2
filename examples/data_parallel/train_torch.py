"""Train a small classifier on several processes, with PyTorch.

    torchrun --nproc-per-node 2 train_torch.py --curve curve.json --checkpoint weights.pt

Every process sees its own share of the data; the gradients are averaged after each step.
"""

import argparse
import json

import numpy as np
import torch
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler

BATCH = 32
FEATURES, HIDDEN, CLASSES = 2, 24, 3


# -- the distributed part ----------------------------------------------------------------------------------------------


def share_from_first(tensors):
    """All processes go on with the values of the first one."""
    for tensor in tensors:
        dist.broadcast(tensor, src=0)


def average(tensors):
    """Each tensor becomes its mean over all processes; the transfers run at the same time."""
    works = [dist.all_reduce(tensor, op=dist.ReduceOp.AVG, async_op=True) for tensor in tensors]
    for work in works:
        work.wait()


def gather_rows(row):
    """The rows of all processes, in the order of their ranks."""
    rows = [row * 0 for _ in range(dist.get_world_size())]
    dist.all_gather(rows, row)
    return rows


def own_batches(size, epoch):
    """The indices of this process's samples, batch by batch, shuffled anew in each epoch."""
    sampler = DistributedSampler(range(size), seed=7)
    sampler.set_epoch(epoch)
    indices = list(sampler)
    return [indices[start : start + BATCH] for start in range(0, len(indices), BATCH)]


# -- the data and the model --------------------------------------------------------------------------------------------


def spirals(samples=360, seed=3):
    """Points on three arms of a spiral, and the arm that each is on."""
    generator = np.random.default_rng(seed)
    arm = np.arange(samples) % CLASSES
    turn = generator.random(samples)
    angle = 4 * turn + arm * 2 * np.pi / CLASSES + generator.normal(0, 0.15, samples)
    points = np.stack([turn * np.sin(angle), turn * np.cos(angle)], axis=1) * 2
    return points.astype(np.float32), arm.astype(np.int64)


def start_weights(seed):
    generator = np.random.default_rng(seed)
    sizes = [(FEATURES, HIDDEN), (HIDDEN,), (HIDDEN, HIDDEN), (HIDDEN,), (HIDDEN, CLASSES), (CLASSES,)]
    return [(generator.normal(0, 1, size) * (2 / size[0]) ** 0.5).astype(np.float32) for size in sizes]


class Classifier(torch.nn.Module):
    def __init__(self, weights):
        super().__init__()
        self.weights = torch.nn.ParameterList(torch.nn.Parameter(torch.from_numpy(each)) for each in weights)

    def forward(self, points):
        first, first_bias, second, second_bias, last, last_bias = self.weights
        hidden = torch.tanh(points @ first + first_bias)
        hidden = torch.tanh(hidden @ second + second_bias)
        return hidden @ last + last_bias


def train(epochs, rate):
    points, arms = spirals()
    model = Classifier(start_weights(seed=dist.get_rank()))  # others are overwritten
    share_from_first([weight.data for weight in model.weights])
    optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=0.9)
    curve = []
    for epoch in range(epochs):
        seen, lost, right = 0, 0.0, 0
        for batch in own_batches(len(points), epoch):
            scores = model(torch.from_numpy(points[batch]))
            wanted = torch.from_numpy(arms[batch])
            loss = torch.nn.functional.cross_entropy(scores, wanted)
            optimizer.zero_grad()
            loss.backward()
            average([weight.grad for weight in model.weights])
            optimizer.step()
            seen += len(batch)
            lost += loss.item() * len(batch)
            right += int((scores.argmax(1) == wanted).sum())
        total = sum(gather_rows(torch.tensor([seen, lost, right], dtype=torch.float32)))
        curve.append({"loss": float(total[1] / total[0]), "accuracy": float(total[2] / total[0])})
        if dist.get_rank() == 0 and epoch % 5 == 4:
            print("epoch {:3d}  loss {loss:.4f}  accuracy {accuracy:.3f}".format(epoch + 1, **curve[-1]), flush=True)
    return model, curve


def save(model, path):
    torch.save(model.state_dict(), path)


# -- the program -------------------------------------------------------------------------------------------------------


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--curve", help="write loss and accuracy by epoch to this JSON file")
    parser.add_argument("--checkpoint", help="write the weights to this file")
    given = parser.parse_args()
    dist.init_process_group("gloo")
    model, curve = train(given.epochs, given.rate)
    if dist.get_rank() == 0:
        if given.checkpoint:
            save(model, given.checkpoint)
        if given.curve:
            with open(given.curve, "w", encoding="utf-8") as file:
                json.dump(curve, file)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
