from torch.utils.data import StackDataset

# case: in a row
stacked = StackDataset([1, 2, 3], "abc")
result = [len(stacked), stacked[0], stacked[-1]]

# case: by name
stacked = StackDataset(number=[1, 2], letter="ab")
result = [len(stacked), stacked[1], sorted(stacked.datasets)]

# case: several at once
stacked = StackDataset([1, 2, 3], "abc")
result = stacked.__getitems__([2, 0])

# case: several at once by name
stacked = StackDataset(number=[1, 2, 3], letter="abc")
result = stacked.__getitems__([1, 1])

# case: single
result = StackDataset([7, 8])[1]

# error: both ways
StackDataset([1], letter="a")

# error: nothing
StackDataset()

# error: other lengths
StackDataset([1, 2], "abc")

# error: other lengths by name
StackDataset(number=[1, 2], letter="abc")

# error: past the end
StackDataset([1, 2])[2]
