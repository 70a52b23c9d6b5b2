import torch
import torch.optim as optim

weight = torch.nn.Parameter(torch.tensor([1.0, -2.0]))
optimizer = optim.Adam([weight], lr=0.5)
for _ in range(3):
    optimizer.zero_grad()
    loss = (weight**2).sum()
    loss.backward()
    optimizer.step()
    print([round(value, 3) for value in weight.tolist()])
