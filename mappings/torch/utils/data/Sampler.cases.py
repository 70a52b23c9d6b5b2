from torch.utils.data import BatchSampler, Sampler, SequentialSampler


class Backwards(Sampler):
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        return iter(range(self.count - 1, -1, -1))


# case: a subclass
result = list(Backwards(3))

# case: in batches
result = list(BatchSampler(Backwards(5), 2, False))

# case: is an instance
result = [isinstance(Backwards(1), Sampler), isinstance(SequentialSampler([1]), Sampler), isinstance([0], Sampler)]


# case: subscript in an annotation
class Pairs(Sampler[tuple]):
    def __iter__(self):
        yield 0, 1


result = list(Pairs())

# error: no order without a method for it
list(Sampler())

# error: no length
len(Backwards(2))
