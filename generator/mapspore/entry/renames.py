"""Keys and words of entries that have another name now. In: an entry's data as read. Out: the same data under the
names of today, each value with the place that it had; and, for a message, the name of today of a single key.

`fix` writes what comes out; `parse` and `check` only name the successor. A word tells its own former name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mapspore.entry.model import Contract, Model, Tensors, Treatment
from mapspore.entry.yaml_events import Block, Items, Span
from mapspore.words.vocabulary import WORDS

KEYS: Mapping[type[Model], Mapping[str, str]] = {
    Contract: {"outputs": "writes", "inputs": "reads", "keeps": "state_if"},
    Treatment: {
        "keep": "leave_default",
        "outputs": "fill",
        "result": "hand_back",
        "results": "convert_returns",
        "accepts": "requires",
        "supports": "only",
    },
}
"""By the model that has the key: its former name, and the one of today."""

TO_VERIFY: Mapping[type[Model], tuple[str, ...]] = {
    Contract: ("samples", "calls", "random", "reference_lacks"),
    Tensors: ("values", "distinct"),
}
"""Keys that only `verify` reads: they stood in the contract and stand under the entry's `verify` now."""

FORMER_WORDS: Mapping[str, str] = {word.formerly: word.name for word in WORDS.values() if word.formerly}


def successor(models: Iterable[type[Model]], key: str) -> str | None:
    """The name of today of a key that one of these models had; None if none of them did."""
    for model in models:
        for base in model.__mro__:
            if key in KEYS.get(base, ()):
                return KEYS[base][key]
            if key in TO_VERIFY.get(base, ()):
                return f"verify.{key}"
    return None


def with_names_of_today(data: Any) -> Any:
    """The data of an entry under the names of today; what does not have the form of an entry stays as it is."""
    if not isinstance(data, Block):
        return data
    entry = _copied(data)
    contract = entry.get("contract")
    if isinstance(contract, Block):
        _rename(contract, KEYS[Contract])
        _move_to_verify(entry, contract)
    for target in _blocks(entry.get("targets")):
        for part in (target, *_blocks(target.get("forms")), target.get("call")):
            if isinstance(part, Block):
                _rename(part, KEYS[Treatment])
                _rename_words(part)
    return entry


def _copied(node: Any) -> Any:
    """The same data with the same places, to be changed."""
    if isinstance(node, Block):
        block = Block(node.span, node.flow)
        for key, value in node.items():
            _put(block, key, _copied(value), node.keys_at[key], node.values_at[key])
        return block
    if isinstance(node, Items):
        items = Items(node.span, node.flow)
        items += map(_copied, node)
        items.items_at += node.items_at
        return items
    return node


def _put(block: Block, key: str, value: Any, key_at: Span, value_at: Span) -> None:
    block[key], block.keys_at[key], block.values_at[key] = value, key_at, value_at


def _taken(block: Block, key: str) -> tuple[Any, Span, Span]:
    """A value with its places, which is in the block no longer."""
    return block.pop(key), block.keys_at.pop(key), block.values_at.pop(key)


def _blocks(node: Any) -> list[Block]:
    return [item for item in node if isinstance(item, Block)] if isinstance(node, Items) else []


def _rename(block: Block, names: Mapping[str, str]) -> None:
    """Keys under their names of today; one whose name of today is there already stays, for a person to see."""
    for former, name in names.items():
        if former in block and name not in block:
            _put(block, name, *_taken(block, former))


def _move_to_verify(entry: Block, contract: Block) -> None:
    """What only `verify` reads goes from the contract to the entry's own key; an empty contract goes altogether."""
    verify = entry.get("verify", Block(contract.span, flow=False))
    if not isinstance(verify, Block):
        return
    for key in TO_VERIFY[Contract]:
        if key in contract and key not in verify:
            _put(verify, key, *_taken(contract, key))
    for parameters in (contract.get("reads"), contract.get("writes")):
        for name, demands in parameters.items() if isinstance(parameters, Block) else ():
            if isinstance(demands, Block):
                _move_demands(verify, name, demands)
    if verify and "verify" not in entry:
        first = min(verify.keys_at.values())
        _put(entry, "verify", verify, first, first)
    if not contract:
        _taken(entry, "contract")


def _move_demands(verify: Block, name: str, demands: Block) -> None:
    """The elements that a tensor is to be tried with: from the parameter's line to `verify`."""
    if "values" in demands:
        value, key_at, value_at = _taken(demands, "values")
        ranges = _below(verify, "values", key_at, lambda: Block(key_at, flow=True))
        _put(ranges, name, value, key_at, value_at)
    if "distinct" in demands:
        value, key_at, _ = _taken(demands, "distinct")
        if value is True:
            names = _below(verify, "distinct", key_at, lambda: Items(key_at, flow=True))
            names.append(name)
            names.items_at.append(key_at)


def _below(block: Block, key: str, at: Span, empty: Callable[[], Any]) -> Any:
    if key not in block:
        _put(block, key, empty(), at, at)
    return block[key]


def _rename_words(treatment: Block) -> None:
    """The words of a treatment under their names of today, alone, with options, or several in a list."""
    for key in ("arguments", "fill"):
        uses = treatment.get(key)
        for receiver in uses.values() if isinstance(uses, Block) else ():
            if isinstance(receiver, Block) and "by" in receiver:
                receiver["by"] = _renamed_words(receiver["by"])
    converted = treatment.get("convert_returns")
    if isinstance(converted, Block):
        converted.update({name: _renamed_words(words) for name, words in converted.items()})


def _renamed_words(words: Any) -> Any:
    if isinstance(words, str):
        return FORMER_WORDS.get(words, words)
    if isinstance(words, Block):
        _rename(words, FORMER_WORDS)
    elif isinstance(words, Items):
        words[:] = [_renamed_words(word) for word in words]
    return words
