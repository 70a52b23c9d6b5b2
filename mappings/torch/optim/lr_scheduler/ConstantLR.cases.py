import copy

import torch
from torch.optim import SGD
from torch.optim.lr_scheduler import ConstantLR


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


# case: third
result = rates(ConstantLR(optimizer(0.5), factor=0.5, total_iters=4))

# case: usual
result = rates(ConstantLR(optimizer(0.5), total_iters=5))

# case: groups
result = rates(ConstantLR(optimizer(0.5, 0.1), factor=0.25))

# case: goes on from a state
one = ConstantLR(optimizer(0.5), factor=0.5, total_iters=4)
rates(one, 3)
other = ConstantLR(optimizer(0.5), factor=0.5, total_iters=4)
other.load_state_dict(copy.deepcopy(one.state_dict()))
result = [rates(one, 4), rates(other, 4), other.last_epoch]

# case: what it tells
scheduler = ConstantLR(optimizer(0.5), factor=0.5, total_iters=4)
rates(scheduler, 2)
result = [scheduler.last_epoch, scheduler.base_lrs, scheduler.optimizer.param_groups[0]["lr"]]

# error: no optimiser
ConstantLR(3, factor=0.5, total_iters=4)

# error: factor above one
ConstantLR(optimizer(0.5), factor=1.5)

# error: factor below nought
ConstantLR(optimizer(0.5), factor=-1)
