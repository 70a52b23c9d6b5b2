"""Points in, scores by class out: a network of three layers and its training step, with PyTorch."""

import torch


def tensor(numbers):
    return torch.tensor(numbers, dtype=torch.float32)


class Classifier(torch.nn.Module):
    def __init__(self, weights, rate):
        super().__init__()
        self.weights = torch.nn.ParameterList(map(torch.from_numpy, weights))
        self.optimizer = torch.optim.SGD(self.weights, lr=rate, momentum=0.9)

    def forward(self, points):
        first, first_bias, second, second_bias, last, last_bias = self.weights
        hidden = torch.tanh(points @ first + first_bias)
        hidden = torch.tanh(hidden @ second + second_bias)
        return hidden @ last + last_bias

    def values(self):
        """The weights, to be written to."""
        return [weight.data for weight in self.weights]

    def learn(self, points, arms):
        """The loss, the scores as an array, and the gradients by each weight."""
        scores = self(torch.from_numpy(points))
        loss = torch.nn.functional.cross_entropy(scores, torch.from_numpy(arms))
        self.optimizer.zero_grad()
        loss.backward()
        return loss.item(), scores.detach().numpy(), [weight.grad for weight in self.weights]

    def step(self, gradients):
        for weight, gradient in zip(self.weights, gradients):
            weight.grad = gradient
        self.optimizer.step()

    def save(self, path):
        torch.save(self.state_dict(), path)
