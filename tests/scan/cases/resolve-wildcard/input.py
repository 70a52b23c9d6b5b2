from torch.distributed import *

barrier()
print(len([]))
