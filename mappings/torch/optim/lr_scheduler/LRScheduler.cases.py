import torch
from torch.optim import SGD
from torch.optim.lr_scheduler import LRScheduler


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


class Halving(LRScheduler):
    def get_lr(self):
        if self.last_epoch == 0:
            return [group["lr"] for group in self.optimizer.param_groups]
        return [group["lr"] / 2 for group in self.optimizer.param_groups]


# case: a subclass
scheduler = Halving(optimizer(0.5, 0.25))
result = [rates(scheduler, 3), scheduler.last_epoch, isinstance(scheduler, LRScheduler)]

# case: first rates
scheduler = Halving(optimizer(0.5))
result = [scheduler.base_lrs, scheduler.optimizer.param_groups[0]["initial_lr"], scheduler.get_last_lr()]

# case: state
scheduler = Halving(optimizer(0.5))
rates(scheduler, 2)
result = [
    scheduler.state_dict()["last_epoch"],
    scheduler.state_dict()["base_lrs"],
    "optimizer" in scheduler.state_dict(),
]

# case: goes on from an epoch
own = optimizer(0.5)
own.param_groups[0]["initial_lr"] = 0.5
result = rates(Halving(own, last_epoch=4), 2)

# error: no first rate
Halving(optimizer(0.5), last_epoch=4)

# error: no rates of its own
LRScheduler(optimizer(0.5))

# error: no optimiser
Halving(3)
