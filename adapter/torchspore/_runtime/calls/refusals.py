"""What is refused before MindSpore is called: values and combinations that it does not take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from ..core.errors import Rejected, UnsupportedArgument
from ..core.foreign import remedy
from ..core.framework import is_tensor
from ..core.modes import certain
from ..words.values import GIVEN, fits

Row = Mapping[str, tuple[Any, ...]]


ASKED = ("_dtype", "_itemsize")
"""What an adapter asks a tensor for before it calls MindSpore."""

_LATE = (
    "{api} or a call before it (MindSpore runs asynchronously, and raises an error some calls later; "
    "torchspore.synchronous(True) raises it where it is made):"
)
_NO_KERNEL = (
    "unregistered",
    "Unsupported op [",
    "Select CPU operator[",
    "not supported on this device",
    "only supports Ascend",
    "does not support this kernel data type",
)


def rejected(api: str, error: Exception) -> Exception:
    """What to raise for an error of MindSpore, caught in an adapter: our own as they are, and a missing kernel, whose
    words say most. The cause may be an argument of torch's own; where MindSpore is not synchronous, an earlier call."""
    said = str(error).strip()
    caught = error.__traceback__
    if caught is not None and (advice := remedy(caught.tb_frame.f_locals.values())):
        return Rejected(f"{api}: {advice}")
    if any(sign in said for sign in _NO_KERNEL):
        return error
    if isinstance(error, UnsupportedArgument | Rejected):  # a word does not know for which API it stands
        return error if said.startswith(api) else type(error)(f"{api}: {said}")
    if isinstance(error, AttributeError) and error.name in ASKED and not is_tensor(error.obj):
        said = f"a MindSpore Tensor is needed, and this is {error.obj!r}."
    first = next((line.strip("- ") for line in said.splitlines() if line.strip("- ")), type(error).__name__)
    return Rejected(f"{api}: {first}" if certain() else f"{_LATE.format(api=api)} {first}")


def unfit(api: str, name: str, needs: str) -> NoReturn:
    """Refuse a value that the original allows and the chosen target cannot take."""
    raise UnsupportedArgument(f"{api}: {name} does not fit MindSpore, which needs {needs}.")


def supported(api: str, rows: Sequence[Row], **given: Any) -> None:
    """Refuse a combination that fits none of the rows. A tensor is meant by its number of dimensions."""
    counted = {name: value.ndim if is_tensor(value) else value for name, value in given.items()}
    if not any(fits(row, counted) for row in rows):
        shown = ", ".join(f"{name}: {_shown(value)}" for name, value in given.items())
        takes = "; ".join(", ".join(f"{name}: {_listed(values)}" for name, values in row.items()) for row in rows)
        raise UnsupportedArgument(f"{api}: MindSpore does not take this combination ({shown}). It takes: {takes}.")


def _shown(value: Any) -> str:
    return f"{value.ndim} dimensions" if is_tensor(value) else repr(value)


def _listed(values: tuple[Any, ...]) -> str:
    return " or ".join("given" if value == GIVEN else repr(value) for value in values)
