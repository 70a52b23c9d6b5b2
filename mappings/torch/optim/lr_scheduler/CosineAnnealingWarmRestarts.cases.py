import copy

import torch
from torch.optim import SGD
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts


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


# case: equal
result = rates(CosineAnnealingWarmRestarts(optimizer(0.5), T_0=4))

# case: longer each time
result = rates(CosineAnnealingWarmRestarts(optimizer(0.5), T_0=2, T_mult=2))

# case: ends above nought and groups
result = rates(CosineAnnealingWarmRestarts(optimizer(0.5, 0.1), T_0=3, eta_min=0.01))

# case: goes on from a state
one = CosineAnnealingWarmRestarts(optimizer(0.5), T_0=4)
rates(one, 3)
other = CosineAnnealingWarmRestarts(optimizer(0.5), T_0=4)
other.load_state_dict(copy.deepcopy(one.state_dict()))
result = [rates(one, 4), rates(other, 4), other.last_epoch]

# case: what it tells
scheduler = CosineAnnealingWarmRestarts(optimizer(0.5), T_0=4)
rates(scheduler, 2)
result = [scheduler.last_epoch, scheduler.base_lrs, scheduler.optimizer.param_groups[0]["lr"]]

# error: no optimiser
CosineAnnealingWarmRestarts(3, T_0=4)

# case: to an epoch
scheduler = CosineAnnealingWarmRestarts(optimizer(0.5), T_0=4)
found = []
for epoch in (0, 0.5, 1.25, 3.9, 4.0, 9.5):
    scheduler.step(epoch)
    found.append(scheduler.get_last_lr())
result = found

# error: no length
CosineAnnealingWarmRestarts(optimizer(0.5), T_0=0)

# error: shorter each time
CosineAnnealingWarmRestarts(optimizer(0.5), T_0=2, T_mult=0)
