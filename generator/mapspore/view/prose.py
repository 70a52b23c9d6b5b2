"""What each side does, in sentences put together from the contract, the treatment and the facts."""

from __future__ import annotations

from mapspore.entry.model import Contract, Tensors
from mapspore.facts.snapshot import Api
from mapspore.resolve.registry import Counterpart
from mapspore.text.phrases import Language, phrase
from mapspore.words.vocabulary import HANDLE, WORDS


def torch_prose(contract: Contract, api: Api | None, language: Language) -> list[str]:
    """torch's side: where the result goes, who needs what, what is returned."""
    said: list[str] = []
    for name, demand in contract.inputs.items():
        if demand.count == "group":
            said.append(phrase("prose", "input_list", language, name=name))
        if demand.at:
            said.append(phrase("prose", "needed_at", language, name=name, at=", ".join(demand.at)))
        if demand.holds:
            said.append(phrase("prose", "input_holds", language, name=name, part=demand.holds))
        if demand.splits:
            said.append(phrase("prose", "splits", language, name=name, sizes=demand.splits))
    for name, demand in contract.outputs.items():
        said.append(phrase("prose", _output_key(demand), language, name=name, part=demand.holds or ""))
        if demand.splits:
            said.append(phrase("prose", "splits", language, name=name, sizes=demand.splits))
        for key, ranks in (("needed_at", demand.at), ("written_at", demand.written_at)):
            if ranks:
                said.append(phrase("prose", key, language, name=name, at=", ".join(ranks)))
    collective = contract.collective
    if collective is None:
        return said
    for space in ("global", "group"):
        names = [name for name, counted in collective.ranks.items() if counted == space]
        if names:
            said.append(phrase("prose", f"rank_{space}", language, names=", ".join(names)))
    if collective.peer:
        said.append(phrase("prose", "peer", language))
    if collective.returns:
        said.append(phrase("prose", f"returned_{collective.returns}", language))
    if api and any(p.name == "async_op" for form in api.forms for p in form.parameters):
        said.append(phrase("prose", "work", language))
    said.append(phrase("prose", collective.non_member, language))
    return said


def _output_key(demand: Tensors) -> str:
    if demand.objects:
        return "output_objects"
    return "output_list" if demand.count == "group" else "output_holds" if demand.holds else "output_one"


def mindspore_prose(counterpart: Counterpart, language: Language) -> list[str]:
    """MindSpore's side: what it takes, what it writes itself, what it returns."""
    if counterpart.api is None or not counterpart.bindings:
        return []
    binding = counterpart.bindings[0]
    names = ", ".join(parameter.name for parameter in binding.mindspore.parameters)
    said = [phrase("prose", "takes", language, names=names)] if names else [phrase("prose", "takes_none", language)]
    returns = binding.treatment.returns or ()
    content = ", ".join(name for name in returns if name != HANDLE)
    written = written_in_place(counterpart)
    if written:
        said.append(phrase("prose", "in_place", language, names=", ".join(written)))
    if content and HANDLE in returns:
        said.append(phrase("prose", "returned_handle", language, names=content))
    elif content:
        said.append(phrase("prose", "returned", language, names=content))
    elif HANDLE in returns:
        said.append(phrase("prose", "handle_only", language))
    return said


def written_in_place(counterpart: Counterpart) -> list[str]:
    """The MindSpore parameters that it writes the result into itself: outputs passed on as they are."""
    binding = counterpart.bindings[0]
    handed_over = [
        passing
        for passing in binding.passings
        if len(passing.sources) == 1
        and passing.sources[0].name in counterpart.contract.outputs
        and passing.sources[0].name not in binding.treatment.outputs
        and all(WORDS[use.word].changes != "type" for use in passing.words if use.word in WORDS)
    ]
    return [passing.receiver.name for passing in handed_over]
