from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch.distributed import ProcessGroup


def size(group: "ProcessGroup") -> int:
    return group.size()
