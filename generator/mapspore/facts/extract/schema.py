"""Operator schemas as forms: the name of one of torch's operators goes in, its overloads as Python calls come
out.

A schema is what torch's own argument parser is generated from. The variants that write into given tensors are
folded into the others as the parameter `out`, as torch's Python calls have it.
"""

import re
from typing import Any

from mapspore.facts.snapshot import Parameter, Signature

_TYPES = {"Scalar": "Number", "SymInt": "int", "ScalarType": "dtype", "Layout": "layout", "Device": "device"}
_OPTIONS = frozenset({"dtype", "layout", "device", "pin_memory"})


def forms(operator: str) -> tuple[Signature, ...]:
    """The calls of one operator."""
    import torch

    schemas = torch._C._jit_get_schemas_for_operator(f"aten::{operator}")
    writing = [_key(schema) for schema in schemas if _outputs(schema)]
    return tuple(_form(schema, _key(schema) in writing) for schema in schemas if not _outputs(schema))


def _form(schema: Any, writes: bool) -> Signature:
    types = _type_texts(str(schema))
    parameters = [
        Parameter(
            "input" if argument.name == "self" and str(argument.type) == "Tensor" else argument.name,
            "keyword_only" if argument.kwarg_only else "positional_or_keyword",
            repr(argument.default_value) if argument.has_default_value() else None,
            annotation=types[argument.name],
        )
        for argument in schema.arguments
    ]
    several = len(schema.returns) > 1
    if writes:
        annotation = "tuple[Tensor, ...] | None" if several else "Tensor | None"
        parameters.append(Parameter("out", "keyword_only", "None", annotation=annotation))
    if types.keys() >= _OPTIONS:
        # What creates a tensor takes this in Python, where the schema ends.
        parameters.append(Parameter("requires_grad", "keyword_only", "False", annotation="bool"))
    names = tuple(value.name for value in schema.returns)
    returns = "tuple[" + ", ".join("Tensor" for _ in names) + "]" if several else "Tensor"
    return Signature(tuple(parameters), returns, names if several and all(names) else ())


def _outputs(schema: Any) -> list[str]:
    return [argument.name for argument in schema.arguments if argument.alias_info and argument.alias_info.is_write]


def _key(schema: Any) -> tuple[tuple[str, str], ...]:
    names = {argument.name for argument in schema.arguments}
    ignored = {*_outputs(schema), *(_OPTIONS if names >= _OPTIONS else ())}
    return tuple((a.name, str(a.type)) for a in schema.arguments if a.name not in ignored)


def _type_texts(text: str) -> dict[str, str]:
    arguments = text[text.index("(") + 1 : text.index(" ->")]
    found = re.findall(r"(\w+)(?:\([^)]*\))?(\[\d*\])?(\?)? (\w+)(?==|,|\))", arguments)
    annotations = {}
    for base, many, optional, name in found:
        annotation = _TYPES.get(base, base)
        if many:
            single = f"{annotation} | " if many != "[]" else ""
            annotation = f"{single}Sequence[{annotation}]"
        annotations[name] = f"{annotation} | None" if optional else annotation
    return annotations
