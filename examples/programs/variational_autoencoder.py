"""A variational autoencoder learns pictures of rings: reparametrised sampling, two losses, transposed convolution."""

import argparse
import io

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Rings(Dataset):
    """Pictures of a ring with a random centre and radius, made when they are asked for."""

    def __init__(self, count, size=12):
        self.centres = 4 + 4 * torch.rand(count, 2)
        self.radii = 1.5 + 2 * torch.rand(count)
        line = torch.arange(size, dtype=torch.float32)
        self.rows, self.columns = torch.meshgrid(line, line, indexing="ij")

    def __len__(self):
        return len(self.radii)

    def __getitem__(self, index):
        away = torch.sqrt((self.rows - self.centres[index, 0]) ** 2 + (self.columns - self.centres[index, 1]) ** 2)
        return torch.exp(-((away - self.radii[index]) ** 2)).unsqueeze(0)


class Autoencoder(nn.Module):
    def __init__(self, latent=4):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2, padding=1),
            nn.LeakyReLU(0.1),
            nn.Conv2d(8, 16, 3, stride=2, padding=1),
            nn.LeakyReLU(0.1),
            nn.Flatten(start_dim=1),
        )
        self.mean = nn.Linear(16 * 3 * 3, latent)
        self.log_variance = nn.Linear(16 * 3 * 3, latent)
        self.widen = nn.Linear(latent, 16 * 3 * 3)
        self.decoder = nn.Sequential(
            nn.ConvTranspose2d(16, 8, 4, stride=2, padding=1),
            nn.ELU(),
            nn.ConvTranspose2d(8, 1, 4, stride=2, padding=1),
        )

    def forward(self, pictures):
        hidden = self.encoder(pictures)
        mean, log_variance = self.mean(hidden), self.log_variance(hidden)
        deviation = torch.exp(0.5 * log_variance)
        latent = mean + deviation * torch.randn_like(deviation)
        decoded = self.decoder(F.relu(self.widen(latent)).view(-1, 16, 3, 3))
        return torch.sigmoid(decoded), mean, log_variance


def losses(decoded, pictures, mean, log_variance):
    rebuilt = F.binary_cross_entropy(decoded, pictures, reduction="sum")
    spread = -0.5 * torch.sum(1 + log_variance - mean.pow(2) - log_variance.exp())
    return (rebuilt + 0.1 * spread) / pictures.shape[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=4)
    options = parser.parse_args()
    torch.manual_seed(options.seed)

    train, test = Rings(256), Rings(64)
    loader = DataLoader(train, batch_size=16, shuffle=True)
    model = Autoencoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    for epoch in range(options.epochs):
        model.train()
        total = 0.0
        for pictures in loader:
            optimizer.zero_grad()
            loss = losses(*_with_input(model, pictures))
            loss.backward()
            optimizer.step()
            total += loss.item() * len(pictures)
        schedule.step()
        model.eval()
        with torch.inference_mode():
            held = sum(losses(*_with_input(model, pictures)).item() for pictures in DataLoader(test, batch_size=32)) / 2
        print(f"epoch {epoch + 1}: train {total / len(train):.4f}, test {held:.4f}")
        if epoch == options.epochs // 2:
            buffer = io.BytesIO()
            torch.save({"epoch": epoch, "state": model.state_dict(), "rng": torch.get_rng_state()}, buffer)
            buffer.seek(0)
            kept = torch.load(buffer)
            model.load_state_dict(kept["state"])
            torch.set_rng_state(kept["rng"])


def _with_input(model, pictures):
    decoded, mean, log_variance = model(pictures)
    return decoded, pictures, mean, log_variance


if __name__ == "__main__":
    main()
