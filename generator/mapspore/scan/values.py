"""What a name can stand for while a file is read: an imported name, an instance of a torch class, or nothing known.

`merge` says what is known of a name where two branches meet.
"""

from __future__ import annotations


class Ref:
    """An object that has a dotted name: a module, a function, a class."""

    __slots__ = ("assigned", "path", "site", "sure")

    def __init__(
        self, path: str, site: tuple[int, int] | None = None, sure: bool = True, assigned: bool = False
    ) -> None:
        self.path = path
        self.site = site
        """Line and column of the import that it came by; None behind an assignment."""
        self.sure = sure
        self.assigned = assigned
        """Whether it came by an assignment, where its use was counted; only calls are uses then."""


class Instance:
    """Something made by, or annotated with, a class of torch."""

    __slots__ = ("of",)

    def __init__(self, of: str) -> None:
        self.of = of


class Member:
    """An attribute of such a thing, before it is known whether torch has it."""

    __slots__ = ("name", "of")

    def __init__(self, of: str, name: str) -> None:
        self.of = of
        self.name = name


ANCESTORS = 50
"""How many classes of a file are asked for an inherited attribute."""


class Own:
    """A class of the file, or `self`: what is known of its attributes, which all methods share."""

    __slots__ = ("attributes", "bases")

    def __init__(self) -> None:
        self.attributes: dict[str, Value] = {}
        self.bases: list[Own] = []

    def get(self, name: str) -> Value:
        """What an attribute stands for, be it its own or inherited from a class of the same file."""
        if name in self.attributes:
            return self.attributes[name]
        seen = {id(self)}
        waiting = self.bases[::-1]
        while waiting and len(seen) < ANCESTORS:
            base = waiting.pop()
            if id(base) not in seen:
                seen.add(id(base))
                found = base.attributes.get(name)
                if found is not None:
                    return found
                waiting += base.bases[::-1]
        return None


class Nothing:
    """The literal `None`: the other branch of an optional import, no competitor."""

    __slots__ = ()


NOTHING = Nothing()
Value = Ref | Instance | Member | Own | Nothing | None
"""None: nobody knows."""


def merge(one: Value, other: Value) -> Value:
    """What holds after two branches, the first of which goes first where they disagree."""
    if one is other or isinstance(other, Nothing):
        return one
    if isinstance(one, Nothing):
        return other
    if isinstance(one, Ref):
        if isinstance(other, Ref) and other.path == one.path:
            return one if one.site and other.site else Ref(one.path, None, one.sure and other.sure, one.assigned)
        return Ref(one.path, one.site, False, one.assigned)
    if isinstance(other, Ref):
        return Ref(other.path, other.site, False, other.assigned)
    return one if one is not None else other
