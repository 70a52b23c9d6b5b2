"""The smallest failing case as a program. In: a finding. Out: a script that needs nothing of mapspore: it does the same
with torch and with the adapter, or with MindSpore's own function, here or on ranks, and prints what is different.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import getsource
from typing import Any

from mapspore.cases.case_arguments import empty, specs
from mapspore.cases.collective.case_builder import groups_of
from mapspore.text.templates import environment
from mapspore.verify.collective.arguments import seed_of, some_object
from mapspore.verify.collective.compare import expected_on
from mapspore.verify.compare import ULP
from mapspore.verify.result import Finding
from mapspore.verify.sides import SOILED
from mapspore.verify.tensors import storage

Case = dict[str, Any]
MEASURED = {
    "gradient": "gradient",
    "object": "object",
    "object_error": "object",
    "object_gradient": "object_gradient",
    "first_values": "random",
    "draws": "random",
    "steps": "steps",
    "example": "example",
    "program": "program",
    "program_error": "program",
}
"""What is measured of a call in one process, by the kind of its case; of any other kind, what the call returns."""
TORCH = "torch"
ADAPTER = "torchspore"
NATIVE = "mindspore"
OWN = ("torchspore._runtime.autograd.engine", "torchspore._runtime.tensor")
"""What makes tensors as the adapter has them, and their gradients."""


def script(finding: Finding) -> str:
    """The program's text."""
    view = _on_ranks(finding) if finding.size > 1 else _in_one_process(finding)
    text: str = environment().get_template("code/reproduce.py.j2").render(**view)
    return text


def _on_ranks(finding: Finding) -> dict[str, Any]:
    case, size = finding.case, finding.size
    return _shared(finding, [seed_of(case, rank) for rank in range(size)]) | {
        "title": f"{case['id']} with target {finding.target} at {size} ranks.",
        "where": f", on {size} ranks each,",
        "imported": [
            *("import os", "import pickle", "import socket", "import subprocess", "import sys", "import tempfile"),
            *("from datetime import timedelta", "", "import numpy as np", "", "torch = torchspore = mindspore = None"),
            *("if sys.argv[1:] == ['torch']:", "    import torch", "    import torch.distributed"),
            *("elif sys.argv[1:]:", "    import mindspore", "    import torchspore.distributed"),
        ],
        "ulp": repr(dict.fromkeys(ULP, case["ulp"]) if "ulp" in case else {}),
        "expected": [f"{rank}: {code}" for rank, code in _expected(finding).items()],
        "measure": "code/measured/ranks.py.j2",
        "start": "code/started/ranks.py.j2",
        "groups": repr(groups_of(size)),
        "objects": getsource(some_object),
        "torch_call": _calls(case, TORCH),
        "other_call": _calls(case, ADAPTER),
        "prepared": [
            "if len(sys.argv) > 1:",
            "    run(sys.argv[1])",
            "    sys.stdout.flush()",
            "    os._exit(0)",
        ],
    }  # fmt: skip


def direct_view(finding: Finding) -> dict[str, Any]:
    """What a program shows that calls torch and MindSpore's own counterpart of what the runtime has."""
    case, target = finding.case, finding.target or ""
    (first, *then), direct = case["calls"], case["direct"]
    given = case["made_with"] if then else list(case["given"])
    held = case["state"].get(target, {})
    used = list(then[0].get("args", [])) + list(then[0].get("kwargs", {}).values()) if then else []
    return {
        "torch": first["api"],
        "mindspore": direct["api"],
        "tensors": [_array(spec, case["id"].removesuffix("/beside")) for spec in specs(case["calls"], 0)],
        "picked": repr(direct["picked"]),
        "object": bool(then),
        "renamed": repr(held),
        "training": bool(case.get("modes")),
        "torch_call": _call(first, TORCH),
        "torch_used": _arguments(then[0], TORCH) if then else "",
        "mindspore_call": _passed(direct, {name: case["given"][name] for name in given}),
        "mindspore_used": ", ".join(_code(value, NATIVE) for value in used),
    }


