import copy

import torch
from torch.optim import SGD
from torch.optim.lr_scheduler import CosineAnnealingLR


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


# case: half a wave
result = rates(CosineAnnealingLR(optimizer(0.5), T_max=6))

# case: ends above nought
result = rates(CosineAnnealingLR(optimizer(0.5), T_max=5, eta_min=0.01))

# case: groups
result = rates(CosineAnnealingLR(optimizer(0.5, 0.1), T_max=10, eta_min=0.001))

# case: goes on from a state
one = CosineAnnealingLR(optimizer(0.5), T_max=6)
rates(one, 3)
other = CosineAnnealingLR(optimizer(0.5), T_max=6)
other.load_state_dict(copy.deepcopy(one.state_dict()))
result = [rates(one, 4), rates(other, 4), other.last_epoch]

# case: what it tells
scheduler = CosineAnnealingLR(optimizer(0.5), T_max=6)
rates(scheduler, 2)
result = [scheduler.last_epoch, scheduler.base_lrs, scheduler.optimizer.param_groups[0]["lr"]]

# error: no optimiser
CosineAnnealingLR(3, T_max=6)
