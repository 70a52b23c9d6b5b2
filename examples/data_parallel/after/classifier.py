"""Points in, scores by class out: a network of three layers and its training step, with MindSpore."""

import mindspore


def tensor(numbers):
    return mindspore.Tensor(numbers, mindspore.float32)


class Classifier(mindspore.nn.Cell):
    def __init__(self, weights, rate):
        super().__init__()
        names = ("first", "first_bias", "second", "second_bias", "last", "last_bias")
        self.weights = mindspore.ParameterTuple(
            mindspore.Parameter(mindspore.Tensor(each), name=name) for each, name in zip(weights, names)
        )
        self.optimizer = mindspore.nn.SGD(self.weights, learning_rate=rate, momentum=0.9)
        self.with_gradients = mindspore.value_and_grad(self.loss, None, self.weights, has_aux=True)

    def construct(self, points):
        first, first_bias, second, second_bias, last, last_bias = self.weights
        hidden = mindspore.ops.tanh(points @ first + first_bias)
        hidden = mindspore.ops.tanh(hidden @ second + second_bias)
        return hidden @ last + last_bias

    def values(self):
        """The weights, to be written to."""
        return self.weights

    def loss(self, points, arms):
        scores = self(points)
        return mindspore.ops.cross_entropy(scores, arms), scores

    def learn(self, points, arms):
        """The loss, the scores as an array, and the gradients by each weight."""
        wanted = mindspore.Tensor(arms, mindspore.int32)
        (loss, scores), gradients = self.with_gradients(mindspore.Tensor(points), wanted)
        return loss.item(), scores.asnumpy(), gradients

    def step(self, gradients):
        self.optimizer(gradients)

    def save(self, path):
        mindspore.save_checkpoint(self, path)
