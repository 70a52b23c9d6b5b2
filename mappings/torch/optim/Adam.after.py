import mindspore
import torchspore.optim as optim

weight = mindspore.Parameter(mindspore.tensor([1.0, -2.0]), name="weight")
optimizer = optim.Adam([weight], lr=0.5)


def loss():
    return (weight**2).sum()


loss_and_gradients = mindspore.value_and_grad(loss, None, [weight])
for _ in range(3):
    _, gradients = loss_and_gradients()
    optimizer.step(gradients)
    print([round(value, 3) for value in weight.tolist()])
