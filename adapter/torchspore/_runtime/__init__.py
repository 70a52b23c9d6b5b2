"""What generated adapters are made of. Hand-written, small, and about MindSpore only: names of the other framework
come in as parameters from generated code.
"""

from .collective import Collective
from .delivery import into, whole
from .errors import (
    CollectiveFailed,
    CollectiveTimeout,
    InvalidRank,
    NoCounterpart,
    NoGradient,
    NotStarted,
    StartFailed,
    UnsupportedArgument,
    UnsupportedReduceOp,
    refuse,
)
from .forms import Forms, Slot
from .framework import Tensor, comm_func, mindspore, mint
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
    "Forms",
    "Group",
    "GroupMember",
    "InvalidRank",
    "NoCounterpart",
    "NoGradient",
    "NotStarted",
    "ProcessGroup",
    "ReduceOp",
    "Reduction",
    "Root",
    "Slot",
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
    "mindspore",
    "mint",
    "placeholders",
    "reduce_op",
    "refuse",
    "root_rank",
    "same_shape",
    "shapes",
    "split_per_rank",
    "use",
    "which",
    "whole",
]
