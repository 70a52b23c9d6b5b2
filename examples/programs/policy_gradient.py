"""Reinforcement learning: a policy learns to walk to the goal of a small grid, with a value function as baseline."""

import argparse
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

SIDE, MOVES, LIMIT = 5, 4, 12


class Grid:
    """Many walks at once on a square; each ends at the goal in the corner."""

    def __init__(self, walks):
        self.place = torch.randint(0, SIDE - 1, (walks, 2))
        self.done = torch.zeros(walks, dtype=torch.bool)

    def seen(self):
        return torch.cat([F.one_hot(self.place[:, 0], SIDE), F.one_hot(self.place[:, 1], SIDE)], dim=1).float()

    def step(self, moves):
        change = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0]])[moves]
        self.place = torch.where(self.done.unsqueeze(1), self.place, (self.place + change).clamp(0, SIDE - 1))
        arrived = (self.place == SIDE - 1).all(dim=1)
        reward = torch.where(self.done, 0.0, torch.where(arrived, 1.0, -0.05))
        self.done = self.done | arrived
        return reward


class Walker(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2 * SIDE, width), nn.LayerNorm(width), nn.Mish())
        self.cell = nn.GRUCell(width, width)
        self.policy = nn.Linear(width, MOVES)
        self.value = nn.Sequential(nn.Linear(width, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, seen, memory):
        memory = self.cell(self.body(seen), memory)
        return F.log_softmax(self.policy(memory), dim=1), self.value(memory).squeeze(1), memory


def episode(model, walks):
    grid, memory = Grid(walks), torch.zeros(walks, 32)
    rewards, chances, values, alive, entropies = [], [], [], [], []
    for _ in range(LIMIT):
        alive.append((~grid.done).float())
        logits, value, memory = model(grid.seen(), memory)
        moves = torch.multinomial(logits.exp().detach(), 1).squeeze(1)
        rewards.append(grid.step(moves))
        chances.append(logits.gather(1, moves.unsqueeze(1)).squeeze(1))
        values.append(value)
        entropies.append(-(logits.exp() * logits).sum(1))
    return [torch.stack(part) for part in (rewards, chances, values, alive, entropies)]


def returns_of(rewards, discount=0.95):
    total, out = torch.zeros(rewards.size(1)), []
    for reward in reversed(rewards.unbind(0)):
        total = reward + discount * total
        out.insert(0, total)
    return torch.stack(out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument("--seed", type=int, default=9)
    options = parser.parse_args()
    torch.manual_seed(options.seed)

    model = Walker()
    optimizer = torch.optim.Adam(
        [
            {"params": [*model.body.parameters(), *model.cell.parameters(), *model.policy.parameters()]},
            {"params": model.value.parameters(), "lr": 1e-2},
        ],
        lr=5e-3,
    )
    path = os.path.join(tempfile.mkdtemp(), "walker.pt")
    for update in range(options.updates):
        rewards, chances, values, alive, entropies = episode(model, walks=24)
        goals = returns_of(rewards)
        gain = goals - values.detach()
        gain = (gain - gain.mean()) / (gain.std() + 1e-6)
        policy_loss = -(chances * gain * alive).sum() / alive.sum()
        value_loss = (F.smooth_l1_loss(values, goals, reduction="none") * alive).sum() / alive.sum()
        loss = policy_loss + 0.5 * value_loss - 0.01 * (entropies * alive).mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(model.parameters(), 1.0)
        optimizer.step()
        if (update + 1) % 20 == 0:
            arrived = (rewards == 1.0).any(dim=0).float().mean()
            print(f"update {update + 1}: value loss {value_loss.item():.4f}, arrived {arrived.item():.2f}")
        if update + 1 == options.updates // 2:
            torch.save(model.state_dict(), path)
            model.load_state_dict(torch.load(path))

    model.eval()
    places = torch.cartesian_prod(torch.arange(SIDE), torch.arange(SIDE))
    loader = DataLoader(TensorDataset(places), batch_size=10)
    best = []
    with torch.no_grad():
        for (batch,) in loader:
            seen = torch.cat([F.one_hot(batch[:, 0], SIDE), F.one_hot(batch[:, 1], SIDE)], dim=1).float()
            best.append(model(seen, torch.zeros(len(batch), 32))[0].argmax(1))
    print(torch.cat(best).view(SIDE, SIDE).tolist())


if __name__ == "__main__":
    main()
