"""A machine for pickles that runs nothing. In: a stream of pickle instructions, and the names that are allowed with
what each stands for. Out: the value. Python's own would import and call whatever a file names; this one knows the
instructions that plain values, tensors and listed names need, and refuses the others.
"""

from __future__ import annotations

import pickletools
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import IO, Any

from .errors import NotAllowed, NotReadable


class Allowed:
    """A name that a file may use: how to make a value from arguments, and how to give it a state, if it takes one."""

    __slots__ = ("make", "name", "restore")

    def __init__(self, name: str, make: Callable[..., Any], restore: Callable[[Any, Any], None] | None = None) -> None:
        self.name = name
        self.make = make
        self.restore = restore


class Machine:
    """Runs the instructions of one pickle."""

    def __init__(
        self, find: Callable[[str, str], Any], persistent: Callable[[Any], Any], encoding: str = "utf-8"
    ) -> None:
        self._find = find
        self._persistent = persistent
        self._encoding = encoding
        self._stack: list[Any] = []
        self._below: list[list[Any]] = []  # what lies below each mark
        self._memo: dict[int, Any] = {}
        self._kinds: dict[int, tuple[Any, Allowed]] = {}

    def run(self, stream: IO[bytes]) -> Any:
        """The value of the pickle that begins here; the stream is left behind its end."""
        try:
            for opcode, argument, _ in pickletools.genops(stream):
                if opcode.name == "STOP":
                    return self._stack.pop()
                self._step(opcode.name, argument)
        except NotAllowed:
            raise
        except (ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError, EOFError) as error:
            raise NotReadable(f"The file is damaged: its pickle cannot be followed ({error}).") from error
        raise NotReadable("The file is cut off: its pickle has no end.")

    def _step(self, name: str, argument: Any) -> None:
        if name in _CONSTANTS:
            self._stack.append(_CONSTANTS[name]())
        elif name in _VALUES:
            self._stack.append(argument)
        elif name in _STRINGS:  # pickles of Python 2
            self._stack.append(
                argument.encode("latin-1").decode(self._encoding) if isinstance(argument, str) else argument
            )
        elif name in _STEPS:
            _STEPS[name](self, argument)
        elif name not in ("PROTO", "FRAME"):
            raise NotAllowed(f"The file uses the pickle instruction {name}, which no file with tensors needs.")

    def _since_mark(self) -> list[Any]:
        items, self._stack = self._stack, self._below.pop()
        return items

    def _mark(self, _: Any) -> None:
        self._below.append(self._stack)
        self._stack = []

    def _tuple(self, _: Any) -> None:
        items = self._since_mark()
        self._stack.append(tuple(items))

    def _list(self, _: Any) -> None:
        items = self._since_mark()
        self._stack.append(items)

    def _dict(self, _: Any) -> None:
        items = self._since_mark()
        self._stack.append(dict(zip(items[::2], items[1::2], strict=True)))

    def _short_tuple(self, count: int) -> None:
        items = [self._stack.pop() for _ in range(count)]
        self._stack.append(tuple(reversed(items)))

    def _append(self, _: Any) -> None:
        item = self._stack.pop()
        self._holder(list).append(item)

    def _appends(self, _: Any) -> None:
        items = self._since_mark()
        self._holder(list).extend(items)

    def _add_items(self, _: Any) -> None:
        items = self._since_mark()
        self._holder(set).update(items)

    def _set_item(self, _: Any) -> None:
        value, key = self._stack.pop(), self._stack.pop()
        self._holder(dict)[key] = value

    def _set_items(self, _: Any) -> None:
        items = self._since_mark()
        self._holder(dict).update(zip(items[::2], items[1::2], strict=True))

    def _holder(self, kind: type) -> Any:
        if not isinstance(self._stack[-1], kind):
            raise ValueError(f"a {kind.__name__} is expected")
        return self._stack[-1]

    def _get(self, place: Any) -> None:
        self._stack.append(self._memo[int(place)])

    def _put(self, place: Any) -> None:
        self._memo[int(place)] = self._stack[-1]

    def _memoize(self, _: Any) -> None:
        self._memo[len(self._memo)] = self._stack[-1]

    def _global(self, names: Any) -> None:
        module, _, name = str(names).partition(" ")
        self._stack.append(self._find(module, name))

    def _stack_global(self, _: Any) -> None:
        name, module = self._stack.pop(), self._stack.pop()
        if not isinstance(name, str) or not isinstance(module, str):
            raise ValueError("a name is expected")
        self._stack.append(self._find(module, name))

    def _reduce(self, _: Any) -> None:
        arguments, called = self._stack.pop(), self._stack.pop()
        if not isinstance(called, Allowed) or not isinstance(arguments, tuple):
            raise NotAllowed("The file calls something that is no listed name.")
        value = called.make(*arguments)
        if called.restore is not None:
            self._kinds[id(value)] = (value, called)
        self._stack.append(value)

    def _build(self, _: Any) -> None:
        state, value = self._stack.pop(), self._stack[-1]
        if isinstance(value, OrderedDict) and isinstance(state, Mapping):
            value.__dict__.update({str(key): each for key, each in state.items()})
            return
        _, kind = self._kinds.get(id(value), (None, None))
        if kind is None or kind.restore is None:
            raise NotAllowed(f"The file gives a state to a {type(value).__name__}, which takes none.")
        kind.restore(value, state)

    def _persistent_id(self, _: Any) -> None:
        self._stack.append(self._persistent(self._stack.pop()))

    def _pop(self, _: Any) -> None:
        if self._stack:
            self._stack.pop()
        else:
            self._since_mark()

    def _pop_mark(self, _: Any) -> None:
        self._since_mark()

    def _dup(self, _: Any) -> None:
        self._stack.append(self._stack[-1])


_CONSTANTS: dict[str, Callable[[], Any]] = {
    "NONE": lambda: None, "NEWTRUE": lambda: True, "NEWFALSE": lambda: False, "EMPTY_TUPLE": tuple,
    "EMPTY_LIST": list, "EMPTY_DICT": dict, "EMPTY_SET": set,
}  # fmt: skip
_VALUES = {
    "INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT", "UNICODE", "BINUNICODE",
    "SHORT_BINUNICODE", "BINUNICODE8", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8",
}  # fmt: skip
_STRINGS = {"STRING", "BINSTRING", "SHORT_BINSTRING"}
_STEPS: dict[str, Callable[[Machine, Any], None]] = {
    "MARK": Machine._mark, "TUPLE": Machine._tuple, "LIST": Machine._list, "DICT": Machine._dict,
    "TUPLE1": lambda machine, _: machine._short_tuple(1), "TUPLE2": lambda machine, _: machine._short_tuple(2),
    "TUPLE3": lambda machine, _: machine._short_tuple(3), "APPEND": Machine._append, "APPENDS": Machine._appends,
    "ADDITEMS": Machine._add_items, "SETITEM": Machine._set_item, "SETITEMS": Machine._set_items,
    "GET": Machine._get, "BINGET": Machine._get, "LONG_BINGET": Machine._get, "PUT": Machine._put,
    "BINPUT": Machine._put, "LONG_BINPUT": Machine._put, "MEMOIZE": Machine._memoize, "GLOBAL": Machine._global,
    "STACK_GLOBAL": Machine._stack_global, "REDUCE": Machine._reduce, "NEWOBJ": Machine._reduce,
    "BUILD": Machine._build, "BINPERSID": Machine._persistent_id, "POP": Machine._pop, "POP_MARK": Machine._pop_mark,
    "DUP": Machine._dup,
}  # fmt: skip
