import copy

import torch
from torch.optim import SGD
from torch.optim.lr_scheduler import LinearLR


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


# case: warm up
result = rates(LinearLR(optimizer(0.5), start_factor=0.5, total_iters=4))

# case: usual
result = rates(
    LinearLR(
        optimizer(0.5),
    )
)

# case: down and groups
result = rates(LinearLR(optimizer(0.5, 0.1), start_factor=1.0, end_factor=0.1, total_iters=8))

# case: goes on from a state
one = LinearLR(optimizer(0.5), start_factor=0.5, total_iters=4)
rates(one, 3)
other = LinearLR(optimizer(0.5), start_factor=0.5, total_iters=4)
other.load_state_dict(copy.deepcopy(one.state_dict()))
result = [rates(one, 4), rates(other, 4), other.last_epoch]

# case: what it tells
scheduler = LinearLR(optimizer(0.5), start_factor=0.5, total_iters=4)
rates(scheduler, 2)
result = [scheduler.last_epoch, scheduler.base_lrs, scheduler.optimizer.param_groups[0]["lr"]]

# error: no optimiser
LinearLR(3, start_factor=0.5, total_iters=4)

# error: begins with nought
LinearLR(optimizer(0.5), start_factor=0)

# error: ends above one
LinearLR(optimizer(0.5), end_factor=2)
