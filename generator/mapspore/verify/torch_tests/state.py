"""Arguments of torch as data. In: an argument of a call. Out: the same in the language in which cases state arguments;
`Unstated` where it has no word for it.

A tensor of floats or integers is stated with its content, as bytes.
"""

from __future__ import annotations

from typing import Any

import torch

LARGEST = 20_000
"""Elements of a tensor that is stated with its content."""
PLAIN = (bool, int, float, str, type(None))


class Unstated(Exception):
    """An argument that cannot be stated."""


class Stater:
    """States the arguments of one call; its tensors have numbers for names."""

    def __init__(self) -> None:
        self.count = 0

    def state(self, value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return self.tensor(value)
        if isinstance(value, torch.dtype):
            return {"$dtype": str(value).removeprefix("torch.")}
        if isinstance(value, torch.device):
            return str(value)
        if isinstance(value, list):
            return {"$list": [self.state(each) for each in value]}
        if isinstance(value, tuple):
            return {"$tuple": [self.state(each) for each in value]}
        if type(value) in PLAIN and value == value and value not in (float("inf"), float("-inf")):
            return value
        raise Unstated(type(value).__name__)

    def tensor(self, value: torch.Tensor) -> dict[str, Any]:
        if value.layout != torch.strided or value.numel() > LARGEST or value.is_quantized or value.is_sparse:
            raise Unstated(str(value.layout))
        plain = value.detach().resolve_conj().resolve_neg().contiguous()
        dtype = str(plain.dtype).removeprefix("torch.")
        carried = plain.float() if plain.dtype == torch.bfloat16 else plain
        name = f"t{self.count}"
        self.count += 1
        array = carried.numpy()
        content = {"data": array.tobytes().hex(), "of": str(array.dtype)}
        return {"$tensor": {"name": name, "shape": list(value.shape), "dtype": dtype, **content}}
