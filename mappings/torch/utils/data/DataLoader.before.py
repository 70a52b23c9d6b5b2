import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Squares(Dataset):
    def __len__(self):
        return 10

    def __getitem__(self, index):
        return np.full((2,), index, dtype=np.float32), np.int64(index * index)


def largest_first(samples):
    samples = sorted(samples, key=lambda sample: -sample[1])
    return torch.stack([torch.from_numpy(x) for x, _ in samples]), torch.tensor([int(y) for _, y in samples])


def show(title, loader):
    print(title, len(loader))
    for x, y in loader:
        print(" ", tuple(x.shape), x[:, 0].tolist(), y.tolist())


if __name__ == "__main__":
    show("batches of 4", DataLoader(Squares(), batch_size=4))
    show("without the last one", DataLoader(Squares(), batch_size=4, drop_last=True))
    show("collated", DataLoader(Squares(), batch_size=4, collate_fn=largest_first))
    show("chosen samples", DataLoader(Squares(), batch_size=4, sampler=[9, 7, 5, 3, 1]))
