import copy

import torch
from torch.optim import SGD
from torch.optim.lr_scheduler import PolynomialLR


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


# case: straight
result = rates(PolynomialLR(optimizer(0.5), total_iters=5))

# case: square
result = rates(PolynomialLR(optimizer(0.5), total_iters=8, power=2.0))

# case: groups
result = rates(PolynomialLR(optimizer(0.5, 0.1), total_iters=4, power=0.5))

# case: goes on from a state
one = PolynomialLR(optimizer(0.5), total_iters=5)
rates(one, 3)
other = PolynomialLR(optimizer(0.5), total_iters=5)
other.load_state_dict(copy.deepcopy(one.state_dict()))
result = [rates(one, 4), rates(other, 4), other.last_epoch]

# case: what it tells
scheduler = PolynomialLR(optimizer(0.5), total_iters=5)
rates(scheduler, 2)
result = [scheduler.last_epoch, scheduler.base_lrs, scheduler.optimizer.param_groups[0]["lr"]]

# error: no optimiser
PolynomialLR(3, total_iters=5)
