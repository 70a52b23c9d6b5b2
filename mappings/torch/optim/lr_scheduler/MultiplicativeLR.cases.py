import copy

import torch
from torch.optim import SGD
from torch.optim.lr_scheduler import MultiplicativeLR


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


# case: one function
result = rates(MultiplicativeLR(optimizer(0.5), lr_lambda=lambda epoch: 0.9))

# case: groups
result = rates(MultiplicativeLR(optimizer(0.5, 0.1), lr_lambda=[lambda epoch: 0.5, lambda epoch: 1 + 1 / epoch]))

# case: goes on from a state
one = MultiplicativeLR(optimizer(0.5), lr_lambda=lambda epoch: 0.9)
rates(one, 3)
other = MultiplicativeLR(optimizer(0.5), lr_lambda=lambda epoch: 0.9)
other.load_state_dict(copy.deepcopy(one.state_dict()))
result = [rates(one, 4), rates(other, 4), other.last_epoch]

# case: what it tells
scheduler = MultiplicativeLR(optimizer(0.5), lr_lambda=lambda epoch: 0.9)
rates(scheduler, 2)
result = [scheduler.last_epoch, scheduler.base_lrs, scheduler.optimizer.param_groups[0]["lr"]]

# error: no optimiser
MultiplicativeLR(3, lr_lambda=lambda epoch: 0.9)

# error: too few functions
MultiplicativeLR(optimizer(0.5), lr_lambda=[lambda epoch: 1, lambda epoch: 2])
