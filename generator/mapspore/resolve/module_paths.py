"""Where the adapter has an API. In: a torch name. Out: the package and the file of its module."""

from __future__ import annotations

MEMBERS = "_members"
"""How the name of a package ends that holds what belongs to a class."""


def module_of(torch: str) -> str:
    """The adapter's package for a torch name: `torch.distributed.gather` lives in `torchspore.distributed`, and what
    belongs to a class beside it, where its name cannot be taken for the class: `torch.Tensor.abs` in
    `torchspore._Tensor_members`."""
    _, *parts = torch.split(".")[:-1]
    return ".".join(["torchspore", *(f"_{part}{MEMBERS}" if part[0].isupper() else part for part in parts)])


def module_path(torch: str) -> str:
    folder = module_of(torch).replace(".", "/")
    return f"adapter/{folder}/_{torch.rpartition('.')[2]}.py"
