import torch.distributed as dist

dist.monitored_barrier()  # mapspore: ignore
dist.monitored_barrier()  # mapspore: ignore[S113]
dist.monitored_barrier()  # mapspore: ignore[S103, S107]
