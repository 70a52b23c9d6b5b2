"""Signatures and calls as people read them: one parameter per line, a typical call, a documented return type.

The facts of an API go in, text comes out; nothing here depends on a language.
"""

from __future__ import annotations

import re

from mapspore.facts.snapshot import Api, Parameter, Signature
from mapspore.resolve.registry import Mapping

UNCALLED = ("property", "constant")


def signature_texts(name: str, api: Api | None) -> tuple[str, ...]:
    """Each overload as Python, one parameter per line; for a class also how its objects are called; of what is not
    called, the name."""
    if api is None:
        return ()
    if api.kind in UNCALLED:
        return (name,)
    called = (signature_text(f"{name}.__call__", form) for form in api.call)
    return (*(signature_text(name, form) for form in api.forms), *called)


def signature_text(name: str, form: Signature) -> str:
    if not form.parameters:
        return f"{name}()"
    lines = [f"{name}("]
    lines += [f"    {part}," for part in parameter_texts(form.parameters)]
    return "\n".join([*lines[:-1], lines[-1].rstrip(","), ")"])


def parameter_texts(parameters: tuple[Parameter, ...]) -> list[str]:
    """The parameters as Python prints them, with the markers for positional-only and keyword-only ones."""
    parts: list[str] = []
    starred = False
    for index, parameter in enumerate(parameters):
        if parameter.kind == "keyword_only" and not starred:
            parts.append("*")
            starred = True
        lead = {"var_positional": "*", "var_keyword": "**"}.get(parameter.kind, "")
        starred = starred or lead == "*"
        default = f"={parameter.default}" if parameter.default is not None else ""
        parts.append(f"{lead}{parameter.name}{default}")
        following = parameters[index + 1] if index + 1 < len(parameters) else None
        if parameter.kind == "positional_only" and (following is None or following.kind != "positional_only"):
            parts.append("/")
    return parts


def usage(mapping: Mapping) -> tuple[str, str]:
    """What is written once, a blank line, and the call: with torch, and with the adapter."""
    module, _, short = mapping.name.rpartition(".")
    if module == "torch.Tensor":
        read = mapping.api is not None and mapping.api.kind == "property"
        called = f"tensor.{short}" if read else f"tensor.{short}({', '.join(_call_parts(mapping))})"
        preferred = mapping.preferred()
        if read and preferred is not None and preferred.target.mindspore == f"mindspore.Tensor.{short}":
            return f"import torch\n\n{called}", f"import torchspore\n\n{called}"  # MindSpore's tensors have it
        return f"import torch\n\n{called}", f"import torchspore\ntorchspore.install_tensor_methods()\n\n{called}"
    alias = {"torch.distributed": "dist", "torch.nn.functional": "F"}.get(module, module.rsplit(".", 1)[-1])
    call = f"{alias}.{short}"
    if mapping.api is None or mapping.api.kind == "function" or any(form.parameters for form in mapping.api.forms):
        call += f"({', '.join(_call_parts(mapping))})"
    first, second = (
        f"import {package}\n\n{call}" if package == alias else f"import {package} as {alias}\n\n{call}"
        for package in (module, "torchspore" + module.removeprefix("torch"))
    )
    return first, second


def _call_parts(mapping: Mapping) -> list[str]:
    """The arguments of a typical call: what is required, and what the contract speaks of."""
    form = mapping.api.forms[0] if mapping.api and mapping.api.forms else None
    contract = mapping.entry.contract
    spoken = {*contract.writes, *contract.reads}
    spoken.update(demand.at[0] for demand in contract.writes.values() if demand.at)
    parts = []
    for parameter in form.parameters if form else ():
        name = parameter.name
        if parameter.kind.startswith("var_"):
            parts.append(("*" if parameter.kind == "var_positional" else "**") + name)
        elif parameter.default is None and parameter.kind != "keyword_only":
            parts.append(name)
        elif name in spoken:
            parts.append(f"{name}={name}")
    return parts


def documented_type(api: Api | None) -> str:
    """The type part of a documented return: `Tuple(Tensor, CommHandle), if …` gives what stands before `, if`."""
    text = (api.returns_doc or "") if api else ""
    depth, found = 0, ""
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if sign in ",.;" and depth == 0:
            break
        found += sign
    found = found.strip()
    return found if re.fullmatch(r"[A-Za-z_.]+(?:[\[(].*[\])])?", found) else ""
