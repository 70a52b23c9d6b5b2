"""A recurrent language model over words: embedding, two LSTM layers, truncated back-propagation, a falling rate."""

import argparse
import os
import tempfile

import torch
from torch import nn
from torch.utils.data import BatchSampler, DataLoader, Dataset, SequentialSampler

TEXT = (
    "a group of ranks agrees on a name and then every rank sends its part and waits until all parts have come . "
    "one rank is slow and the others wait . one rank is gone and the others are told . "
    "the part of the first rank comes first and the part of the last rank comes last . "
    "when all parts have come every rank holds all parts and goes on . "
) * 30


class Stretches(Dataset):
    """Parallel columns of a text, cut into stretches that follow each other."""

    def __init__(self, text, columns, length):
        words = text.split()
        self.words = sorted(set(words))
        index = {word: place for place, word in enumerate(self.words)}
        data = torch.tensor([index[word] for word in words])
        rows = data.size(0) // columns
        self.data = data.narrow(0, 0, rows * columns).view(columns, -1).t().contiguous()
        self.length = length

    def __len__(self):
        return (self.data.size(0) - 1) // self.length

    def __getitem__(self, number):
        start = number * self.length
        return self.data[start : start + self.length], self.data[start + 1 : start + 1 + self.length]


class LanguageModel(nn.Module):
    def __init__(self, words, width=24, layers=2, dropout=0.2):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.Embedding(words, width)
        self.rnn = nn.LSTM(width, width, layers, dropout=dropout)
        self.norm = nn.LayerNorm(width)
        self.decoder = nn.Linear(width, words)
        self.decoder.weight = self.encoder.weight
        self.layers, self.width = layers, width
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.zeros_(self.decoder.bias)

    def forward(self, words, hidden):
        output, hidden = self.rnn(self.drop(self.encoder(words)), hidden)
        return self.decoder(self.norm(self.drop(output))), hidden

    def start(self, batch):
        weight = next(self.parameters())
        return (weight.new_zeros(self.layers, batch, self.width), weight.new_zeros(self.layers, batch, self.width))


def detached(hidden):
    return tuple(part.detach() for part in hidden)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    torch.manual_seed(options.seed)

    columns = 8
    data = Stretches(TEXT, columns, length=7)
    sampler = BatchSampler(SequentialSampler(data), batch_size=1, drop_last=False)
    loader = DataLoader(data, batch_sampler=sampler, collate_fn=lambda stretches: stretches[0])
    model = LanguageModel(len(data.words))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=0.004, alpha=0.95)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=0)
    path = os.path.join(tempfile.mkdtemp(), "lm.pt")

    steps = 0
    for epoch in range(options.epochs):
        model.train()
        hidden = model.start(columns)
        total = 0.0
        for words, targets in loader:
            optimizer.zero_grad()
            hidden = detached(hidden)
            scores, hidden = model(words, hidden)
            loss = criterion(scores.reshape(-1, len(data.words)), targets.reshape(-1))
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.5)
            optimizer.step()
            total += loss.item()
            steps += 1
        model.eval()
        with torch.no_grad():
            scores, _ = model(data.data[:-1], model.start(columns))
            held = criterion(scores.flatten(0, 1), data.data[1:].flatten()).item()
        plateau.step(held)
        print(f"epoch {epoch + 1}, {steps} steps: train {total / len(loader):.4f}, whole text {held:.4f}")
        if epoch == 1:
            with open(path, "wb") as file:
                torch.save(model.state_dict(), file)
            with open(path, "rb") as file:
                model.load_state_dict(torch.load(file, map_location="cpu"))


if __name__ == "__main__":
    main()
