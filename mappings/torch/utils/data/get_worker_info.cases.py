from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Shared(IterableDataset):
    def __iter__(self):
        worker = get_worker_info()
        if worker is None:
            return iter([-1])
        return iter(range(worker.id, 6, worker.num_workers))


class Told(IterableDataset):
    def __iter__(self):
        worker = get_worker_info()
        yield [worker.id, worker.num_workers, worker.seed, isinstance(worker.dataset, Told)]


# case: in the main process
result = [get_worker_info(), list(DataLoader(Shared(), batch_size=None))]
