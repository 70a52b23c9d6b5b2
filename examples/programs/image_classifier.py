"""A convolutional network with batch normalisation learns to tell drawn shapes apart; the rate falls by steps."""

import argparse
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split

SIZE, CLASSES = 16, 4


def drawings(count):
    """Noisy pictures of bars, squares and crosses, and which of them each shows."""
    labels = torch.randint(0, CLASSES, (count,))
    pictures = 0.3 * torch.randn(count, 1, SIZE, SIZE)
    for index, label in enumerate(labels.tolist()):
        row, column = torch.randint(3, SIZE - 4, (2,)).tolist()
        if label == 0:
            pictures[index, 0, row, :] += 1.0
        elif label == 1:
            pictures[index, 0, :, column] += 1.0
        elif label == 2:
            pictures[index, 0, row - 2 : row + 3, column - 2 : column + 3] += 1.0
        else:
            pictures[index, 0, row, :] += 0.7
            pictures[index, 0, :, column] += 0.7
    return pictures, labels


class Block(nn.Module):
    def __init__(self, channels_in, channels_out, pool):
        super().__init__()
        self.pool = pool
        self.conv = nn.Conv2d(channels_in, channels_out, kernel_size=3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels_out)

    def forward(self, x):
        return self.pool(F.silu(self.norm(self.conv(x))))


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(Block(1, 8, nn.AvgPool2d(2)), Block(8, 16, nn.MaxPool2d(2)))
        self.dropout = nn.Dropout(0.2)
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(16 * (SIZE // 4) ** 2, 32), nn.ReLU(), nn.Linear(32, CLASSES))

    def forward(self, x):
        return self.head(self.dropout(self.features(x)))


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    lost, right, seen = 0.0, 0, 0
    for pictures, labels in loader:
        scores = model(pictures)
        lost += F.cross_entropy(scores, labels, reduction="sum").item()
        right += (scores.argmax(dim=1) == labels).sum().item()
        seen += labels.size(0)
    return lost / seen, right / seen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.manual_seed(options.seed)

    train_set, test_set = random_split(TensorDataset(*drawings(512)), [384, 128])
    train_loader = DataLoader(train_set, batch_size=16, shuffle=True, drop_last=True)
    test_loader = DataLoader(test_set, batch_size=64)

    model = Classifier()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.005, momentum=0.9, weight_decay=1e-4, nesterov=True)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    checkpoint = os.path.join(tempfile.mkdtemp(), "classifier.pt")

    for epoch in range(options.epochs):
        model.train()
        for pictures, labels in train_loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(pictures), labels)
            loss.backward()
            optimizer.step()
        scheduler.step()
        test_loss, accuracy = evaluate(model, test_loader)
        rate = scheduler.get_last_lr()[0]
        print(f"epoch {epoch + 1}: train {loss.item():.4f}, test {test_loss:.4f}, right {accuracy:.1%}, rate {rate:g}")
        if epoch + 1 == options.epochs // 2:
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, checkpoint)
            saved = torch.load(checkpoint)
            model = Classifier()
            model.load_state_dict(saved["model"])
            rates = scheduler.state_dict()
            optimizer = torch.optim.SGD(model.parameters(), lr=0.005, momentum=0.9, weight_decay=1e-4, nesterov=True)
            optimizer.load_state_dict(saved["optimizer"])
            scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
            scheduler.load_state_dict(rates)


if __name__ == "__main__":
    main()
