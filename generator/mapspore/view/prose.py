"""What each side does, in sentences put together from the contract, the treatment and the facts."""

from __future__ import annotations

from mapspore.entry.model import Contract, Tensors
from mapspore.facts.snapshot import Api
from mapspore.resolve.registry import Counterpart
from mapspore.view.entry_view import Text
from mapspore.view.sentences import said
from mapspore.words.vocabulary import HANDLE, WORDS


def torch_prose(contract: Contract, api: Api | None) -> list[Text]:
    """torch's side: where the result goes, who needs what, what is returned."""
    sentences: list[Text] = []
    for name, demand in contract.reads.items():
        if demand.count == "group":
            sentences.append(said("prose", "input_list", name=name))
        if demand.at:
            sentences.append(said("prose", "needed_at", name=name, at=", ".join(demand.at)))
        if demand.holds:
            sentences.append(said("prose", "input_holds", name=name, part=demand.holds))
        if demand.splits:
            sentences.append(said("prose", "splits", name=name, sizes=demand.splits))
    for name, demand in contract.writes.items():
        sentences.append(said("prose", _output_key(demand), name=name, part=demand.holds or ""))
        if demand.splits:
            sentences.append(said("prose", "splits", name=name, sizes=demand.splits))
        for key, ranks in (("needed_at", demand.at), ("written_at", demand.written_at)):
            if ranks:
                sentences.append(said("prose", key, name=name, at=", ".join(ranks)))
    collective = contract.collective
    if collective is None:
        return sentences
    for space in ("global", "group"):
        names = [name for name, counted in collective.ranks.items() if counted == space]
        if names:
            sentences.append(said("prose", f"rank_{space}", names=", ".join(names)))
    if collective.peer:
        sentences.append(said("prose", "peer"))
    if collective.returns:
        sentences.append(said("prose", f"returned_{collective.returns}"))
    if api and any(p.name == "async_op" for form in api.forms for p in form.parameters):
        sentences.append(said("prose", "work"))
    sentences.append(said("prose", collective.non_member))
    return sentences


def _output_key(demand: Tensors) -> str:
    if demand.objects:
        return "output_objects"
    return "output_list" if demand.count == "group" else "output_holds" if demand.holds else "output_one"


def mindspore_prose(counterpart: Counterpart) -> list[Text]:
    """MindSpore's side: what it takes, what it writes itself, what it returns."""
    if counterpart.api is None or not counterpart.bindings:
        return []
    binding = counterpart.bindings[0]
    names = ", ".join(parameter.name for parameter in binding.mindspore.parameters)
    sentences = [said("prose", "takes", names=names)] if names else [said("prose", "takes_none")]
    returns = binding.treatment.returns or ()
    content = ", ".join(name for name in returns if name != HANDLE)
    written = written_in_place(counterpart)
    if written:
        sentences.append(said("prose", "in_place", names=", ".join(written)))
    if content and HANDLE in returns:
        sentences.append(said("prose", "returned_handle", names=content))
    elif content:
        sentences.append(said("prose", "returned", names=content))
    elif HANDLE in returns:
        sentences.append(said("prose", "handle_only"))
    return sentences


def written_in_place(counterpart: Counterpart) -> list[str]:
    """The MindSpore parameters that it writes the result into itself: outputs passed on as they are."""
    binding = counterpart.bindings[0]
    handed_over = [
        route
        for route in binding.routes
        if len(route.sources) == 1
        and route.sources[0].name in counterpart.contract.writes
        and route.sources[0].name not in binding.treatment.fill
        and all(WORDS[use.word].changes != "type" for use in route.words if use.word in WORDS)
    ]
    return [route.receiver.name for route in handed_over]
