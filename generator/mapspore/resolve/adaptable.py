"""Whether an adapter can be generated. In: a mapping. Out: what stands in the way, or nothing. Writing it is left to
`adapter`.
"""

from __future__ import annotations

import keyword

from mapspore.entry.model import Contract
from mapspore.facts.defaults import NO_GROUP_YET, is_literal, is_reduce_op
from mapspore.facts.snapshot import Api, Signature
from mapspore.resolve.binding import Binding
from mapspore.resolve.registry import Counterpart, Mapping, Obstacle
from mapspore.words.kinds import GENERAL_PARAMETERS
from mapspore.words.vocabulary import COLLECTIVE_CONVENTIONS, POLICIES

CALLABLE = ("function", "method", "property", "class")


def obstacle_of(mapping: Mapping) -> Obstacle | None:
    """Why no adapter is generated; None where one is: from the runtime, as a refusal, or for calls that all
    counterparts take."""
    api = mapping.api
    if api is None:
        return "unknown_api"
    if mapping.port == "runtime":
        return None if api.kind != "function" or _is_passed_on(mapping, api) else "signature"
    if mapping.only_raises:
        return None if api.kind == "class" or (api.kind == "function" and api.forms) else "not_callable"
    if mapping.port == "value":
        return None if len(mapping.counterparts) == 1 else "several_values"
    if mapping.port in ("answer", "unneeded"):
        return None if all(map(_declarable, api.forms)) else "signature"
    if api.kind not in CALLABLE or not (api.forms or api.kind == "property"):
        return "not_callable"
    return _obstacle_to_calls(mapping, api)


def returns_nothing(api: Api) -> bool:
    """Whether a function is called for what it does: any other that needs no doing is a decorator or a context."""
    return "enter" not in api.protocol and bool(api.forms) and all(form.returns == "None" for form in api.forms)


def _obstacle_to_calls(mapping: Mapping, api: Api) -> Obstacle | None:
    contract = mapping.entry.contract
    joined = [c for each in mapping.counterparts for c in (each, each.call) if c is not None]
    if not all(counterpart.bindings and not counterpart.untreated for counterpart in joined):
        return "overloads"
    if api.kind == "class" and len(api.forms) != 1:
        return "overloads"
    if not _known_shape(contract, mapping.counterparts):
        return "contract"
    bindings = [binding for counterpart in joined for binding in counterpart.bindings]
    if not all(_expressible(binding, contract) for binding in bindings):
        return "signature"
    return None if all(_settled(binding, contract) for binding in bindings) else "contract"


def _known_shape(contract: Contract, counterparts: tuple[Counterpart, ...]) -> bool:
    """Collectives have a group, at most one output, and ranks in both spaces or none; others have no outputs."""
    collective = contract.collective
    if collective is None:
        return not contract.writes
    bindings = [b for c in counterparts for b in c.bindings]
    names = {p.name for b in bindings for p in b.torch.parameters}
    spaces = sorted(collective.ranks.values())
    one_form = len(bindings) == len(counterparts)
    return one_form and len(contract.writes) <= 1 and "group" in names and spaces in ([], ["global", "group"])


def _expressible(binding: Binding, contract: Contract) -> bool:
    """Whether both signatures can be written down: no names that Python keeps, defaults that have a meaning here; and
    for a collective no variadics."""
    receivers = [route.receiver for route in binding.routes]
    variadic = any(p.kind.startswith("var_") for p in (*receivers, *binding.torch.parameters))
    if any(keyword.iskeyword(p.name) or p.kind == "var_keyword" for p in receivers):
        return False
    return _declarable(binding.torch) and not (variadic and contract.collective)


def _is_passed_on(mapping: Mapping, api: Api) -> bool:
    """Whether a function of the runtime gets the calls of torch's: where there is one form and no group, no default has
    to be written down."""
    if len(api.forms) == 1 and not mapping.needs_ranks:
        return _named(api.forms[0])
    return all(map(_declarable, api.forms))


def _named(form: Signature) -> bool:
    return not any(keyword.iskeyword(p.name) for p in form.parameters)


def _declarable(form: Signature) -> bool:
    return _named(form) and all(
        p.default is None
        or is_literal(p.default)
        or is_reduce_op(p.default)
        or p.default in NO_GROUP_YET
        or p.name in GENERAL_PARAMETERS
        for p in form.parameters
    )


def _settled(binding: Binding, contract: Contract) -> bool:
    """Whether nothing that a collective settles before the call, such as the group, is left for a target to refuse."""
    if contract.collective is None:
        return True
    settled = {*contract.collective.ranks, *COLLECTIVE_CONVENTIONS}
    refusing = {name for name, policy in POLICIES.items() if policy.refuses or policy.method}
    return not any(parameter.name in settled and policy in refusing for parameter, policy in binding.absent)
