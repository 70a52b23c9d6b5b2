"""torch's side of a generated function: its signature with defaults, its docstring, the arguments that are refused.

In go a mapping and the parameters of one call form; out come pieces of Python that every sort of adapter begins with.
What type a parameter has is left to the emitter of that sort.
"""

from __future__ import annotations

import ast
import keyword
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mapspore.adapter.python_source import docstring, repr_, signature, wrapped
from mapspore.adapter.runtime_names import Names
from mapspore.facts.defaults import NO_GROUP_YET, is_literal, is_reduce_op
from mapspore.facts.snapshot import Parameter
from mapspore.resolve.binding import Binding
from mapspore.resolve.registry import Mapping
from mapspore.view.by_adapter import by_adapter
from mapspore.words.kinds import GENERAL_PARAMETERS
from mapspore.words.vocabulary import POLICIES


@dataclass(frozen=True, slots=True)
class Refusal:
    """An argument that MindSpore has no place for, and the default that it must stay at."""

    torch: str
    name: str
    default: str
    is_singleton: bool
    """Whether `is` tells the default apart, so that nothing need be called for the usual call."""


@dataclass(frozen=True)
class Declaration:
    """torch's signature of one call form, as Python."""

    mapping: Mapping
    parameters: tuple[Parameter, ...]
    names: Names
    type_of: Callable[[Parameter], str]

    def signature(self, name: str, returns: str, before: Sequence[str] = ()) -> str:
        """The function's name, parameters and result; `before` stand before torch's own parameters."""
        return signature(name, [*before, *self.declared()], returns)

    def declared(self) -> list[str]:
        """The parameters with their types, torch's defaults and the marks between their kinds."""
        parts: list[str] = []
        kinds = [parameter.kind for parameter in self.parameters]
        for at, parameter in enumerate(self.parameters):
            if parameter.kind == "keyword_only" and not {"keyword_only", "var_positional"} & set(kinds[:at]):
                parts.append("*")
            lead = {"var_positional": "*", "var_keyword": "**"}.get(parameter.kind, "")
            default = "" if parameter.default is None else f" = {self.default(parameter)}"
            name = f"{parameter.name}_" if keyword.iskeyword(parameter.name) else parameter.name
            parts.append(f"{lead}{name}: {self.type_of(parameter)}{default}")
            if parameter.kind == "positional_only" and kinds[at + 1 : at + 2] != ["positional_only"]:
                parts.append("/")
        return parts

    def default(self, parameter: Parameter) -> str:
        """torch's default. One that is no literal is an operator that the runtime has; or `None`, if it is a group that
        does not exist yet or of a general parameter; of any other, a caller learns that there is one."""
        source = parameter.default or "None"
        if is_literal(source):
            return repr_(ast.literal_eval(source))
        if is_reduce_op(source):
            return f"{self.names.use('ReduceOp')}.{source.partition('.')[2]}"
        return "None" if source in NO_GROUP_YET or parameter.name in GENERAL_PARAMETERS else "..."

    def docstring(self) -> str:
        """The summary, and what is called."""
        entry = self.mapping.entry
        lines = [wrapped(entry.summary.en)]
        called = () if self.mapping.only_raises else self.mapping.counterparts
        alone = by_adapter(self.mapping)
        if alone is not None:
            lines += ["", wrapped(alone.en)]
        elif self.mapping.port == "value":
            lines += ["", f"It is {called[0].target.mindspore}."]
        elif called:
            lines += ["", "Calls one of:" if len(called) > 1 else "Calls:"]
            lines += [f"- {counterpart.target.mindspore} ({counterpart.id})" for counterpart in called]
        return docstring("\n".join(lines))

    def refusals(self, binding: Binding) -> tuple[Refusal, ...]:
        """The torch arguments that have no place in a target and may not be given."""
        return tuple(self.refusal(parameter) for parameter, policy in binding.absent if POLICIES[policy].refuses)

    def refusal(self, parameter: Parameter) -> Refusal:
        self.names.use("refuse")
        default = self.default(parameter)
        return Refusal(self.mapping.name, parameter.name, default, default in ("None", "True", "False"))
