import torch.distributed as dist


async def wait():
    async with lock:
        async for item in queue:
            await item
            dist.barrier()
