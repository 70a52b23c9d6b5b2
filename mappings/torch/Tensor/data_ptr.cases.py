import torch

x = torch.arange(6.0).reshape(2, 3)

# case: views begin within the memory
result = [
    x[1].data_ptr() - x.data_ptr(),
    x.t().data_ptr() - x.data_ptr(),
    x[:, 2].data_ptr() - x.data_ptr(),
    x.detach().data_ptr() == x.data_ptr(),
    x.view(6)[5:].data_ptr() - x.data_ptr(),
]

# case: copies do not
result = [x.clone().data_ptr() == x.data_ptr(), (x + 0).data_ptr() == x.data_ptr()]

# case: writes keep it
before = x.data_ptr()
x.add_(1)
x[0] = 3
result = x.data_ptr() == before