def _in_one_process(finding: Finding) -> dict[str, Any]:
    case, target = finding.case, finding.target
    first, *then = case["calls"]
    direct = case["kind"] == "direct"
    refusal = None if direct else case.get("refused", {}).get(target or "")
    programs = case.get("programs", {})
    return _shared(finding, [case["id"].removesuffix("/direct")]) | {
        "title": f"{case['id']} with target {target}.",
        "imported": _imports(case, direct),
        "own": not direct,
        "ulp": repr(ULP),
        "expected": [f"0: {refusal!r}"] if refusal else [],
        "measure": f"code/measured/{MEASURED.get(case['kind'], 'call')}.py.j2",
        "start": "code/started/here.py.j2",
        "torch_call": _call(first, TORCH),
        "other_call": _direct(case, target) if direct else _call(first, ADAPTER, _offered(case, target)),
        "other": NATIVE if direct else "adapter",
        "object_call": f"made({_arguments(then[0], TORCH)})" if then else "None",
        "training": repr("evaluation" not in case.get("situations", ())),
        "before": repr(programs.get(".before.py", "")),
        "after": repr(programs.get(".after.py", "")),
        "processes": case.get("ranks", 1),
        "program": repr(case.get("text", "")),
        "prepared": _prepared(case, direct),
    }  # fmt: skip


def _shared(finding: Finding, seeds: list[str]) -> dict[str, Any]:
    case = finding.case
    unkept = [name for name, held in case.get("state", {}).get(finding.target, {}).items() if held is None]
    return {
        "where": "",
        "target": repr(finding.target),
        "types": repr(tuple(case.get("or", ()))),
        "own": False,
        "unkept": repr(unkept),
        "stand_in": repr(case.get("stand_in", {})),
        "ranks": [[_array(spec, seed) for spec in specs(case["calls"], rank)] for rank, seed in enumerate(seeds)],
        "other": "adapter",
    }


def _expected(finding: Finding) -> dict[int, str]:
    """By rank, what torch cannot tell: the refusal that the entry speaks of, or outputs by contract."""
    case, found = finding.case, {}
    refusal = case.get("refused", {}).get(finding.target or "")
    for rank in range(finding.size):
        if refusal and rank not in case.get("outside", ()):
            found[rank] = repr(refusal)
        elif rank in case.get("unsure", ()):
            found[rank] = "{}"
        elif case.get("lacking"):
            held = expected_on(case, rank) if "oracle" in case else {}
            found[rank] = "{" + ", ".join(f"{name!r}: {_numbers(array)}" for name, array in held.items()) + "}"
    return found


def _array(spec: dict[str, Any], seed: str) -> str:
    return f"{spec['name']!r}: ({_numbers(storage(spec, seed))}, {spec['dtype']!r}, {spec.get('view', 'own')!r})"


def _numbers(array: Any) -> str:
    return f"np.array({array.tolist()!r}, {str(array.dtype)!r}).reshape({array.shape!r})"


# -- calls ------------------------------------------------------------------------------------------------------------


def _imports(case: Case, direct: bool) -> list[str]:
    lines = ["import os", *(["import subprocess"] if case["kind"] == "example" else []), "import sys"]
    lines += ["import tempfile"] if case["kind"] == "example" else []
    lines += ["", "import mindspore", "import numpy as np", "import torch"]
    if direct:
        return lines
    if case["kind"] == "example":
        return [*lines, *(f"import {each}" for each in OWN)]
    package = _name(case["calls"][0]["api"], ADAPTER).rpartition(".")[0].removesuffix(".Tensor")
    lines += [f"import {each}" for each in dict.fromkeys((ADAPTER, *OWN, package))]
    return [*lines, "from torchspore._runtime.core.targets import _apis"] if case.get("of_class") else lines


def _prepared(case: Case, direct: bool) -> list[str]:
    """Makes errors come where they belong, leaves something in memory where tensors are empty, and makes the adapter of
    a function use the target; it has to be there before."""
    lines = ["mindspore.set_context(pynative_synchronize=True)"]
    if empty(case):
        lines.append(f"soiled = [mindspore.ops.ones((size,), mindspore.float32) * 9 for size in {SOILED}]")
        lines.append("print('memory left with', *{each.asnumpy()[0] for each in soiled})")
        lines.append("del soiled")
    if direct or case.get("of_class") or case["single_implementation"]:
        return lines
    return [*lines, _name(case["calls"][0]["api"], ADAPTER), "torchspore.use(TARGET)"]


