"""Several messages at once. A `P2POp` describes one: the function that would send or receive it, a tensor and the
other rank. `send_batch` issues them all, so that no rank waits for another one's order of messages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.errors import NotAMember
from ..core.framework import Tensor
from .checks import check_tensor
from .groups import Group, find_root, resolve

_SENDS, _RECEIVES = "isend", "irecv"  # MindSpore describes such a message by the same two words


class P2POp:
    """One message to or from another rank, not sent yet."""

    def __init__(
        self,
        op: Callable[..., Any],
        tensor: Tensor,
        peer: int | None = None,
        group: Group = None,
        tag: int = 0,
        group_peer: int | None = None,
    ) -> None:
        if getattr(op, "__name__", None) not in (_SENDS, _RECEIVES) or not callable(op):
            raise ValueError(f"op must be the function {_SENDS} or {_RECEIVES}, but it is {op!r}.")
        check_tensor("tensor", tensor)
        members = resolve(group)
        if members is None:
            raise NotAMember("This process is not in the group, so it can neither send nor receive there.")
        other = find_root(members, ("peer", peer), ("group_peer", group_peer), None)
        self.op = op
        self.tensor = tensor
        self.group = members
        self.peer = other.world
        self.group_peer = other.group
        self.tag = tag

    @property
    def sends(self) -> bool:
        return self.op.__name__ == _SENDS

    def __repr__(self) -> str:
        way = "to" if self.sends else "from"
        return f"P2POp({self.op.__name__} {way} rank {self.peer}, {tuple(self.tensor.shape)}, {self.tensor.dtype})"


def send_batch(messages: list[P2POp]) -> list[Any]:
    """Issue messages of one group and return their works, in the order of the list. What is sent leaves first: two
    ranks that both receive first would otherwise wait for each other."""
    if not isinstance(messages, list) or not all(isinstance(each, P2POp) for each in messages):
        raise ValueError("The batch must be a list of P2POp objects.")
    if not messages:
        raise IndexError("The batch is empty; give at least one P2POp.")
    if any(each.group is not messages[0].group for each in messages):
        raise ValueError("All messages of a batch must be in the same group.")
    works = {}
    for place in sorted(range(len(messages)), key=lambda at: not messages[at].sends):
        each = messages[place]
        works[place] = each.op(each.tensor, each.peer, each.group, each.tag)
    return [works[place] for place in range(len(messages)) if works[place] is not None]
