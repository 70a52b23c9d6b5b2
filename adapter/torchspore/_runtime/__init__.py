"""What generated adapters are made of. Hand-written, small, and about MindSpore only: names of the other framework come in as
parameters from generated code.
"""

from .collective import Collective
from .delivery import into, whole
from .errors import (
    CollectiveFailed,
    CollectiveTimeout,
    InvalidRank,
    NoGradient,
    NotStarted,
    StartFailed,
    UnsupportedArgument,
    UnsupportedReduceOp,
)
from .framework import Tensor, comm_func, mint
from .groups import Group, GroupMember, ProcessGroup, Root
from .reductions import ReduceOp, Reduction, reduce_op
from .targets import Api, Choice, Target, use, which
from .words import at_least_1d, group_name, join, placeholders, root_rank, same_shape, shapes, split_per_rank
from .work import Work

__all__ = [
    "Api",
    "Choice",
    "Collective",
    "CollectiveFailed",
    "CollectiveTimeout",
    "Group",
    "GroupMember",
    "InvalidRank",
    "NoGradient",
    "NotStarted",
    "ProcessGroup",
    "ReduceOp",
    "Reduction",
    "Root",
    "StartFailed",
    "Target",
    "Tensor",
    "UnsupportedArgument",
    "UnsupportedReduceOp",
    "Work",
    "at_least_1d",
    "comm_func",
    "group_name",
    "into",
    "join",
    "mint",
    "placeholders",
    "reduce_op",
    "root_rank",
    "same_shape",
    "shapes",
    "split_per_rank",
    "use",
    "which",
    "whole",
]
