"""The smallest failing case as a program. In: a finding. Out: a script that needs nothing of mapspore: it makes the
same call with torch and with the adapter, or with MindSpore's own function, and prints what is different.
"""

from __future__ import annotations

from typing import Any

from mapspore.render import environment
from mapspore.verify.alone.compare import ULP
from mapspore.verify.alone.values import storage
from mapspore.verify.run import Finding


def script(finding: Finding) -> str:
    """The program's text."""
    case = finding.case
    (call,) = case["calls"]
    seed = case["id"].removesuffix("/direct")
    name = str(call["api"]).removeprefix("torch")
    direct = case["kind"] == "direct"
    gradient = case["kind"] == "gradient"
    arguments = _arguments(call["args"], call["kwargs"])
    text: str = environment().get_template("code/reproduce_alone.py.j2").render(
        title=f"{case['id']} with target {finding.target}.",
        imported="import torchspore" + (name.rpartition(".")[0] and f"\nimport torchspore{name.rpartition('.')[0]}"),
        target=repr(finding.target),
        refusal=repr(case.get("refused", {}).get(finding.target or "") if not direct else None),
        ulp=repr(ULP),
        tensors=[_array(spec, seed) for spec in _specs([call["args"], call["kwargs"]])],
        torch_call=f"torch{name}({arguments.replace('$', 'torch.')})",
        other="mindspore" if direct else "adapter",
        other_call=_direct(case, finding.target) if direct else f"torchspore{name}({_adapted(arguments)})",
        measured="gradients(lib, call)" if gradient else "call(tensors(lib))",
        gradient=gradient,
    )  # fmt: skip
    return text


def _direct(case: dict[str, Any], target: str | None) -> str:
    direct = case["direct"][target]
    named = {key: repr(value) for key, value in direct["fixed"].items()}
    named |= {direct["passed"][name]: _adapted(_code(value)) for name, value in case["given"].items()}
    args = [
        ("*" if name == direct["spread"] else "") + named.pop(name) for name in direct["positional"] if name in named
    ]
    return f"{direct['api']}({', '.join([*args, *(f'{key}={value}' for key, value in named.items())])})"


def _arguments(args: list[Any], kwargs: dict[str, Any]) -> str:
    return ", ".join([*map(_code, args), *(f"{name}={_code(value)}" for name, value in kwargs.items())])


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
    if kind == "$dtype":
        return f"${value}"
    return "{" + ", ".join(f"{key!r}: {_code(each)}" for key, each in stated.items()) + "}"


def _specs(stated: Any) -> list[dict[str, Any]]:
    """The tensors in stated arguments."""
    if isinstance(stated, list):
        return [spec for each in stated for spec in _specs(each)]
    if not isinstance(stated, dict):
        return []
    if "$tensor" in stated:
        return [stated["$tensor"]]
    return [spec for each in stated.values() for spec in _specs(each)]


def _array(spec: dict[str, Any], seed: str) -> str:
    array = storage(spec, seed)
    made = f"np.array({array.tolist()!r}, {str(array.dtype)!r}).reshape({array.shape!r})"
    return f"{spec['name']!r}: ({made}, {spec['dtype']!r}, {spec.get('view', 'own')!r})"
