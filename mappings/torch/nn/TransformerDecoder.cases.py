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
layer = torch.nn.TransformerDecoderLayer(4, 2, 6, dropout=0.0)
model = filled(torch.nn.TransformerDecoder(layer, 2))
result = [model(sequence(3, 2, 4), sequence(5, 2, 4)), [name for name, _ in model.named_parameters()]]

# case: a norm at the end with batch first and a mask of truth values
layer = torch.nn.TransformerDecoderLayer(4, 2, 6, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
model = filled(torch.nn.TransformerDecoder(layer, 3, torch.nn.LayerNorm(4)))
hidden = torch.ones(3, 3, dtype=torch.bool).triu(1)
result = [
    model(sequence(2, 3, 4), sequence(2, 5, 4), tgt_mask=hidden),
    model(sequence(2, 3, 4), sequence(2, 5, 4), tgt_mask=hidden, tgt_is_causal=True),
]

# case: padding of the memory
layer = torch.nn.TransformerDecoderLayer(4, 2, 6, dropout=0.0, batch_first=True)
model = filled(torch.nn.TransformerDecoder(layer, 1))
padding = torch.tensor([[False, False, False], [False, False, True]])
result = model(sequence(2, 2, 4), sequence(2, 3, 4), memory_key_padding_mask=padding)

# case: gradients
layer = torch.nn.TransformerDecoderLayer(4, 2, 6, dropout=0.0, dtype=torch.float64)
model = filled(torch.nn.TransformerDecoder(layer, 2))
target, memory = sequence(3, 2, 4).double().requires_grad_(), sequence(5, 2, 4).double().requires_grad_()
(model(target, memory) * sequence(3, 2, 4).double()).sum().backward()
result = [each.grad.float() for each in (target, memory, *model.parameters())]

# case: dropout in training
torch.manual_seed(3)
layer = torch.nn.TransformerDecoderLayer(4, 2, 6, dropout=0.3)
result = torch.nn.TransformerDecoder(layer, 2)(sequence(3, 2, 4), sequence(5, 2, 4))

# error: a target of another width
torch.nn.TransformerDecoder(torch.nn.TransformerDecoderLayer(4, 2, 6), 2)(sequence(3, 2, 3), sequence(5, 2, 4))

# error: no number of layers
torch.nn.TransformerDecoder(torch.nn.TransformerDecoderLayer(4, 2, 6))
