"""A graph network finds the communities of a random graph from a few known members: message passing by index_add."""

import argparse
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, SubsetRandomSampler

COMMUNITIES = 3


def random_graph(nodes):
    """Which nodes are joined by an edge, and the community of each node."""
    community = torch.arange(nodes) % COMMUNITIES
    same = community.unsqueeze(0) == community.unsqueeze(1)
    chance = torch.where(same, torch.tensor(0.2), torch.tensor(0.02))
    joined = torch.triu(torch.rand(nodes, nodes) < chance, diagonal=1)
    edges = joined.nonzero(as_tuple=False).t()
    return torch.cat([edges, edges.flip(0), torch.arange(nodes).repeat(2, 1)], dim=1), community


class GraphLayer(nn.Module):
    """The mean of what the neighbours send, weighted by attention, and a term of the node's own."""

    def __init__(self, width_in, width_out):
        super().__init__()
        self.send = nn.Linear(width_in, width_out, bias=False)
        self.own = nn.Linear(width_in, width_out)
        self.attend = nn.Parameter(torch.empty(2 * width_out))
        self.norm = nn.GroupNorm(4, width_out)
        nn.init.normal_(self.attend, std=0.1)

    def forward(self, x, edges):
        source, target = edges
        sent = self.send(x)
        pair = torch.cat([sent.index_select(0, source), sent.index_select(0, target)], dim=-1)
        score = F.leaky_relu(pair @ self.attend, negative_slope=0.2).clamp(min=-10, max=10).exp()
        total = torch.zeros(x.size(0)).index_add(0, target, score)
        share = (score / total[target]).unsqueeze(-1)
        gathered = torch.zeros_like(sent).index_add(0, target, share * sent[source])
        return self.norm(gathered + self.own(x))


class Network(nn.Module):
    def __init__(self, nodes, width=16):
        super().__init__()
        self.start = nn.Embedding(nodes, width, max_norm=None)
        self.layers = nn.ModuleList([GraphLayer(width, width), GraphLayer(width, width)])
        self.out = nn.Linear(width, COMMUNITIES)

    def forward(self, edges):
        x = self.start.weight
        for layer in self.layers:
            x = F.dropout(F.elu(layer(x, edges)), p=0.3, training=self.training)
        return F.log_softmax(self.out(x), dim=-1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=6)
    options = parser.parse_args()
    torch.manual_seed(options.seed)

    nodes = 120
    edges, community = random_graph(nodes)
    order = torch.randperm(nodes)
    known, hidden = order[:48], order[48:]
    loader = DataLoader(range(nodes), batch_size=12, sampler=SubsetRandomSampler(known.tolist()))
    model = Network(nodes)
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.012, initial_accumulator_value=0.01, weight_decay=1e-3)
    path = os.path.join(tempfile.mkdtemp(), "graph.pt")

    for epoch in range(options.epochs):
        model.train()
        for members in loader:
            optimizer.zero_grad()
            loss = F.nll_loss(model(edges)[members], community[members])
            loss.backward()
            optimizer.step()
        if (epoch + 1) % 5 == 0:
            model.eval()
            with torch.no_grad():
                scores = model(edges)
                right = (scores[hidden].argmax(-1) == community[hidden]).float().mean()
                ranked = scores[hidden].exp().sort(dim=1, descending=True)
            sure = ranked.values[:, 0].mean()
            print(f"epoch {epoch + 1}: loss {loss.item():.4f}, right {right.item():.3f}, sure {sure.item():.4f}")
        if epoch + 1 == options.epochs // 2:
            torch.save(model.state_dict(), path)
            model.load_state_dict(torch.load(path, weights_only=True))


if __name__ == "__main__":
    main()
