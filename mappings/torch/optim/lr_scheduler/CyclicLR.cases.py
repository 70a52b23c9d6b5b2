import copy

import torch
from torch.optim import SGD
from torch.optim.lr_scheduler import CyclicLR


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


# case: triangle
result = rates(CyclicLR(optimizer(0.5), base_lr=0.1, max_lr=1.0, step_size_up=3, cycle_momentum=False))

# case: halving
result = rates(
    CyclicLR(
        optimizer(0.5),
        base_lr=0.1,
        max_lr=1.0,
        step_size_up=2,
        step_size_down=3,
        mode="triangular2",
        cycle_momentum=False,
    )
)

# case: falling
result = rates(
    CyclicLR(optimizer(0.5), base_lr=0.1, max_lr=1.0, step_size_up=2, mode="exp_range", gamma=0.9, cycle_momentum=False)
)

# case: own scale
result = rates(
    CyclicLR(optimizer(0.5), base_lr=0.1, max_lr=1.0, step_size_up=2, scale_fn=lambda x: 1 / x, cycle_momentum=False)
)

# case: groups
result = rates(
    CyclicLR(optimizer(0.5, 0.1), base_lr=[0.1, 0.2], max_lr=[1.0, 2.0], step_size_up=2, cycle_momentum=False)
)

# case: goes on from a state
one = CyclicLR(optimizer(0.5), base_lr=0.1, max_lr=1.0, step_size_up=3, cycle_momentum=False)
rates(one, 3)
other = CyclicLR(optimizer(0.5), base_lr=0.1, max_lr=1.0, step_size_up=3, cycle_momentum=False)
other.load_state_dict(copy.deepcopy(one.state_dict()))
result = [rates(one, 4), rates(other, 4), other.last_epoch]

# case: what it tells
scheduler = CyclicLR(optimizer(0.5), base_lr=0.1, max_lr=1.0, step_size_up=3, cycle_momentum=False)
rates(scheduler, 2)
result = [scheduler.last_epoch, scheduler.base_lrs, scheduler.optimizer.param_groups[0]["lr"]]

# error: no optimiser
CyclicLR(3, base_lr=0.1, max_lr=1.0, step_size_up=3, cycle_momentum=False)

# case: momentum swings too
weights = [torch.nn.Parameter(torch.ones(1))]
found, own = [], SGD(weights, lr=0.1, momentum=0.9)
scheduler = CyclicLR(own, base_lr=0.1, max_lr=1.0, step_size_up=3)
for _ in range(8):
    own.step()
    scheduler.step()
    found.append([own.param_groups[0]["lr"], own.param_groups[0]["momentum"]])
result = found

# error: momentum that is none
CyclicLR(torch.optim.Adagrad([torch.nn.Parameter(torch.ones(1))]), base_lr=0.1, max_lr=1.0)

# error: unknown mode
CyclicLR(optimizer(0.5), base_lr=0.1, max_lr=1.0, mode="square", cycle_momentum=False)

# error: limits of other groups
CyclicLR(optimizer(0.5), base_lr=[0.1, 0.2], max_lr=1.0, cycle_momentum=False)
