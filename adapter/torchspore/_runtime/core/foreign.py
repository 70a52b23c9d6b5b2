"""What a caller hands over that is torch's own, as a half-migrated program still does: it is named as such, with what
to do about it. Neither torch nor MindSpore need be there.
"""

from __future__ import annotations

from collections.abc import Iterable

_INSTEAD = {
    "Tensor": "give a MindSpore tensor, as in mindspore.Tensor(x.detach().numpy())",
    "dtype": "give the dtype of torchspore or mindspore that has the same name",
    "device": "give its name as a text, or leave it out",
}


def kind(value: object) -> str:
    """The type of a value as a sentence names it: one of torch or NumPy with the name of the package."""
    found = _of_torch(value)
    if found is not None:
        return f"torch.{found.__name__}"
    made_of = type(value)
    return f"numpy.{made_of.__name__}" if made_of.__module__.partition(".")[0] == "numpy" else made_of.__name__


def is_torch(value: object) -> bool:
    return _of_torch(value) is not None


def remedy(values: Iterable[object]) -> str:
    """What to do about the first value of torch among some, or within them; empty if there is none."""
    for value in values:
        found = _of_torch(value)
        if found is not None and found.__name__ in _INSTEAD:
            return f"a {kind(value)} is not for MindSpore; {_INSTEAD[found.__name__]}."
        if isinstance(value, list | tuple | dict):
            within = remedy(value.values() if isinstance(value, dict) else value)
            if within:
                return within
    return ""


def _of_torch(value: object) -> type | None:
    """The public class of torch that a value belongs to. It is told by its name: torch need not be there."""
    for base in type(value).__mro__:
        if base.__module__ == "torch" and base.__name__ != "Size":  # a Size is a tuple like any other
            return base
    return None
