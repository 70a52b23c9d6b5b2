"""Which words a draft proposes. In: torch's and MindSpore's parameters of one call form. Out: by MindSpore parameter,
what it probably receives, as the line of an entry. When a word is proposed stands in its `draft`; a person judges each.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from mapspore.entry.canonical import scalar_text
from mapspore.facts.annotations import kinds_taken
from mapspore.facts.snapshot import Parameter
from mapspore.resolve.differences import same_default
from mapspore.words.pure import convert
from mapspore.words.types import ByDefault, ByItems, ByMerging, ByResult, BySignature, Word
from mapspore.words.vocabulary import WORDS

Sort = TypeVar("Sort", ByItems, ByMerging, ByResult, BySignature)


def merged(torch: dict[str, Parameter], mindspore: dict[str, Parameter]) -> Iterator[tuple[str, list[str], str]]:
    """What one MindSpore parameter receives from several of torch: the receiver, the sources, the line."""
    for word, draft in _proposed(ByMerging):
        sources = [name for name in draft.sources if name in torch]
        receiver = next((name for name in draft.receivers if name in mindspore), None)
        if len(sources) > 1 and receiver is not None:
            by = _flow([word.name, *draft.then] if draft.then else word.name)
            yield receiver, sources, f"{{from: {_flow(sources)}, by: {by}}}"


def split(torch: dict[str, Parameter], mindspore: dict[str, Parameter]) -> Iterator[tuple[str, str, str]]:
    """A pair in torch whose items MindSpore takes one by one: the receiver, the source, the line."""
    for word, draft in _proposed(ByItems):
        for source in torch.values():
            parts = [name for number in (1, 2) if (name := f"{source.name.removesuffix('s')}{number}") in mindspore]
            if (source.default or "").startswith("(") and len(parts) == 2:
                for index, receiver in enumerate(parts):
                    use = _use(word, {draft.option: index})
                    yield receiver, source.name, f"{{from: {source.name}, by: {use}}}"


def converted(source: Parameter, receiver: Parameter, torch: dict[str, Parameter], target: str) -> str:
    """The words by which a torch parameter probably becomes that of a MindSpore API, as the rest of a line; empty if
    none."""
    for word, draft in _proposed(BySignature):
        if target.startswith(draft.targets) and _signed(draft, source, receiver, torch):
            consulted = f", with: {draft.beside}" if draft.beside else ""
            return f"{consulted}, by: {_use(word, draft.options)}"
    if source.default is None or receiver.default is None or same_default(source.default, receiver.default):
        return ""
    for word in WORDS.values():
        options = _by_default(word, source.default, receiver.default)
        if options is not None:
            return f", by: {_use(word, options)}"
    return ""


def results(names: tuple[str, ...], target: str) -> Iterator[tuple[str, str]]:
    """Named results of torch that a MindSpore API probably gives in another form, each with the use of a word."""
    for word, draft in _proposed(ByResult):
        if draft.result in names and target.startswith(draft.targets):
            yield draft.result, _use(word, draft.options)


def _proposed(sort: type[Sort]) -> Iterator[tuple[Word, Sort]]:
    """The words that a draft proposes for one sort of reason, each with the reason."""
    for word in WORDS.values():
        if isinstance(word.draft, sort):
            yield word, word.draft


def _signed(draft: BySignature, source: Parameter, receiver: Parameter, torch: dict[str, Parameter]) -> bool:
    """Whether a torch parameter has the signature for which a word is proposed."""
    return (
        (not draft.parameters or source.name in draft.parameters)
        and draft.kind in ("", source.kind)
        and draft.annotation in ("", source.annotation)
        and (not draft.beside or draft.beside in torch)
        and (not draft.takes or draft.takes in kinds_taken(source.annotation))
        and (not draft.renamed or source.name != receiver.name)
        and (not draft.makes_float or (_default_type(source), _default_type(receiver)) == (int, float))
    )


def _default_type(parameter: Parameter) -> type | None:
    """The type of a parameter's default, if that is a literal."""
    try:
        return None if parameter.default is None else type(ast.literal_eval(parameter.default))
    except (ValueError, SyntaxError):
        return None


def _by_default(word: Word, ours: str, theirs: str) -> Mapping[str, Any] | None:
    """The options with which a word makes torch's default MindSpore's, or keeps it where MindSpore has another."""
    if word.pure and not word.options and not word.merges:
        made = convert(word.name, {}, ours)
        return {} if made is not None and same_default(made, theirs) else None
    return word.draft.options(theirs) if isinstance(word.draft, ByDefault) and ours == "None" else None


def _use(word: Word, options: Mapping[str, Any]) -> str:
    """The use of a word, as YAML."""
    return _flow({word.name: options} if options else word.name)


def _flow(value: Any) -> str:
    """A value as YAML in one line."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_flow(each)}' for key, each in value.items())}}}"
    return f"[{', '.join(map(_flow, value))}]" if isinstance(value, list | tuple) else scalar_text(value, flow=True)
