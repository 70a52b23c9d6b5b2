import copy

import torch
from torch.optim import SGD
from torch.optim.lr_scheduler import ChainedScheduler, ConstantLR, ExponentialLR


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


# case: two at once
own = optimizer(0.5)
result = rates(ChainedScheduler([ConstantLR(own, factor=0.1, total_iters=3), ExponentialLR(own, gamma=0.9)]))

# case: groups
own = optimizer(0.5, 2.0)
result = rates(ChainedScheduler([ExponentialLR(own, gamma=0.5), ConstantLR(own, total_iters=2)], optimizer=own))


# case: goes on from a state
def made():
    own = optimizer(0.5)
    return ChainedScheduler([ConstantLR(own, 0.1, 2), ExponentialLR(own, 0.9)])


one, other = made(), made()
rates(one, 4)
other.load_state_dict(copy.deepcopy(one.state_dict()))
result = [one.state_dict()["_last_lr"], other.state_dict()["_last_lr"]]

# error: nothing
ChainedScheduler([])

# error: other optimiser
ChainedScheduler([ExponentialLR(optimizer(0.5), 0.9), ExponentialLR(optimizer(0.5), 0.9)])
