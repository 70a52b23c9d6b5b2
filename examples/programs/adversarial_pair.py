"""A generator and a discriminator learn the points of a ring of clusters against each other."""

import argparse
import math
import os
import tempfile

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


def clusters(count, groups=6):
    angle = torch.randint(groups, (count,)).float() * (2 * math.pi / groups)
    centre = torch.stack((angle.cos(), angle.sin()), dim=1)
    return 2.0 * centre + 0.1 * torch.randn(count, 2)


class Generator(nn.Module):
    def __init__(self, noise=8, width=32):
        super().__init__()
        self.noise = noise
        self.layers = nn.Sequential(
            nn.Linear(noise, width, bias=False),
            nn.BatchNorm1d(width),
            nn.ReLU(inplace=True),
            nn.Linear(width, width),
            nn.Softplus(),
            nn.Linear(width, 2),
        )

    def forward(self, count):
        return self.layers(torch.randn(count, self.noise))


class Discriminator(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(2, width),
            nn.LeakyReLU(0.2),
            nn.Dropout(0.1),
            nn.Linear(width, width),
            nn.Tanh(),
            nn.Linear(width, 1),
        )

    def forward(self, points):
        return self.layers(points).squeeze(-1)


def initialise(module):
    if isinstance(module, nn.Linear):
        nn.init.xavier_uniform_(module.weight, gain=nn.init.calculate_gain("relu"))
        if module.bias is not None:
            nn.init.constant_(module.bias, 0.01)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    torch.manual_seed(options.seed)

    loader = DataLoader(TensorDataset(clusters(32 * 26)), batch_size=32, shuffle=True)
    generator, discriminator = Generator(), Discriminator()
    generator.apply(initialise)
    discriminator.apply(initialise)
    criterion = nn.BCEWithLogitsLoss()
    generator_steps = optim.Adam(generator.parameters(), lr=1e-3, betas=(0.5, 0.999))
    discriminator_steps = optim.Adam(discriminator.parameters(), lr=2e-3, betas=(0.5, 0.999), amsgrad=True)
    fixed = torch.randn(64, generator.noise)
    path = os.path.join(tempfile.mkdtemp(), "pair.pt")

    for epoch in range(options.epochs):
        generator.train()
        for (real,) in loader:
            count = real.size(0)
            real_labels = torch.full((count,), 0.9)
            false_labels = torch.zeros(count)
            discriminator_steps.zero_grad()
            real_loss = criterion(discriminator(real), real_labels)
            real_loss.backward()
            false = generator(count)
            false_loss = criterion(discriminator(false.detach()), false_labels)
            false_loss.backward()
            discriminator_steps.step()

            for parameter in discriminator.parameters():
                parameter.requires_grad_(False)
            generator_steps.zero_grad()
            scores = discriminator(false)
            spread = (false.pow(2).sum(dim=1).sqrt() - 2.0).abs().mean()
            loss = criterion(scores, real_labels) + spread
            loss.backward()
            generator_steps.step()
            for parameter in discriminator.parameters():
                parameter.requires_grad_(True)
        generator.eval()
        with torch.no_grad():
            radius = torch.linalg.vector_norm(generator.layers(fixed), dim=1)
        print(
            f"epoch {epoch + 1}: discriminator {(real_loss + false_loss).item():.4f}, generator {loss.item():.4f}, "
            f"radius {radius.mean().item():.4f} ± {radius.std().item():.4f}"
        )
        if epoch == 1:
            torch.save([generator.state_dict(), discriminator.state_dict()], path)
            for model, state in zip((generator, discriminator), torch.load(path)):
                model.load_state_dict(state)


if __name__ == "__main__":
    main()
