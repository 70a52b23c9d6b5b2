"""Methods that a function's entry answers for. In: the facts of a function and of a method whose docstring points to
it. Out: whether a call of the method is a call of the function, with the method's object as the first argument.
"""

from __future__ import annotations

from mapspore.facts.snapshot import Api, Facts, Parameter, Signature
from mapspore.words.kinds import GENERAL_PARAMETERS


def answered_methods(name: str, api: Api | None, torch: Facts) -> tuple[str, ...]:
    """The methods that mean what a function does, by their docstrings and by their signatures."""
    if api is None or api.kind != "function":
        return ()
    methods = (torch.get(method) for method in torch.methods_of.get(name, ()))
    return tuple(method.name for method in methods if method is not None and _fits(method, api))


def _fits(method: Api, function: Api) -> bool:
    """Whether the function has every call form of the method, its tensor put before the others."""
    known = [_taken(form)[1:] for form in function.forms if _starts_with_tensor(form)]
    return bool(method.forms) and all(_taken(form) in known for form in method.forms)


def _starts_with_tensor(form: Signature) -> bool:
    return bool(form.parameters) and form.parameters[0].annotation == "Tensor"


def _taken(form: Signature) -> list[tuple[str, str, bool]]:
    return [_slot(parameter) for parameter in form.parameters if parameter.name not in GENERAL_PARAMETERS]


def _slot(parameter: Parameter) -> tuple[str, str, bool]:
    return parameter.name, parameter.kind, parameter.required
