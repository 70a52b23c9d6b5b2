from torch.nn.modules.linear import Linear

layer = Linear(3, 4)
