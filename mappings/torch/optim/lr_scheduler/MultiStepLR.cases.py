import copy

import torch
from torch.optim import SGD
from torch.optim.lr_scheduler import MultiStepLR


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


# case: milestones
result = rates(MultiStepLR(optimizer(0.5), milestones=[2, 5, 9], gamma=0.5))

# case: groups
result = rates(MultiStepLR(optimizer(0.5, 0.1), milestones=[1, 3]))

# case: twice at once
result = rates(MultiStepLR(optimizer(0.5), milestones=[4, 4]))

# case: unordered
result = rates(MultiStepLR(optimizer(0.5), milestones=[6, 2]))

# case: goes on from a state
one = MultiStepLR(optimizer(0.5), milestones=[2, 5, 9], gamma=0.5)
rates(one, 3)
other = MultiStepLR(optimizer(0.5), milestones=[2, 5, 9], gamma=0.5)
other.load_state_dict(copy.deepcopy(one.state_dict()))
result = [rates(one, 4), rates(other, 4), other.last_epoch]

# case: what it tells
scheduler = MultiStepLR(optimizer(0.5), milestones=[2, 5, 9], gamma=0.5)
rates(scheduler, 2)
result = [scheduler.last_epoch, scheduler.base_lrs, scheduler.optimizer.param_groups[0]["lr"]]

# error: no optimiser
MultiStepLR(3, milestones=[2, 5, 9], gamma=0.5)
