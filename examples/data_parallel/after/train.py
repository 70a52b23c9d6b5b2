"""Train a small classifier on several processes.

Every process sees its own share of the data; the gradients are averaged after each step. What communicates is here; the
model and its gradients, which are the framework's own, are in classifier.py.
"""

import argparse
import json

import numpy as np
import torchspore.distributed as dist
from classifier import Classifier, tensor
from torchspore.utils.data.distributed import DistributedSampler

BATCH = 32
FEATURES, HIDDEN, CLASSES = 2, 24, 3


def share_from_first(tensors):
    """All processes go on with the values of the first one."""
    for each in tensors:
        dist.broadcast(each, src=0)


def average(tensors):
    """Each tensor becomes its mean over all processes; the transfers run at the same time."""
    works = [dist.all_reduce(each, op=dist.ReduceOp.AVG, async_op=True) for each in tensors]
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


def spirals(samples=360, seed=3):
    """Points on the arms of a spiral, and the arm that each is on."""
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


def train(epochs, rate):
    points, arms = spirals()
    model = Classifier(start_weights(seed=dist.get_rank()), rate)  # others are overwritten
    share_from_first(model.values())
    curve = []
    for epoch in range(epochs):
        seen, lost, right = 0, 0.0, 0
        for batch in own_batches(len(points), epoch):
            loss, scores, gradients = model.learn(points[batch], arms[batch])
            average(gradients)
            model.step(gradients)
            seen += len(batch)
            lost += loss * len(batch)
            right += int((scores.argmax(1) == arms[batch]).sum())
        total = sum(gather_rows(tensor([seen, lost, right])))
        curve.append({"loss": float(total[1] / total[0]), "accuracy": float(total[2] / total[0])})
        if dist.get_rank() == 0 and epoch % 5 == 4:
            print("epoch {:3d}  loss {loss:.4f}  accuracy {accuracy:.3f}".format(epoch + 1, **curve[-1]), flush=True)
    return model, curve


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
            model.save(given.checkpoint)
        if given.curve:
            with open(given.curve, "w", encoding="utf-8") as file:
                json.dump(curve, file)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
