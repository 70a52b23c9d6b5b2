"""Contrastive learning: two noisy views of a signal meet, those of different signals part; then a linear probe."""

import argparse
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

KINDS, LENGTH = 5, 32


def signals(count):
    kind = torch.randint(0, KINDS, (count,))
    time = torch.linspace(0, 1, LENGTH)
    phase = 2 * torch.pi * torch.rand(count, 1)
    wave = torch.sin(2 * torch.pi * (kind[:, None] + 1) * time + phase)
    return wave + 0.1 * torch.randn_like(wave), kind


def view_of(wave):
    """A random part of the signal is silenced, and noise is added."""
    kept = torch.bernoulli(torch.full_like(wave, 0.9))
    shift = int(torch.randint(LENGTH, (1,)))
    return torch.roll(wave * kept, shifts=shift, dims=-1) + 0.05 * torch.randn(wave.shape)


class Encoder(nn.Module):
    def __init__(self, width=16, out=12):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(1, width, kernel_size=5, stride=2, padding=2, bias=False),
            nn.BatchNorm1d(width),
            nn.ReLU(),
            nn.Conv1d(width, width, kernel_size=3, padding=1, dilation=1),
            nn.PReLU(),
            nn.AdaptiveAvgPool1d(4),
            nn.Flatten(),
        )
        self.project = nn.Sequential(nn.Linear(4 * width, 32), nn.Hardswish(), nn.Linear(32, out))

    def forward(self, wave):
        return F.normalize(self.project(self.body(wave.unsqueeze(1))), dim=-1)


def contrast(first, second, temperature=0.1):
    """The loss of telling each signal's other view from the views of all others."""
    both = torch.cat([first, second])
    alike = both @ both.T / temperature
    alike = alike.masked_fill(torch.eye(len(both), dtype=torch.bool), -1e9)
    partner = torch.arange(len(both)).roll(len(first))
    return F.cross_entropy(alike, partner)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=8)
    options = parser.parse_args()
    torch.manual_seed(options.seed)

    waves, kinds = signals(512)
    loader = DataLoader(TensorDataset(waves), batch_size=32, shuffle=True, drop_last=True)
    encoder = Encoder()
    optimizer = torch.optim.NAdam(encoder.parameters(), lr=3e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=options.epochs)
    path = os.path.join(tempfile.mkdtemp(), "encoder.pt")
    for epoch in range(options.epochs):
        encoder.train()
        for (batch,) in loader:
            loss = contrast(encoder(view_of(batch)), encoder(view_of(batch)))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        schedule.step()
        print(f"epoch {epoch + 1}: loss {loss.item():.4f}")
        if epoch == options.epochs // 2:
            torch.save(encoder.state_dict(), path)
            fresh = Encoder()
            missing, unexpected = fresh.load_state_dict(torch.load(path), strict=True)
            encoder.load_state_dict(fresh.state_dict())
            print(f"reloaded, {len(missing)} missing, {len(unexpected)} unexpected")

    encoder.eval()
    with torch.no_grad():
        features = encoder.body(waves.unsqueeze(1))
    probe = nn.Linear(features.size(1), KINDS)
    steps = torch.optim.SGD(probe.parameters(), lr=0.1)
    for _ in range(40):
        steps.zero_grad()
        score = F.cross_entropy(probe(features[:400]), kinds[:400])
        score.backward()
        steps.step()
    right = (probe(features[400:]).argmax(1) == kinds[400:]).sum()
    print(f"probe: loss {score.item():.4f}, {right.item()} of {len(kinds) - 400} right")


if __name__ == "__main__":
    main()
