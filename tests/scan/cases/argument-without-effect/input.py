import torch.optim

torch.optim.Adam(parameters, 1e-3, foreach=True)
torch.optim.Adam(parameters, 1e-3, maximize=True)
