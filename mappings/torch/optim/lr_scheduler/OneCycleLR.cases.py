import copy

import torch
from torch.optim import SGD
from torch.optim.lr_scheduler import OneCycleLR


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


# case: cosine
result = rates(OneCycleLR(optimizer(0.5), max_lr=1.0, total_steps=14, cycle_momentum=False))

# case: straight
result = rates(OneCycleLR(optimizer(0.5), max_lr=1.0, total_steps=14, anneal_strategy="linear", cycle_momentum=False))

# case: by epochs
result = rates(OneCycleLR(optimizer(0.5), max_lr=1.0, epochs=7, steps_per_epoch=2, cycle_momentum=False))

# case: three phases
result = rates(OneCycleLR(optimizer(0.5), max_lr=1.0, total_steps=14, three_phase=True, cycle_momentum=False))

# case: limits and groups
result = rates(
    OneCycleLR(
        optimizer(0.5, 0.1),
        max_lr=[1.0, 0.5],
        total_steps=14,
        pct_start=0.5,
        div_factor=10.0,
        final_div_factor=100.0,
        cycle_momentum=False,
    )
)

# case: goes on from a state
one = OneCycleLR(optimizer(0.5), max_lr=1.0, total_steps=14, cycle_momentum=False)
rates(one, 3)
other = OneCycleLR(optimizer(0.5), max_lr=1.0, total_steps=14, cycle_momentum=False)
other.load_state_dict(copy.deepcopy(one.state_dict()))
result = [rates(one, 4), rates(other, 4), other.last_epoch]

# case: what it tells
scheduler = OneCycleLR(optimizer(0.5), max_lr=1.0, total_steps=14, cycle_momentum=False)
rates(scheduler, 2)
result = [scheduler.last_epoch, scheduler.base_lrs, scheduler.optimizer.param_groups[0]["lr"]]

# error: no optimiser
OneCycleLR(3, max_lr=1.0, total_steps=14, cycle_momentum=False)

# case: momentum too
own = SGD([torch.nn.Parameter(torch.ones(1))], lr=0.1, momentum=0.9)
scheduler, found = OneCycleLR(own, max_lr=1.0, total_steps=8), []
for _ in range(7):
    own.step()
    scheduler.step()
    found.append([own.param_groups[0]["lr"], own.param_groups[0]["momentum"]])
result = found

# error: past the end
rates(OneCycleLR(optimizer(0.5), max_lr=1.0, total_steps=4, cycle_momentum=False), 6)

# error: no length
OneCycleLR(optimizer(0.5), max_lr=1.0)

# error: unknown way
OneCycleLR(optimizer(0.5), max_lr=1.0, total_steps=4, anneal_strategy="square")

# error: share above one
OneCycleLR(optimizer(0.5), max_lr=1.0, total_steps=4, pct_start=2.0)

# error: less than no steps
OneCycleLR(optimizer(0.5), max_lr=1.0, total_steps=-1)
