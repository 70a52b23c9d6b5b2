"""The errors that adapters raise. Each is a subclass of the type that the original framework raises in that place, so
that existing `except` clauses go on working; the sentence says what to do.
"""


class UnsupportedArgument(NotImplementedError):
    """A value that MindSpore cannot honour. It is refused rather than ignored."""


class NoCounterpart(NotImplementedError):
    """An API that MindSpore has nothing for. The sentence says what to do instead."""


def refuse(api: str, name: str, value: object, default: object) -> None:
    """Refuse an argument that MindSpore has no place for, unless it is what leaving it out would mean."""
    if value is not default and not (type(value) is type(default) and value == default):
        raise UnsupportedArgument(
            f"{api}: MindSpore has nothing for {name}, so it must stay {default!r}; it is a {type(value).__name__}."
        )


class UnsupportedReduceOp(UnsupportedArgument, TypeError, ValueError):
    """A reduction that does not exist for this dtype, or not at all. Callers know it under three types: one each for
    an unknown operator, for complex tensors and for a dtype that the operator does not take."""


class InvalidRank(ValueError, RuntimeError):
    """A rank that is not in the group, or given twice, or not given."""


class NotStarted(ValueError):
    """A communication was asked for before the processes were connected."""


class StartFailed(RuntimeError):
    """The processes could not be connected."""


class NoGradient(RuntimeError):
    """A tensor whose gradient is being recorded was given to a call that passes no gradient."""


class CollectiveFailed(RuntimeError):
    """A communication did not complete; its outputs are undefined and the connection is not usable any more."""


class CollectiveTimeout(CollectiveFailed):
    """A communication did not complete within the time-out: a peer has ended, or never made the same call."""
