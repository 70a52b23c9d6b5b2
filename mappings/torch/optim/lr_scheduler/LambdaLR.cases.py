import copy

import torch
from torch.optim import SGD
from torch.optim.lr_scheduler import LambdaLR


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
result = rates(LambdaLR(optimizer(0.5), lr_lambda=lambda epoch: 0.9**epoch))

# case: groups
result = rates(LambdaLR(optimizer(0.5, 0.1), lr_lambda=[lambda epoch: 1 / (epoch + 1), lambda epoch: epoch]))

# case: goes on from a state
one = LambdaLR(optimizer(0.5), lr_lambda=lambda epoch: 0.9**epoch)
rates(one, 3)
other = LambdaLR(optimizer(0.5), lr_lambda=lambda epoch: 0.9**epoch)
other.load_state_dict(copy.deepcopy(one.state_dict()))
result = [rates(one, 4), rates(other, 4), other.last_epoch]

# case: what it tells
scheduler = LambdaLR(optimizer(0.5), lr_lambda=lambda epoch: 0.9**epoch)
rates(scheduler, 2)
result = [scheduler.last_epoch, scheduler.base_lrs, scheduler.optimizer.param_groups[0]["lr"]]

# error: no optimiser
LambdaLR(3, lr_lambda=lambda epoch: 0.9**epoch)

# error: too few functions
LambdaLR(optimizer(0.5), lr_lambda=[lambda epoch: 1, lambda epoch: 2])
