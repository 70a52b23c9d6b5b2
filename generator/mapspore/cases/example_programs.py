"""The two programs that a page shows. In: a mapping. Out: the program for torch and the same through the adapter: the
file beside the entry, or else one made from the plan that `verify` takes its cases from; none where there is neither.
"""

from __future__ import annotations

from mapspore.cases.collective.plan import CollectivePlan, Part, collective_plan
from mapspore.cases.ported import ported
from mapspore.cases.programs import Programs
from mapspore.entry.load import AFTER, BEFORE
from mapspore.facts.snapshot import Parameter
from mapspore.resolve.registry import Mapping

OPENING = (
    "import torch.distributed as dist", "",
    'dist.init_process_group("gloo")',
    "rank, size = dist.get_rank(), dist.get_world_size()", "",
)  # fmt: skip
CLOSING = ("", "dist.destroy_process_group()", "")
TENSORS = "import torch\n"


def programs(mapping: Mapping) -> Programs | None:
    examples = mapping.source.examples
    if BEFORE in examples:
        return Programs(examples[BEFORE], examples.get(AFTER) or ported(examples[BEFORE], mapping.name), False)
    if not mapping.name.startswith("torch.distributed.") or mapping.name.count(".") != 2:
        return None
    before = _program(collective_plan(mapping))
    return None if before is None else Programs(before, ported(before, mapping.name), True)


def _program(found: CollectivePlan) -> str | None:
    """A whole program for two or more ranks, or nothing where the plan does not tell how to call it."""
    make = {"collective": _collective, "peer": _peer, "plain": _plain}.get(found.kind)
    called = f"dist.{found.name.rpartition('.')[2]}("
    body = ["print(rank, size)"] if any(called in line for line in (*OPENING, *CLOSING)) else make and make(found)
    if not body:
        return None
    text = "\n".join([*OPENING, *body, *CLOSING])
    return TENSORS + text if "torch.tensor(" in text else text


def _collective(found: CollectivePlan) -> list[str] | None:
    given = {part.name: part.name for part in found.parts}
    if found.root:
        given[found.root] = "0"
    if any(part.layout == "some" and not part.objects for part in found.parts):
        return None
    lines = [f"{part.name} = {_value(part)}" for part in found.parts]
    return [*lines, f"{_called(found, given)}", f"print({', '.join(['rank', *_printed(found)])})"]


def _peer(found: CollectivePlan) -> list[str] | None:
    """The first rank sends, the second receives; one of the two is the API that the page is about."""
    part, short = found.parts[0], found.name.rpartition(".")[2]
    first, last = ('["some object"]', "[None]") if part.objects else ("torch.tensor([1, 2])", "torch.tensor([0, 0])")
    sent, received = (short, short.replace("send", "recv")) if part.read else (short.replace("recv", "send"), short)
    end = ".wait()" if found.returns == "work" else ""
    return [
        f"{part.name} = {first} if rank == 0 else {last}",
        "if rank == 0:",
        f"    dist.{sent}({part.name}, dst=1){end}",
        "elif rank == 1:",
        f"    dist.{received}({part.name}, src=0){end}",
        f"print(rank, {part.name if part.objects else f'{part.name}.tolist()'})",
    ]


def _plain(found: CollectivePlan) -> list[str] | None:
    given: dict[str, str] = {}
    for parameter in found.parameters:
        if found.roles.get(parameter.name) == "group" and parameter.default is None:
            given[parameter.name] = "dist.group.WORLD"
        elif parameter.name in found.samples:
            sample = found.samples[parameter.name][0]
            if not isinstance(sample, bool | int | str):
                return None
            given[parameter.name] = repr(sample)
        elif parameter.default is None and not parameter.kind.startswith("var_"):
            return None
    return [f"print(rank, {_called(found, given)})"]


def _called(found: CollectivePlan, given: dict[str, str]) -> str:
    """The call: by position as far as nothing is left out, then by keyword."""
    parts: list[str] = []
    gap = False
    for parameter in found.parameters:
        if parameter.name not in given:
            gap = True
        else:
            parts.append(_argument(parameter, given[parameter.name], gap))
    return f"dist.{found.name.rpartition('.')[2]}({', '.join(parts)})"


def _argument(parameter: Parameter, value: str, gap: bool) -> str:
    by_keyword = gap or parameter.kind == "keyword_only" or (value.isdigit() and parameter.default is not None)
    return f"{parameter.name}={value}" if by_keyword else value


def _value(part: Part) -> str:
    made = _objects(part) if part.objects else _tensors(part)
    return f"{made} if rank == 0 else None" if part.at_root else made


def _objects(part: Part) -> str:
    if part.layout == "list":
        return '[f"object {each}" for each in range(size)]' if part.read else "[None] * size"
    if part.layout == "some":
        return '[f"object of rank {rank}"]' if part.read else "[None]"
    return '{"rank": rank}'


def _tensors(part: Part) -> str:
    if part.layout == "list":
        each = "torch.tensor([10 * rank + each] * 2) for each in range(size)"
        return f"[{each}]" if part.read else "[torch.tensor([0, 0]) for _ in range(size)]"
    if part.layout in ("joined", "split"):
        read = "torch.tensor([10 * rank + each for each in range(2 * size)])"
        return read if part.read else "torch.tensor([0, 0] * size)"
    return "torch.tensor([rank + 1, 10 * (rank + 1)])" if part.read else "torch.tensor([0, 0])"


def _printed(found: CollectivePlan) -> list[str]:
    shown = []
    for part in found.outputs:
        if part.objects:
            shown.append(part.name)
        elif part.layout == "list":
            shown.append(f"[each.tolist() for each in {part.name}{' or []' if part.at_root else ''}]")
        else:
            shown.append(f"{part.name}.tolist()")
    return shown or ['"done"']
