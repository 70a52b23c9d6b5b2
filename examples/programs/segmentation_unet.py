"""A U-shaped network marks the discs of a noisy picture: skip connections, interpolation, a dice loss."""

import argparse
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Discs(Dataset):
    """A noisy picture of one or two discs, and the mask of the discs."""

    def __init__(self, count, size=16, seed=0):
        chance = torch.Generator().manual_seed(seed)
        line = torch.arange(size).float()
        self.items = []
        for _ in range(count):
            mask = torch.zeros(size, size, dtype=torch.bool)
            for _ in range(int(torch.randint(1, 3, (), generator=chance))):
                row, column = torch.empty(2).uniform_(3, size - 3, generator=chance)
                radius = 1.5 + 2.0 * torch.rand(1, generator=chance)
                mask |= (line[:, None] - row) ** 2 + (line[None, :] - column) ** 2 < radius**2
            noise = torch.randn(size, size, generator=chance)
            self.items.append(((mask.float() + 0.4 * noise)[None], mask[None].float()))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


def double_convolution(channels_in, channels_out):
    return nn.Sequential(
        nn.Conv2d(channels_in, channels_out, 3, padding="same", bias=False),
        nn.InstanceNorm2d(channels_out, affine=True),
        nn.SiLU(),
        nn.Conv2d(channels_out, channels_out, 3, padding=1, groups=2, bias=False),
        nn.BatchNorm2d(channels_out),
        nn.SiLU(),
    )


class UNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.down1 = double_convolution(1, width)
        self.down2 = double_convolution(width, 2 * width)
        self.bottom = double_convolution(2 * width, 2 * width)
        self.pool = nn.AvgPool2d(2)
        self.up2 = double_convolution(4 * width, width)
        self.up1 = double_convolution(2 * width, width)
        self.out = nn.Conv2d(width, 1, kernel_size=1)

    def forward(self, x):
        first = self.down1(x)
        second = self.down2(self.pool(first))
        x = self.bottom(F.max_pool2d(second, kernel_size=2))
        x = F.interpolate(x, scale_factor=2, mode="nearest")
        x = self.up2(torch.cat([x, second], dim=1))
        x = F.interpolate(x, size=first.shape[-2:], mode="bilinear", align_corners=False)
        return self.out(self.up1(torch.cat([x, first], dim=1)))


def dice(scores, masks):
    chances = torch.sigmoid(scores).flatten(1)
    masks = masks.flatten(1)
    shared = 2 * (chances * masks).sum(1) + 1
    return 1 - (shared / (chances.sum(1) + masks.sum(1) + 1)).mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    torch.manual_seed(options.seed)

    train = DataLoader(Discs(160, seed=1), batch_size=8, shuffle=True)
    test = DataLoader(Discs(32, seed=2), batch_size=16)
    model = UNet()
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=1e-2, steps_per_epoch=len(train), epochs=options.epochs
    )
    path = os.path.join(tempfile.mkdtemp(), "unet.pt")
    for epoch in range(options.epochs):
        model.train()
        for pictures, masks in train:
            optimizer.zero_grad()
            scores = model(pictures)
            loss = F.binary_cross_entropy_with_logits(scores, masks) + dice(scores, masks)
            loss.backward()
            optimizer.step()
            schedule.step()
        model.eval()
        shared = whole = 0
        with torch.no_grad():
            for pictures, masks in test:
                found = model(pictures) > 0
                shared += torch.logical_and(found, masks.bool()).sum().item()
                whole += torch.logical_or(found, masks.bool()).sum().item()
        print(f"epoch {epoch + 1}: loss {loss.item():.4f}, overlap {shared / max(whole, 1):.3f}")
        if epoch == options.epochs // 2:
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)
            saved = torch.load(path)
            model.load_state_dict(saved["model"])
            optimizer.load_state_dict(saved["optimizer"])


if __name__ == "__main__":
    main()
