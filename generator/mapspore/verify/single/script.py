"""The smallest failing case as a program. In: a finding. Out: a script that needs nothing of mapspore: it does the
same with torch and with the adapter, or with MindSpore's own function, and prints what is different.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mapspore.cases.single.case_builder import specs
from mapspore.pages.templates import environment
from mapspore.verify.collective.run import Finding
from mapspore.verify.compare import ULP
from mapspore.verify.tensors import storage

MEASURED = {
    "gradient": "gradient",
    "object": "object",
    "object_error": "object",
    "object_gradient": "object_gradient",
    "first_values": "random",
    "draws": "random",
    "steps": "steps",
    "example": "example",
}
"""What is measured, by the kind of a case; of any other kind, what the call returns."""


def script(finding: Finding) -> str:
    """The program's text."""
    case, target = finding.case, finding.target
    first, *then = case["calls"]
    direct = case["kind"] == "direct"
    arguments = _arguments(first)
    programs = [_example(case, side) for side in ("before", "after")]
    text: str = environment().get_template("code/reproduce_alone.py.j2").render(
        title=f"{case['id']} with target {target}.",
        imported=_imports(case, direct),
        prepared=_prepared(case, direct),
        target=repr(target),
        refusal=repr(None if direct else case.get("refused", {}).get(target or "")),
        types=repr(tuple(case.get("or", ()))),
        ulp=repr(ULP),
        unkept=repr([name for name, held in case.get("state", {}).get(target, {}).items() if held is None]),
        tensors=[_array(spec, case["id"].removesuffix("/direct")) for spec in specs(case["calls"])],
        measure=f"code/measured/{MEASURED.get(case['kind'], 'call')}.py.j2",
        torch_call=f"{first['api']}({arguments.replace('$', 'torch.')})",
        other_call=_direct(case, target) if direct else f"{_offered(case, target)}({_adapted(arguments)})",
        other="mindspore" if direct else "adapter",
        object_call=f"made({_arguments(then[0])})" if then else "None",
        training=repr("evaluation" not in case.get("situations", ())),
        before=programs[0],
        after=programs[1],
        ranks=case.get("ranks", 1),
    )  # fmt: skip
    return text


def _imports(case: dict[str, Any], direct: bool) -> list[str]:
    lines = ["import subprocess", "import tempfile"] if case["kind"] == "example" else []
    if direct or case["kind"] == "example":
        return lines
    package = "torchspore" + case["calls"][0]["api"].removeprefix("torch").rpartition(".")[0]
    listed = ["import torchspore", *([f"import {package}"] if package != "torchspore" else [])]
    if case.get("of_class"):
        return [*lines, *listed, "from torchspore._runtime.targets import _apis"]
    return [*lines, *listed]


def _prepared(case: dict[str, Any], direct: bool) -> list[str]:
    """Makes the adapter of a function use the target; it has to be there before."""
    if direct or case.get("of_class") or case["one_for_all"]:
        return []
    return [f"torchspore{case['calls'][0]['api'].removeprefix('torch')}", "torchspore.use(TARGET)"]


def _offered(case: dict[str, Any], target: str | None) -> str:
    """What is called: the class of a target is taken from where its adapter is registered."""
    name = f"torchspore{case['calls'][0]['api'].removeprefix('torch')}"
    if not case.get("of_class") or target is None:
        return name
    return f"({name} and next(each.function for each in _apis[{case['entry']!r}].targets if each.id == TARGET))"


def _example(case: dict[str, Any], side: str) -> str:
    if case["kind"] != "example":
        return repr("")
    return repr(Path(f"{case['root']}/{case['example']}.{side}.py").read_text("utf-8"))


def _direct(case: dict[str, Any], target: str | None) -> str:
    direct = case["direct"][target]
    named = {key: repr(value) for key, value in direct["fixed"].items()}
    named |= {direct["passed"][name]: _adapted(_code(value)) for name, value in case["given"].items()}
    first = [name for name in direct["positional"] if name in named]
    args = [("*" if name == direct["spread"] else "") + named.pop(name) for name in first]
    return f"{direct['api']}({', '.join([*args, *(f'{key}={value}' for key, value in named.items())])})"


def _arguments(call: dict[str, Any]) -> str:
    return ", ".join([*map(_code, call["args"]), *(f"{name}={_code(value)}" for name, value in call["kwargs"].items())])


def _adapted(code: str) -> str:
    return code.replace("$bool", "mindspore.bool_").replace("$", "mindspore.")


def _code(stated: Any) -> str:
    """A stated argument as Python; `$` stands for the framework."""
    if isinstance(stated, list):
        return f"[{', '.join(map(_code, stated))}]"
    if not isinstance(stated, dict):
        return repr(stated)
    kind: str
    value: Any
    kind, value = next(iter(stated.items()), ("", None))
    if kind == "$tensor":
        return f"t[{value['name']!r}]"
    if kind == "$list":
        return _code(list(value))
    if kind == "$tuple":
        return f"({', '.join(map(_code, value))},)"
    if kind == "$iterator":
        return f"iter({_code(list(value))})"
    if kind == "$dtype":
        return f"${value}"
    return "{" + ", ".join(f"{key!r}: {_code(each)}" for key, each in stated.items()) + "}"


def _array(spec: dict[str, Any], seed: str) -> str:
    array = storage(spec, seed)
    made = f"np.array({array.tolist()!r}, {str(array.dtype)!r}).reshape({array.shape!r})"
    return f"{spec['name']!r}: ({made}, {spec['dtype']!r}, {spec.get('view', 'own')!r})"
