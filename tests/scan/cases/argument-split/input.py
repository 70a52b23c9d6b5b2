import torch.optim

torch.optim.Adam(parameters, betas=(0.8, 0.9))
torch.optim.Adam(parameters, betas=chosen)
torch.optim.Adam(parameters, betas=choose())
