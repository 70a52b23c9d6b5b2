import torch
from torch.optim import SGD
from torch.optim.lr_scheduler import ReduceLROnPlateau


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


# case: patience
def after(values, rate=0.5, **options):
    own = optimizer(rate)
    scheduler, found = ReduceLROnPlateau(own, **options), []
    for value in values:
        own.step()
        scheduler.step(value)
        found.append([own.param_groups[0]["lr"], scheduler.num_bad_epochs, scheduler.best])
    return found


result = after([1.0, 0.9, 0.9, 0.9, 0.9, 0.8, 0.9, 0.9, 0.9], factor=0.5, patience=2)


# case: other options
def after(values, rate=0.5, **options):
    own = optimizer(rate)
    scheduler, found = ReduceLROnPlateau(own, **options), []
    for value in values:
        own.step()
        scheduler.step(value)
        found.append([own.param_groups[0]["lr"], scheduler.num_bad_epochs])
    return found


values = [1.0, 1.001, 1.0, 1.5, 1.5, 1.5, 1.4, 1.4, 1.4, 1.4]
result = [
    after(values, mode="max", patience=1),
    after(values, patience=0, cooldown=2),
    after(values, patience=0, min_lr=0.1),
    after(values, patience=0, threshold=0.01, threshold_mode="abs"),
    after(values, patience=1, threshold=0.5, eps=0.2),
]

# case: a tensor
own = optimizer(0.5)
scheduler = ReduceLROnPlateau(own, patience=0)
for value in (1.0, 2.0):
    own.step()
    scheduler.step(torch.tensor(value))
result = [own.param_groups[0]["lr"], scheduler.get_last_lr()]

# case: goes on from a state
one, other = ReduceLROnPlateau(optimizer(0.5), patience=1), ReduceLROnPlateau(optimizer(0.5), patience=1)
for value in (1.0, 1.0):
    one.optimizer.step()
    one.step(value)
other.load_state_dict(one.state_dict())
for each in (one, other):
    each.optimizer.step()
    each.step(1.0)
result = [one.get_last_lr(), other.get_last_lr(), other.best]

# error: no measure
ReduceLROnPlateau(optimizer(0.5)).step()

# error: factor of one
ReduceLROnPlateau(optimizer(0.5), factor=1.0)

# error: unknown mode
ReduceLROnPlateau(optimizer(0.5), mode="low")

# error: limits of other groups
ReduceLROnPlateau(optimizer(0.5), min_lr=[0.1, 0.2])
