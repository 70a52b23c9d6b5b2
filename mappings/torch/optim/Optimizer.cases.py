import torch
from torch.optim import SGD, Optimizer


def parameters():
    return [torch.nn.Parameter(torch.tensor([1.0, 2.0])), torch.nn.Parameter(torch.tensor([3.0]))]


class Halving(Optimizer):
    def __init__(self, params, lr=0.5, times=1):
        super().__init__(params, {"lr": lr, "times": times})

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for each in group["params"]:
                if each.grad is None:
                    continue
                state = self.state[each]
                state["step"] = state.get("step", 0) + 1
                state["last"] = each.grad.clone()
                each.add_(each.grad, alpha=-group["lr"] * group["times"])
        return loss


# case: a subclass
weights = parameters()
optimizer = Halving(weights)
(weights[0].sum() + weights[1].sum()).backward()
optimizer.step()
result = [weights, optimizer.state_dict(), isinstance(optimizer, Optimizer)]

# case: a closure
weights = parameters()
optimizer = Halving(weights)


def closure():
    optimizer.zero_grad()
    loss = weights[0].square().sum()
    loss.backward()
    return loss


result = [optimizer.step(closure), weights]

# case: groups
weights = parameters()
optimizer = Halving([{"params": [weights[0]], "lr": 1.0}, {"params": weights[1], "times": 3}], lr=0.25)
(weights[0].sum() + weights[1].sum()).backward()
optimizer.step()
result = [weights, [[group["lr"], group["times"]] for group in optimizer.param_groups]]

# case: a group added
weights = parameters()
optimizer = SGD([weights[0]], lr=0.1)
optimizer.add_param_group({"params": [weights[1]], "lr": 0.5})
(weights[0].sum() + weights[1].sum()).backward()
optimizer.step()
result = [weights, len(optimizer.param_groups)]

# case: by name
weights = parameters()
optimizer = SGD([("first", weights[0]), ("second", weights[1])], lr=0.1)
other = SGD([("other", weights[0]), ("last", weights[1])], lr=0.2)
other.load_state_dict(optimizer.state_dict())
result = [optimizer.param_groups[0]["param_names"], optimizer.state_dict(), other.param_groups[0]["param_names"]]

# case: of a module
net = torch.nn.ParameterList([torch.ones(2), torch.zeros(1)])
optimizer = SGD(net.parameters(), lr=0.1)
sum(each.sum() for each in net).backward()
optimizer.step()
result = list(net)

# case: gradients forgotten
weights = parameters()
optimizer = SGD(weights, lr=0.1)
weights[0].sum().backward()
optimizer.zero_grad()
gone = weights[0].grad
weights[0].sum().backward()
optimizer.zero_grad(set_to_none=False)
result = [gone, weights[0].grad, weights[1].grad]

# case: rate changed
weights = parameters()
optimizer = SGD(weights, lr=0.1)
for group in optimizer.param_groups:
    group["lr"] = 1.0
weights[0].sum().backward()
optimizer.step()
result = weights[0]

# case: hooks
weights, seen = parameters(), []
optimizer = SGD(weights, lr=0.1)
optimizer.register_step_pre_hook(lambda optimizer, args, kwargs: seen.append("pre"))
handle = optimizer.register_step_post_hook(lambda optimizer, args, kwargs: seen.append("post"))
optimizer.step()
handle.remove()
optimizer.step()
result = seen

# case: hooks of a subclass
weights, seen = parameters(), []
optimizer = Halving(weights)
optimizer.register_step_pre_hook(lambda optimizer, args, kwargs: seen.append(len(args)))
optimizer.register_step_post_hook(lambda optimizer, args, kwargs: seen.append(sorted(kwargs)))
optimizer.step(closure=lambda: 1)
result = seen

# case: hooks on the state
optimizer = SGD(parameters(), lr=0.1)
optimizer.register_state_dict_post_hook(lambda optimizer, state: {**state, "extra": 1})
result = sorted(optimizer.state_dict())

# case: shown
result = repr(SGD(parameters(), lr=0.1))

# case: state of another number of groups is kept by place
one, other = parameters(), parameters()
first = SGD(one, lr=0.3, momentum=0.5)
(one[0].sum() + one[1].sum()).backward()
first.step()
second = SGD(other, lr=0.9)
second.load_state_dict(first.state_dict())
result = [second.param_groups[0]["lr"], second.state[other[0]]["momentum_buffer"], len(second.state)]

# case: frozen parameters
weights = parameters()
weights[0].requires_grad_(False)
optimizer = SGD(weights, lr=0.1)
weights[1].sum().backward()
optimizer.step()
result = weights

# error: no parameters
SGD([], lr=0.1)

# error: a parameter twice
weights = parameters()
SGD([{"params": weights}, {"params": weights[0]}], lr=0.1)

# error: no step of its own
Optimizer(parameters(), {}).step()

# error: a group that is none
SGD(parameters(), lr=0.1).add_param_group([1])

# error: parameters in a set
SGD({"params": set(parameters())}, lr=0.1)

# error: words
SGD(["a"], lr=0.1)

# error: some by name
weights = parameters()
SGD([("a", weights[0]), weights[1]], lr=0.1)

# error: a group without names
weights = parameters()
SGD([("a", weights[0])], lr=0.1).add_param_group({"params": [weights[1]]})

# error: state of other groups
SGD(parameters(), lr=0.1).load_state_dict(SGD(parameters()[:1], lr=0.1).state_dict())