def _offered(case: Case, target: str | None) -> str:
    """What is called: the class of a target is taken from where its adapter is registered."""
    name = _name(case["calls"][0]["api"], ADAPTER)
    if not case.get("of_class") or target is None:
        return name
    return f"({name} and next(each.function for each in _apis[{case['entry']!r}].targets if each.id == TARGET))"


def _direct(case: Case, target: str | None) -> str:
    return _passed(case["direct"][target], case["given"])


def _passed(direct: dict[str, Any], given: dict[str, Any]) -> str:
    """MindSpore's own function, called with torch's arguments under its names."""
    named = {key: repr(value) for key, value in direct["fixed"].items()}
    named |= {direct["passed"][name]: _code(value, NATIVE) for name, value in given.items()}
    first = [name for name in direct["positional"] if name in named]
    args = [("*" if name == direct["variadic"] else "") + named.pop(name) for name in first]
    return f"{direct['api']}({', '.join([*args, *(f'{key}={value}' for key, value in named.items())])})"


def _calls(case: Case, package: str) -> str:
    """The calls of all ranks, each made by those that make it."""
    made = [f"*([{_call(call, package)}] if RANK in {call['callers']!r} else [])" if "callers" in call
            else _call(call, package) for call in case["calls"]]  # fmt: skip
    return f"[{', '.join(made)}]"


def _call(call: dict[str, Any], package: str, function: str | None = None) -> str:
    function = function or _name(call["api"], package)
    return function if call.get("describe") else f"{function}({_arguments(call, package)})"


def _arguments(call: dict[str, Any], package: str) -> str:
    given = [_code(value, package) for value in call.get("args", [])]
    return ", ".join(given + [f"{name}={_code(value, package)}" for name, value in call.get("kwargs", {}).items()])


def _name(api: str, package: str) -> str:
    return package + api.removeprefix("torch")


def _code(stated: Any, package: str) -> str:
    """A stated argument as Python, for torch, for the adapter or for MindSpore."""
    if isinstance(stated, list):
        return f"[{', '.join(_code(each, package) for each in stated)}]"
    if not isinstance(stated, dict):
        return repr(stated)
    kind, value = next(iter(stated.items()), ("", None))
    if kind.startswith("$"):
        return _CODE[kind](value, package)
    return "{" + ", ".join(f"{key!r}: {_code(each, package)}" for key, each in stated.items()) + "}"


def _dtype(name: str, package: str) -> str:
    return f"torch.{name}" if package == TORCH else "mindspore.bool_" if name == "bool" else f"mindspore.{name}"


def _group_name(name: str, package: str) -> str:
    return f"GROUPS[{name!r}]" if package == TORCH else f"getattr(GROUPS[{name!r}], 'name', None)"


def _by_rank(values: list[Any], package: str) -> str:
    return f"[{', '.join(f'lambda: {_code(value, package)}' for value in values)}][RANK]()"


_CODE: dict[str, Callable[[Any, str], str]] = {
    "$tensor": lambda spec, _: f"t[{spec['name']!r}]",
    "$list": _code,
    "$tuple": lambda items, package: f"tuple({_code(items, package)})",
    "$iterator": lambda items, package: f"iter({_code(items, package)})",
    "$dtype": _dtype,
    "$numpy": lambda stated, _: f"np.{stated[0]}({stated[1]!r})",
    "$objects": lambda spec, package: f"objects({spec['name']!r}, {_code(spec['items'], package)})",
    "$object": lambda spec, _: f"some_object({spec[0]!r}, {spec[1]}, RANK)",
    "$op": lambda name, package: f"{package}.distributed.ReduceOp.{name}",
    "$foreign_op": lambda name, _: f"__import__('torch').distributed.ReduceOp.{name}",
    "$group": lambda name, _: f"GROUPS[{name!r}]",
    "$group_name": _group_name,
    "$world": lambda _, package: f"{package}.distributed.GroupMember.WORLD",
    "$seconds": lambda number, _: f"timedelta(seconds={number})",
    "$by_rank": _by_rank,
    "$api": _name,
    "$new": lambda stated, package: f"{_name(stated[0], package)}({_code(stated[1:], package)[1:-1]})",
}
