import copy

import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, size=2):
        super().__init__()
        self.weight = nn.Parameter(torch.arange(1.0, size + 1))
        self.register_buffer("seen", torch.tensor(0.0))
        self.register_buffer("cached", torch.ones(1), persistent=False)

    def forward(self, x, shift=0.0):
        return x * self.weight + shift

    def extra_repr(self):
        return f"size={self.weight.numel()}"


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Scale(2)
        self.second = nn.ModuleList([Scale(2), Scale(2)])
        self.bias = nn.Parameter(torch.tensor([0.5, -0.5]))
        self.note = "kept"

    def forward(self, x):
        for each in self.second:
            x = each(x)
        return self.first(x) + self.bias


# case: call
net = Net()
result = [net(torch.ones(3, 2)), Scale()(torch.ones(2), shift=1.0), net.forward(torch.zeros(2))]

# case: names of parameters
net = Net()
result = [[name for name, _ in net.named_parameters()], [list(each.shape) for each in net.parameters()]]

# case: own parameters only
net = Net()
result = [[name for name, _ in net.named_parameters(recurse=False)], len(list(net.parameters(recurse=False)))]

# case: names behind a prefix
result = [name for name, _ in Net().first.named_parameters(prefix="a.b")]

# case: shared parameters count once
net = Net()
net.second[0].weight = net.first.weight
kept = [name for name, _ in net.named_parameters()]
result = [kept, len(list(net.named_parameters(remove_duplicate=False))), len(net.state_dict())]

# case: buffers
net = Net()
result = [[name for name, _ in net.named_buffers()], list(net.first.buffers())]

# case: children and modules
net = Net()
result = [
    [name for name, _ in net.named_children()],
    [name for name, _ in net.named_modules()],
    [type(each).__name__ for each in net.modules()],
    [type(each).__name__ for each in net.children()],
]

# case: state
net = Net()
result = [net.state_dict(), list(net.state_dict(prefix="net."))]

# case: state shares memory
net = Scale()
net.state_dict()["weight"].fill_(9)
result = [net.weight.detach(), net.state_dict()["weight"].requires_grad]

# case: state goes back and forth
one, other = Net(), Net()
with torch.no_grad():
    for each in one.parameters():
        each.mul_(3)
kept = other.first.weight
told = other.load_state_dict(one.state_dict())
result = [other.state_dict(), other.first.weight is kept, str(told), told.missing_keys]

# case: state that does not fit
told = Scale().load_state_dict({"weight": torch.ones(2), "other": torch.ones(1)}, strict=False)
result = [told.missing_keys, told.unexpected_keys]

# case: assigned state
net, weight = Scale(), torch.ones(2)
net.load_state_dict({"weight": weight, "seen": torch.tensor(1.0)}, assign=True)
result = [net.weight, isinstance(net.weight, nn.Parameter), net.weight.data_ptr() == weight.data_ptr()]

# case: training and evaluating
net = Net()
before = net.training
net.eval()
inner = [each.training for each in net.modules()]
result = [before, inner, net.train().training, net.second[1].training, net.train(False).training, net.eval() is net]

# case: apply
net, seen = Net(), []
found = net.apply(lambda each: seen.append(type(each).__name__))
result = [seen, found is net]

# case: other dtype
net = Net().double()
result = [net.first.weight.dtype, net.first.seen.dtype, net.half().bias.dtype, net.to(torch.float32).bias.dtype]

# case: to a device and dtype
net = Net()
weight = net.first.weight
found = net.to("cpu", torch.float64)
result = [found is net, net.first.weight is weight, weight.dtype, net.to(torch.ones(1)).bias.dtype]

# case: new memory
net = Net()
found = net.to_empty(device="cpu")
result = [found is net, [list(each.shape) for each in net.parameters()], net.first.weight.requires_grad]

# case: attributes
net = Net()
net.plain = 3
net.later = nn.Parameter(torch.ones(1))
net.inner = Scale(1)
result = [net.plain, net.note, [name for name, _ in net.named_parameters()][-2:], hasattr(net, "nothing")]

# case: deleted attributes
net = Net()
del net.first, net.bias
result = [[name for name, _ in net.named_parameters()], hasattr(net, "first")]

# case: no parameter
net = Scale()
net.register_parameter("bias", None)
net.weight = None
result = [net.bias, net.weight, len(list(net.parameters())), list(net.state_dict())]

# case: a parameter made one
net = Scale()
net.register_parameter("extra", nn.Parameter(torch.zeros(2)))
net.add_module("inner", Scale(1))
net.register_module("other", Scale(1))
result = [name for name, _ in net.named_parameters()]

# case: a buffer set anew
net = Scale()
net.seen = torch.ones(2)
result = [net.state_dict()["seen"], [name for name, _ in net.named_buffers()]]

# case: found by name
net = Net()
result = [
    net.get_submodule("second.1") is net.second[1],
    net.get_parameter("first.weight") is net.first.weight,
    net.get_buffer("second.0.seen"),
    net.get_submodule("") is net,
]

