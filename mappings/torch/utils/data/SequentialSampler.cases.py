from torch.utils.data import SequentialSampler

# case: all in order
sampler = SequentialSampler("abc")
result = [list(sampler), len(sampler), list(sampler)]

# case: nothing
result = [list(SequentialSampler([])), len(SequentialSampler([]))]

# case: follows the dataset
data = [1]
sampler = SequentialSampler(data)
data.append(2)
result = [list(sampler), len(sampler), sampler.data_source is data]

# case: by keyword
result = list(SequentialSampler(data_source=range(4)))

# error: no length
len(SequentialSampler(iter("abc")))
