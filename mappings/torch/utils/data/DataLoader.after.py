import numpy as np
from mindspore.dataset import GeneratorDataset


class Squares:
    def __len__(self):
        return 10

    def __getitem__(self, index):
        return np.full((2,), index, dtype=np.float32), np.int64(index * index)


def largest_first(xs, ys, batch_info):
    order = sorted(range(len(ys)), key=lambda at: -ys[at])
    return np.stack([xs[at] for at in order]), np.stack([ys[at] for at in order])


def rows(**how):
    return GeneratorDataset(Squares(), ["x", "y"], python_multiprocessing=False, **how)


def show(title, loader):
    print(title, loader.get_dataset_size())
    for x, y in loader.create_tuple_iterator(num_epochs=1):
        print(" ", tuple(x.shape), x[:, 0].tolist(), y.tolist())


if __name__ == "__main__":
    show("batches of 4", rows(shuffle=False).batch(4))
    show("without the last one", rows(shuffle=False).batch(4, drop_remainder=True))
    show("collated", rows(shuffle=False).batch(4, per_batch_map=largest_first))
    show("chosen samples", rows(sampler=[9, 7, 5, 3, 1]).batch(4))
