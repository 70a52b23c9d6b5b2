import copy

import torch
from torch.optim import SGD
from torch.optim.lr_scheduler import ConstantLR, ExponentialLR, LinearLR, SequentialLR


def optimizer(*rates):
    weights = [torch.nn.Parameter(torch.ones(1)) for _ in rates]
    return SGD([{"params": [weight], "lr": rate} for weight, rate in zip(weights, rates)])


def rates(scheduler, steps=12):
    found = [scheduler.get_last_lr()]
    for _ in range(steps):
        scheduler.optimizer.step()
        scheduler.step()
        found.append(scheduler.get_last_lr())
    return found


# case: warm up and fall
own = optimizer(0.5)
parts = [LinearLR(own, start_factor=0.1, total_iters=4), ExponentialLR(own, gamma=0.9)]
result = rates(SequentialLR(own, parts, milestones=[4]))

# case: three with groups
own = optimizer(0.5, 1.0)
parts = [ConstantLR(own, factor=0.1, total_iters=2), ExponentialLR(own, gamma=0.5), LinearLR(own, 0.5)]
result = rates(SequentialLR(own, parts, milestones=[2, 6]))


# case: goes on from a state
def made():
    own = optimizer(0.5)
    return SequentialLR(own, [ConstantLR(own, 0.1, 2), ExponentialLR(own, 0.9)], milestones=[2])


one, other = made(), made()
rates(one, 4)
other.load_state_dict(copy.deepcopy(one.state_dict()))
result = [rates(one, 3), rates(other, 3)]

# error: other number of milestones
own = optimizer(0.5)
SequentialLR(own, [ExponentialLR(own, 0.9)], milestones=[1])

# error: other optimiser
SequentialLR(optimizer(0.5), [ExponentialLR(optimizer(0.5), 0.9)], milestones=[])

# error: nothing
SequentialLR(optimizer(0.5), [], milestones=[])
