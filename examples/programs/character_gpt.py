"""A small transformer learns to continue a text letter by letter: AdamW, decay groups, warm-up, clipping, dropout."""

import argparse
import math
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

TEXT = (
    "the registry holds what differs. a person asks, and the answer names the call, the argument, the proof. "
    "one entry is written once; the page, the code and the test follow from it. what was run is told as run, "
    "what was not run is told as not run. a number is measured or it is left out. "
) * 6


class Windows(Dataset):
    """Overlapping windows of a text; the target is the same window one letter on."""

    def __init__(self, text, length):
        self.letters = sorted(set(text))
        place = {letter: index for index, letter in enumerate(self.letters)}
        self.data = torch.tensor([place[letter] for letter in text], dtype=torch.long)
        self.length = length

    def __len__(self):
        return len(self.data) - self.length

    def __getitem__(self, index):
        window = self.data[index : index + self.length + 1]
        return window[:-1], window[1:]


class Attention(nn.Module):
    def __init__(self, width, heads, length, dropout):
        super().__init__()
        self.heads = heads
        self.project = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width)
        self.attention_dropout = nn.Dropout(dropout)
        self.out_dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(length, length)).view(1, 1, length, length))

    def forward(self, x):
        batch, length, width = x.size()
        query, key, value = self.project(x).split(width, dim=2)
        query = query.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        key = key.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        value = value.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        scores = (query @ key.transpose(-2, -1)) * (1.0 / math.sqrt(key.size(-1)))
        scores = scores.masked_fill(self.mask[:, :, :length, :length] == 0, float("-inf"))
        weights = self.attention_dropout(F.softmax(scores, dim=-1))
        mixed = (weights @ value).transpose(1, 2).contiguous().view(batch, length, width)
        return self.out_dropout(self.out(mixed))


class Block(nn.Module):
    def __init__(self, width, heads, length, dropout):
        super().__init__()
        self.first_norm = nn.LayerNorm(width)
        self.attention = Attention(width, heads, length, dropout)
        self.second_norm = nn.LayerNorm(width)
        self.mlp = nn.ModuleDict(
            {"rise": nn.Linear(width, 4 * width), "act": nn.GELU(), "fall": nn.Linear(4 * width, width)}
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        x = x + self.attention(self.first_norm(x))
        return x + self.dropout(self.mlp["fall"](self.mlp["act"](self.mlp["rise"](self.second_norm(x)))))


class Transformer(nn.Module):
    def __init__(self, letters, length, width=32, heads=4, layers=2, dropout=0.1):
        super().__init__()
        self.length = length
        self.letter = nn.Embedding(letters, width)
        self.position = nn.Embedding(length, width)
        self.dropout = nn.Dropout(dropout)
        self.blocks = nn.ModuleList([Block(width, heads, length, dropout) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, letters, bias=False)
        self.apply(self.initialise)
        for name, parameter in self.named_parameters():
            if name.endswith("out.weight") or name.endswith("fall.weight"):
                nn.init.normal_(parameter, mean=0.0, std=0.02 / math.sqrt(2 * layers))

    def initialise(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)

    def forward(self, letters, targets=None):
        positions = torch.arange(letters.size(1), device=letters.device).unsqueeze(0)
        x = self.dropout(self.letter(letters) + self.position(positions))
        for block in self.blocks:
            x = block(x)
        scores = self.head(self.norm(x))
        loss = None
        if targets is not None:
            loss = F.cross_entropy(scores.view(-1, scores.size(-1)), targets.reshape(-1))
        return scores, loss

    @torch.no_grad()
    def continued(self, letters, count):
        self.eval()
        for _ in range(count):
            scores, _ = self(letters[:, -self.length :])
            chances = F.softmax(scores[:, -1, :] / 0.8, dim=-1)
            letters = torch.cat([letters, torch.multinomial(chances, num_samples=1)], dim=1)
        self.train()
        return letters


def decay_groups(model, decay):
    """Matrices decay, vectors do not."""
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return [
        {"params": [parameter for parameter in parameters if parameter.dim() >= 2], "weight_decay": decay},
        {"params": [parameter for parameter in parameters if parameter.dim() < 2], "weight_decay": 0.0},
    ]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--seed", type=int, default=2)
    options = parser.parse_args()
    torch.manual_seed(options.seed)

    data = Windows(TEXT, length=32)
    loader = DataLoader(data, batch_size=16, shuffle=True, drop_last=True)
    model = Transformer(len(data.letters), length=32)
    print(sum(parameter.numel() for parameter in model.parameters()), "parameters")
    optimizer = torch.optim.AdamW(decay_groups(model, 0.1), lr=6e-3, betas=(0.9, 0.95))
    warm_up, total = 10, options.steps
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min((step + 1) / warm_up, 0.5 * (1.0 + math.cos(math.pi * min(step, total) / total))),
    )
    checkpoint = os.path.join(tempfile.mkdtemp(), "gpt.pt")

    step, batches = 0, iter(loader)
    while step < options.steps:
        try:
            letters, targets = next(batches)
        except StopIteration:
            batches = iter(loader)
            continue
        _, loss = model(letters, targets)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        step += 1
        if step % 20 == 0:
            print(f"step {step}: loss {loss.item():.4f}, norm of the gradients {norm.item():.3f}")
        if step == options.steps // 2:
            torch.save(model.state_dict(), checkpoint)
            model.load_state_dict(torch.load(checkpoint))
            begun = model.continued(data.data[:8].unsqueeze(0), 24)[0]
            print(repr("".join(data.letters[index] for index in begun.tolist())))


if __name__ == "__main__":
    main()
