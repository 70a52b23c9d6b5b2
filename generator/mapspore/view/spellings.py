"""Every way to spell an API's name that leads to its entry. In: its names in torch and in MindSpore. Out: names, each
with how good a match it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

SHORT_MODULES = {
    "torch.distributed": "dist",
    "torch.nn.functional": "F",
    "torch.nn": "nn",
    "torch.optim": "optim",
    "torch.optim.lr_scheduler": "lr_scheduler",
    "torch.Tensor": "Tensor",
}


def spellings(torch: str, aliases: Iterable[str], targets: Iterable[str] = ()) -> Iterator[tuple[str, int]]:
    """Every name that finds an entry, with how good a match it is (0 is the name itself)."""
    for rank, name in ((0, torch), *((1, alias) for alias in aliases)):
        yield name, rank
        module, _, last = name.rpartition(".")
        yield name.removeprefix("torch."), 2
        for long, short in SHORT_MODULES.items():
            if module == long or module.startswith(long + "."):
                yield f"{short}{name.removeprefix(long)}", 2
        yield last, 3
        yield last.replace("_", ""), 4
    for name in targets:
        yield name, 1
        yield name.removeprefix("mindspore."), 3
        yield ".".join(name.split(".")[-2:]), 3
        yield name.rpartition(".")[2], 4
