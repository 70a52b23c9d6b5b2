import torch


def filled(module):
    with torch.no_grad():
        for number, parameter in enumerate(module.parameters()):
            count = parameter.numel()
            parameter.copy_(((torch.arange(count) * 7 + number) % 13 / 13 - 0.4).reshape(parameter.shape))
    return module


def sequence(*shape):
    count = 1
    for each in shape:
        count *= each
    return ((torch.arange(count) * 5) % 11 / 11 - 0.5).reshape(shape)


# case: two layers with time first
layer = torch.nn.TransformerEncoderLayer(4, 2, 6, dropout=0.0)
model = filled(torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False))
result = [model(sequence(5, 2, 4)), [name for name, _ in model.named_parameters()], len(model.layers)]

# case: a norm at the end with batch first and a mask of truth values
layer = torch.nn.TransformerEncoderLayer(4, 2, 6, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
model = filled(torch.nn.TransformerEncoder(layer, 3, torch.nn.LayerNorm(4), enable_nested_tensor=False))
hidden = torch.ones(5, 5, dtype=torch.bool).triu(1)
result = [model(sequence(2, 5, 4), mask=hidden), model(sequence(2, 5, 4), mask=hidden, is_causal=True)]

# case: padding
layer = torch.nn.TransformerEncoderLayer(4, 2, 6, dropout=0.0, batch_first=True)
model = filled(torch.nn.TransformerEncoder(layer, 1, enable_nested_tensor=False))
padding = torch.tensor([[False, False, False], [False, False, True]])
result = model(sequence(2, 3, 4), src_key_padding_mask=padding)[padding.logical_not()]

# case: gradients
layer = torch.nn.TransformerEncoderLayer(4, 2, 6, dropout=0.0, dtype=torch.float64)
model = filled(torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False))
source = sequence(3, 2, 4).double().requires_grad_()
(model(source) * sequence(3, 2, 4).double()).sum().backward()
result = [each.grad.float() for each in (source, *model.parameters())]

# case: dropout in training
torch.manual_seed(3)
layer = torch.nn.TransformerEncoderLayer(4, 2, 6, dropout=0.3)
result = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)(sequence(5, 2, 4))

# error: a source of another width
layer = torch.nn.TransformerEncoderLayer(4, 2, 6)
torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)(sequence(5, 2, 3))

# error: no number of layers
torch.nn.TransformerEncoder(torch.nn.TransformerEncoderLayer(4, 2, 6))
