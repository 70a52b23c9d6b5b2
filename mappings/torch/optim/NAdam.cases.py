import copy

import torch

INPUTS = torch.tensor([[1.0, -2.0], [0.5, 3.0], [-1.0, 0.25]])
WANTED = torch.tensor([1.0, -1.0, 2.0])


def parameters():
    return [torch.nn.Parameter(torch.tensor([0.3, -0.7])), torch.nn.Parameter(torch.tensor(0.1))]


def loss_of(weights):
    return ((INPUTS * weights[0]).sum(1) + weights[1] - WANTED).square().mean()


def trained(steps=4, **options):
    weights = parameters()
    optimizer = torch.optim.NAdam(weights, **options)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = loss_of(weights)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return weights, optimizer, losses


# case: plain
result = trained(lr=0.1)[::2]

# case: other betas
result = trained(lr=0.01, betas=(0.5, 0.9))[::2]

# case: weight decay
result = trained(lr=0.1, weight_decay=0.1)[::2]

# case: decoupled
result = trained(lr=0.1, weight_decay=0.1, decoupled_weight_decay=True)[::2]

# case: momentum decay
result = trained(lr=0.1, momentum_decay=0.1)[::2]

# case: state
weights, optimizer, _ = trained(lr=0.1)
result = optimizer.state_dict()

# case: goes on from a state
weights, optimizer, _ = trained(lr=0.1)
others = [torch.nn.Parameter(each.detach().clone()) for each in weights]
other = torch.optim.NAdam(others, lr=0.1)
other.load_state_dict(copy.deepcopy(optimizer.state_dict()))
for each, their in ((weights, optimizer), (others, other)):
    their.zero_grad()
    loss_of(each).backward()
    their.step()
result = [weights, others]

# case: groups
weights = parameters()
optimizer = torch.optim.NAdam([{"params": weights[0], "lr": 0.2}, {"params": [weights[1]]}], lr=0.05)
loss_of(weights).backward()
optimizer.step()
result = [weights, [group["lr"] for group in optimizer.param_groups], len(optimizer.param_groups)]

# case: without a gradient
weights = parameters()
optimizer = torch.optim.NAdam(weights, lr=0.1)
weights[0].square().sum().backward()
optimizer.step()
result = [weights, len(optimizer.state)]

# case: defaults
optimizer = torch.optim.NAdam(parameters(), lr=0.1)
result = [
    {key: value for key, value in sorted(optimizer.defaults.items())},
    sorted(optimizer.param_groups[0]),
]

# case: the other way
result = trained(lr=0.1, maximize=True)[::2]

# case: double
weights = [torch.nn.Parameter(each.detach().double()) for each in parameters()]
optimizer = torch.optim.NAdam(weights, lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    (weights[0].square().sum() * weights[1]).backward()
    optimizer.step()
result = weights

# error: no parameters
torch.optim.NAdam([], lr=0.1)

# error: a tensor alone
torch.optim.NAdam(torch.ones(2), lr=0.1)

# error: learning rate below nought
torch.optim.NAdam(parameters(), lr=-0.1)

# error: results are no parameters
torch.optim.NAdam([torch.ones(2).requires_grad_() * 2], lr=0.1)

# error: beta above one
torch.optim.NAdam(parameters(), betas=(1.0, 0.9))

# error: eps below nought
torch.optim.NAdam(parameters(), eps=-1)

# error: momentum decay below nought
torch.optim.NAdam(parameters(), momentum_decay=-1)
