"""What generated adapters are made of. Hand-written, small, and about MindSpore only: names of the other framework
come in as parameters from generated code.
"""

from ..core.errors import (
    CollectiveFailed,
    CollectiveTimeout,
    InvalidRank,
    Missing,
    NoCounterpart,
    NoGradient,
    NotAMember,
    NotPossible,
    NotStarted,
    StartFailed,
    UnknownDevice,
    UnsupportedArgument,
    UnsupportedReduceOp,
    refuse,
)
from ..core.framework import Tensor, comm_func, mindspore, mint
from ..core.targets import Api, Choice, Composed, Target, use, which
from ..words.collectives import (
    at_least_1d,
    group_name,
    join,
    joined_like,
    placeholders,
    root_rank,
    same_shape,
    shape,
    shapes,
    split_per_rank,
    zero,
)
from .backends import Backend, backend_known, backend_name, default_backend, is_elastic, not_built
from .batches import P2POp, send_batch
from .collective import Collective
from .delivery import into, whole
from .groups import DEFAULT_TIMEOUT, Group, GroupMember, ProcessGroup, Root
from .making import make_group, make_groups, make_subgroups
from .ranks import group_count, group_ranks, group_size, local_rank, own_rank, rank_in_group, rank_in_world
from .reductions import ReduceOp, Reduction, reduce_op, reduces_complex
from .sampler import DistributedSampler
from .start import is_started, start, stop
from .work import Work

__all__ = [
    "DEFAULT_TIMEOUT",
    "Api",
    "Backend",
    "Choice",
    "Collective",
    "CollectiveFailed",
    "CollectiveTimeout",
    "Composed",
    "DistributedSampler",
    "Group",
    "GroupMember",
    "InvalidRank",
    "Missing",
    "NoCounterpart",
    "NoGradient",
    "NotAMember",
    "NotPossible",
    "NotStarted",
    "P2POp",
    "ProcessGroup",
    "ReduceOp",
    "Reduction",
    "Root",
    "StartFailed",
    "Target",
    "Tensor",
    "UnknownDevice",
    "UnsupportedArgument",
    "UnsupportedReduceOp",
    "Work",
    "at_least_1d",
    "backend_known",
    "backend_name",
    "comm_func",
    "default_backend",
    "group_count",
    "group_name",
    "group_ranks",
    "group_size",
    "into",
    "is_elastic",
    "is_started",
    "join",
    "joined_like",
    "local_rank",
    "make_group",
    "make_groups",
    "make_subgroups",
    "mindspore",
    "mint",
    "not_built",
    "own_rank",
    "placeholders",
    "rank_in_group",
    "rank_in_world",
    "reduce_op",
    "reduces_complex",
    "refuse",
    "root_rank",
    "same_shape",
    "send_batch",
    "shape",
    "shapes",
    "split_per_rank",
    "start",
    "stop",
    "use",
    "which",
    "whole",
    "zero",
]
