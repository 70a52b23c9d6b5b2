from torch.distributed import PrefixStore as Prefixed

store = Prefixed("job", store)
