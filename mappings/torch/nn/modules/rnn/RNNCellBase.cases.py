import torch
from torch import nn

torch.manual_seed(3)

# case: what it holds
cell = nn.RNNCellBase(3, 4, True, num_chunks=2)
result = [list(cell.state_dict()), *cell.parameters(), str(cell)]

# case: without biases
cell = nn.RNNCellBase(3, 4, bias=False, num_chunks=3, dtype=torch.float64)
result = [cell.bias_ih is None, cell.bias_hh is None, *cell.parameters(), str(cell)]

# case: what derives from it
result = [
    isinstance(each, nn.RNNCellBase) and isinstance(each, torch.nn.modules.rnn.RNNCellBase)
    for each in (nn.RNNCell(2, 3), nn.LSTMCell(2, 3), nn.GRUCell(2, 3))
]

# case: drawn anew
cell = nn.GRUCell(2, 3)
torch.manual_seed(5)
cell.reset_parameters()
result = list(cell.parameters())


# case: a cell that derives from it
class Leaky(nn.RNNCellBase):
    def __init__(self, width, hidden):
        super().__init__(width, hidden, bias=True, num_chunks=1)

    def forward(self, x, state):
        new = x @ self.weight_ih.t() + self.bias_ih + state @ self.weight_hh.t() + self.bias_hh
        return 0.5 * state + 0.5 * torch.tanh(new)


cell = Leaky(2, 3)
state = cell(torch.ones(4, 2), torch.zeros(4, 3))
state.sum().backward()
result = [state, cell.weight_ih.grad, cell.bias_hh.grad]

# error: it computes nothing itself
nn.RNNCellBase(3, 4, True, 1)(torch.ones(2, 3))

# error: the number of chunks is missing
nn.RNNCellBase(3, 4, True)
