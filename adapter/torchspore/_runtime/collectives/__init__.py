"""What generated adapters of communication between ranks are made of, and the functions, classes and values that some
of them are as a whole.
"""

from .backends import Backend, backend_known, backend_name, default_backend, is_elastic, not_built
from .batches import P2POp, send_batch
from .collective import Collective
from .delivery import whole
from .group_factory import make_group, make_groups, make_subgroups
from .groups import DEFAULT_TIMEOUT, Group, GroupMember, ProcessGroup, Root
from .libraries import comm_func, mint
from .ranks import group_count, group_ranks, group_size, local_rank, own_rank, rank_in_group, rank_in_world
from .reductions import ReduceOp, Reduction, reduces_complex
from .sampler import DistributedSampler
from .start import is_started, start, stop
from .work import Work

__all__ = [
    "DEFAULT_TIMEOUT",
    "Backend",
    "Collective",
    "DistributedSampler",
    "Group",
    "GroupMember",
    "P2POp",
    "ProcessGroup",
    "ReduceOp",
    "Reduction",
    "Root",
    "Work",
    "backend_known",
    "backend_name",
    "comm_func",
    "default_backend",
    "group_count",
    "group_ranks",
    "group_size",
    "is_elastic",
    "is_started",
    "local_rank",
    "make_group",
    "make_groups",
    "make_subgroups",
    "mint",
    "not_built",
    "own_rank",
    "rank_in_group",
    "rank_in_world",
    "reduces_complex",
    "send_batch",
    "start",
    "stop",
    "whole",
]