# case: put in by name
net = Net()
net.set_submodule("second.0", Scale(2))
result = [len(list(net.parameters())), list(net.state_dict())]

# case: gradients
net = Net()
net(torch.ones(2)).sum().backward()
grads = [each.grad for each in net.parameters()]
net.zero_grad()
result = [grads, [each.grad for each in net.parameters()]]

# case: gradients set to noughts
net = Scale()
net(torch.ones(2)).sum().backward()
net.zero_grad(set_to_none=False)
result = net.weight.grad

# case: frozen
net = Net().requires_grad_(False)
result = [[each.requires_grad for each in net.parameters()], net(torch.ones(2)).requires_grad]

# case: shown
result = [repr(Net()), str(Scale(3)), repr(nn.Module())]

# case: copied
net = Net()
other = copy.deepcopy(net)
other.bias.data.fill_(0)
result = [net.bias, other.bias, other.first.weight is net.first.weight, list(other.state_dict())]

# case: order of hooks
seen = []
net = Scale()
net.register_forward_pre_hook(lambda module, args: seen.append("pre"))
net.register_forward_hook(lambda module, args, output: seen.append("post"))
net.register_forward_hook(lambda module, args, output: seen.append("first"), prepend=True)
net(torch.ones(2))
result = seen

# case: hooks that change values
net = Scale()
net.register_forward_pre_hook(lambda module, args: (args[0] + 1,))
net.register_forward_hook(lambda module, args, output: output * 10)
result = net(torch.ones(2))

# case: hooks with keywords
net, seen = Scale(), []
net.register_forward_pre_hook(lambda module, args, kwargs: (args, {"shift": kwargs["shift"] + 1}), with_kwargs=True)
net.register_forward_hook(lambda module, args, kwargs, output: seen.append(kwargs), with_kwargs=True)
result = [net(torch.ones(2), shift=1.0), seen]

# case: a hook removed
net, seen = Scale(), []
handle = net.register_forward_hook(lambda module, args, output: seen.append(1))
net(torch.ones(2))
handle.remove()
net(torch.ones(2))
result = seen

# case: a hook as a block
net, seen = Scale(), []
with net.register_forward_hook(lambda module, args, output: seen.append(1)):
    net(torch.ones(2))
net(torch.ones(2))
result = seen

# case: hook on gradients
net, seen = Scale(), []
net.register_full_backward_hook(lambda module, inputs, outputs: seen.append([inputs, outputs]))
net(torch.ones(2).requires_grad_()).sum().backward()
result = seen

# case: hook on state
net = Scale()
net.register_state_dict_post_hook(lambda module, state, prefix, local: state.update(extra=torch.ones(1)))
result = list(net.state_dict())

# case: hook before loading
net = Scale()
net.register_load_state_dict_pre_hook(
    lambda module, state, prefix, *rest: state.__setitem__(prefix + "weight", state.pop(prefix + "old"))
)
net.load_state_dict({"old": torch.ones(2), "seen": torch.tensor(1.0)})
result = net.weight


# case: extra state
class Counting(nn.Module):
    count = 3

    def get_extra_state(self):
        return {"count": self.count}

    def set_extra_state(self, state):
        self.count = state["count"]


one, other = Counting(), Counting()
one.count = 8
other.load_state_dict(one.state_dict())
result = [one.state_dict(), other.count]

# case: names of attributes
result = [each in dir(Net()) for each in ("first", "bias", "note", "forward", "nothing")]

# case: a module without dimensions of its own
result = [list(nn.Module().parameters()), nn.Module().state_dict(), nn.Module().training]

# case: sharing a module
net = Net()
net.again = net.first
result = [len(list(net.modules())), [name for name, _ in net.named_modules(remove_duplicate=False)]]

# error: no forward
nn.Module()(1)


# error: a parameter before the beginning
class Early(nn.Module):
    def __init__(self):
        self.weight = nn.Parameter(torch.ones(1))


Early()

# error: a tensor in the place of a parameter
net = Scale()
net.weight = torch.ones(2)

# error: no such attribute
Scale().nothing

# error: state lacks something
Scale().load_state_dict({"seen": torch.tensor(1.0)})

# error: state of another shape
Scale().load_state_dict({"weight": torch.ones(3), "seen": torch.tensor(1.0)})

# error: unknown names
Scale().load_state_dict({"weight": torch.ones(2), "seen": torch.tensor(1.0), "other": torch.ones(1)})

# error: state is no dict
Scale().load_state_dict([1])

# error: a name with a dot
Scale().register_buffer("a.b", torch.ones(1))

# error: a name that is taken
Scale().register_buffer("weight", torch.ones(1))

# error: a parameter that is none
Scale().register_parameter("extra", torch.ones(1))

# error: a module that is none
Scale().add_module("extra", 3)

# error: no such module
Net().get_submodule("second.7")

# error: not trained with a word
Scale().train("yes")

# error: dtype of whole numbers
Scale().to(torch.int64)

# error: too many arguments
nn.Module(1)
