import copy

import torch
from torch.optim import SGD
from torch.optim.lr_scheduler import StepLR


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


# case: every third
result = rates(StepLR(optimizer(0.5), step_size=3, gamma=0.5))

# case: groups
result = rates(StepLR(optimizer(0.5, 0.1), step_size=2))

# case: each
result = rates(StepLR(optimizer(0.5), step_size=1, gamma=0.9))

# case: goes on from a state
one = StepLR(optimizer(0.5), step_size=3, gamma=0.5)
rates(one, 3)
other = StepLR(optimizer(0.5), step_size=3, gamma=0.5)
other.load_state_dict(copy.deepcopy(one.state_dict()))
result = [rates(one, 4), rates(other, 4), other.last_epoch]

# case: what it tells
scheduler = StepLR(optimizer(0.5), step_size=3, gamma=0.5)
rates(scheduler, 2)
result = [scheduler.last_epoch, scheduler.base_lrs, scheduler.optimizer.param_groups[0]["lr"]]

# error: no optimiser
StepLR(3, step_size=3, gamma=0.5)
