"""What torch has, for an adapter that is asked for a name without an entry. In: the facts of torch. Out: a list that
the adapter reads where it stands, since it has neither facts nor registry: the version, a line per module with the
public names in it, one of the members of tensors, and one of the modules whose names the facts do not hold. What
entries there are is left to the adapter's packages.
"""

from __future__ import annotations

from mapspore.base.artifact import MARK, Artifact
from mapspore.facts.snapshot import Facts

PATH = "adapter/torchspore/_names.txt"
TENSOR = "torch.Tensor"


def names_artifact(torch: Facts) -> Artifact:
    """The list. It changes with the facts only."""
    held: dict[str, set[str]] = {module: set() for module, covered in torch.modules.items() if covered}
    for name in (*torch.names, *torch.places):
        module, _, last = name.rpartition(".")
        if module in torch.modules:
            held.setdefault(module, set()).add(last)
    lines = [f"{module}: {' '.join(sorted(held[module]))}".rstrip() for module in sorted(held)]
    owner = f"{TENSOR}."
    members = (name.removeprefix(owner) for name in torch.names if name.startswith(owner))
    others = (module for module in torch.modules if module not in held)
    lines += [f"members of {TENSOR}: {' '.join(sorted(members))}", f"other modules: {' '.join(sorted(others))}"]
    return Artifact(PATH, "\n".join([f"# {MARK} from facts/; do not edit.", torch.version, *lines]) + "\n")
