from . import barrier

barrier()
