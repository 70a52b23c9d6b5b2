"""A new entry's first draft: everything that the facts can tell, and a marked line for each judgement.

A torch name and its counterparts go in, canonical YAML comes out. It passes `check` but for the lines that
carry the comment `# judgement`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from mapspore.author.suggestions import converted, merged, results, split
from mapspore.check.rules.base import alike
from mapspore.check.rules.names import entry_path
from mapspore.check.rules.signatures import documented_count
from mapspore.entry.canonical import canonical, modeline, scalar_text
from mapspore.entry.load import Source, decode
from mapspore.entry.model import Entry, Text
from mapspore.entry.yaml_events import data_of
from mapspore.facts.snapshot import Api, Facts, Parameter, Signature
from mapspore.resolve.binding import Binding
from mapspore.resolve.registry import Counterpart
from mapspore.resolve.resolve import resolve_entry
from mapspore.words.runtime import namesake
from mapspore.words.vocabulary import HANDLE

MARK = "# judgement:"
_ALIKE = frozenset(
    [
        ("input", "x"), ("dim", "axis"), ("keepdim", "keepdims"), ("lr", "learning_rate"), ("other", "y"),
        ("in_features", "in_channels"), ("out_features", "out_channels"), ("bias", "has_bias"),
        ("negative_slope", "alpha"), ("size", "shape"), ("repeats", "dims"), ("self", "input"),
        ("amsgrad", "use_amsgrad"), ("input", "input_x"),
    ]
)  # fmt: skip


def counterparts(api: Api, mindspore: Facts) -> list[str]:
    """The MindSpore APIs of the same name and sort in the families where counterparts live."""
    torch = api.name
    rest, last = torch.removeprefix("torch."), torch.rpartition(".")[2]
    families = [f"mindspore.mint.{rest}", f"mindspore.{rest}", f"mindspore.ops.{last}", f"mindspore.nn.{last}"]
    if torch.startswith("torch.distributed."):
        families[1:] = [f"mindspore.communication.comm_func.{last}"]
    if torch.startswith("torch.optim."):
        families.append(f"mindspore.experimental.{rest}")
    found = [other for name in dict.fromkeys(families) if (other := mindspore.get(name)) and alike(api, other)]
    return [other.name for other in found if other.forms or not api.forms]


def skeleton(api: Api, targets: list[str], torch: Facts, mindspore: Facts) -> str:
    """The draft's text."""
    names = {parameter.name for form in api.forms for parameter in form.parameters}
    collective = {"group", "async_op"} <= names
    lines = [
        modeline(entry_path(api.name)),
        f"torch: {api.name}",
        *_aliases(torch.aliases_of.get(api.name, ())),
        "summary:",
        f'  en: ""  {MARK} what the API does, in one sentence',
        f'  zh: ""  {MARK} the same in Chinese',
    ]
    if collective:
        lines += [
            "contract:",
            f"  collective: {{non_member: returns_none}}  {MARK} and `writes:`, if torch writes into arguments",
        ]
    if targets:
        lines.append("targets:")
        for target in targets:
            lines += _target(api, target, collective, torch, mindspore)
    else:
        lines += ["unmapped:"]
        for key, asks in (("why", "why there is no counterpart"), ("instead", "what to do instead")):
            lines += [f"  {key}:", f'    en: ""  {MARK} {asks}', f'    zh: ""  {MARK} the same in Chinese']
    if own := namesake(api.name):
        lines.append(f"runtime: {own}  {MARK} the adapter has this; does it do the same?")
    return _canonical("\n".join(lines) + "\n", entry_path(api.name))


def _aliases(names: tuple[str, ...]) -> Iterator[str]:
    """The line of an API's further names, if the facts know any."""
    if names:
        yield f"aliases: [{', '.join(names)}]  {MARK} do they mean the same?"


def _canonical(text: str, path: str) -> str:
    """The draft as `fix` would leave it: keys such as `y` in quotes, lists that fit into a line."""
    source = Source(path)
    decode(text.encode(), source)
    source.data, _ = data_of(source.text, path)
    return canonical(source) or text


def _target(api: Api, name: str, collective: bool, torch: Facts, mindspore: Facts) -> Iterator[str]:
    contract = {"collective": {"non_member": "returns_none"}} if collective else {}
    draft = Entry.model_validate(
        {"torch": api.name, "summary": Text(en="-", zh="-"), "contract": contract, "targets": [{"mindspore": name}]}
    )
    (counterpart,) = resolve_entry(Source(""), draft, torch, mindspore).counterparts
    yield f"  - mindspore: {name}"
    yield from _treatment(counterpart, "    ")
    if collective:
        assert counterpart.api is not None
        yield f"    returns: [{', '.join(_returned(counterpart.api))}]  {MARK} names for what it returns"
    else:
        yield from _several(counterpart)
    called = list(_treatment(counterpart.call, "      ")) if counterpart.call else []
    if called:
        yield "    call:"
        yield from called
    if counterpart.api is not None and counterpart.api.deprecated is not None and counterpart.successor is None:
        yield f'    successor: "?"  {MARK} it is deprecated; what comes after it?'


def _several(counterpart: Counterpart) -> Iterator[str]:
    """Lines for several named results: of all of torch's overloads, or of some, where MindSpore returns as many in any
    case and the caller of the other overloads gets the first alone."""
    overloads = [binding.torch for binding in counterpart.bindings]
    several = next((form.fields for form in overloads if form.fields), ())
    alone = [form for form in overloads if form.fields != several]
    if not several or any(form.fields for form in alone):
        return
    returns = f"    returns: [{', '.join(several)}]  {MARK} names for what it returns, in its order"
    uses = ", ".join(f"{result}: {use}" for result, use in results(several, counterpart.target.mindspore))
    convert = [f"convert_returns: {{{uses}}}  {MARK} does it return another dtype?"] if uses else []
    if not alone:
        yield from (returns, *(f"    {line}" for line in convert))
        return
    told = _told_by(next(form for form in overloads if form.fields), alone)
    assert counterpart.api is not None
    if told is not None and documented_count(counterpart.api.returns_doc or "") == len(several):
        yield from (returns, "    forms:")
        yield from (f"      - lacks: [{told}]", f"        hand_back: {several[0]}  {MARK} is it this one?")
        yield from (f"      - has: [{told}]", *(f"        {line}" for line in convert))


def _told_by(form: Signature, others: list[Signature]) -> str | None:
    """The parameter that an overload demands and that the others do not have."""
    elsewhere = {parameter.name for other in others for parameter in other.parameters}
    return next((p.name for p in form.parameters if p.required and p.name not in elsewhere), None)


def _treatment(counterpart: Counterpart, indent: str) -> Iterator[str]:
    """Lines for what the facts alone do not settle between two signatures."""
    torch = {p.name: p for b in counterpart.bindings for p in b.torch.parameters}
    mindspore = {p.name: p for b in counterpart.bindings for p in b.mindspore.parameters}
    target = counterpart.target.mindspore
    lines: dict[str, str] = {}
    used: set[str] = set()
    for receiver, sources, line in merged(torch, mindspore):
        lines[receiver] = f"{line}  {MARK} do they mean the same together?"
        used.update(sources)
    for receiver, source, line in split(torch, mindspore):
        lines[receiver] = f"{line}  {MARK} is it this item?"
        used.add(source)
    for binding in counterpart.bindings:
        for route in binding.routes:  # under one name on both sides
            receiver = route.receiver.name
            if len(route.sources) == 1 and receiver not in lines and route.sources[0].name not in used:
                words = converted(route.sources[0], route.receiver, torch, target)
                if words and not route.words:
                    lines[receiver] = f"{{from: {route.sources[0].name}{words}}}  {MARK} is this what differs?"
    ours = [n for b in counterpart.bindings for n in b.unbound_torch if n not in used]
    theirs = [n for b in counterpart.bindings for n in b.unbound_mindspore if n not in lines]
    pairs = list(_alike([torch[name] for name in dict.fromkeys(ours)], [mindspore[n] for n in dict.fromkeys(theirs)]))
    for source, receiver in pairs:
        given = _sources(mindspore[receiver], source, counterpart.bindings)
        words = converted(torch[source], mindspore[receiver], torch, target) if given == source else ""
        lines[receiver] = f"{{from: {given}{words}}}  {MARK} do they mean the same?"
    theirs = [name for name in dict.fromkeys(theirs) if name not in lines]
    open_ = [name for name in theirs if mindspore[name].required]
    for name in open_:
        given = _sources(mindspore[name], None, counterpart.bindings)
        lines[name] = f"{{from: {given}}}  {MARK} which torch parameter gives it its value?"
    if lines:
        yield f"{indent}arguments:"
        yield from (f"{indent}  {receiver}: {line}" for receiver, line in lines.items())
    absent = [name for name in dict.fromkeys([*ours, *_chosen(counterpart.bindings)]) if name not in dict(pairs)]
    if absent:
        yield f"{indent}absent:"
        for name in absent:
            yield f"{indent}  {name}: unsupported  {MARK} another policy, or a MindSpore parameter under `arguments`?"
    extra = [name for name in theirs if name not in open_]
    if extra:
        listed = ", ".join(scalar_text(name, flow=True) for name in extra)
        yield f"{indent}leave_default: [{listed}]  {MARK} is each default harmless?"


def _chosen(bindings: tuple[Binding, ...]) -> Iterator[str]:
    """The general parameters that one overload demands and another does not have: who gives it chooses that overload,
    as with the `stable` of `sort`."""
    overloads = [{parameter.name: parameter for parameter in binding.torch.parameters} for binding in bindings]
    for name in dict.fromkeys(name for binding in bindings for name in binding.general):
        having = [overload[name] for overload in overloads if name in overload]
        if len(having) < len(overloads) and all(parameter.required for parameter in having):
            yield name


def _sources(receiver: Parameter, source: str | None, bindings: tuple[Binding, ...]) -> str:
    """What gives a parameter its value: in the overloads that have one of its own name, that one."""
    overloads = [{parameter.name for parameter in binding.torch.parameters} for binding in bindings]
    names = [name for name in (receiver.name, source) if name and any(name in overload for overload in overloads)]
    if not names or (receiver.required and any(overload.isdisjoint(names) for overload in overloads)):
        names.append('"?"')
    return names[0] if len(names) == 1 else f"[{', '.join(names)}]"


def _returned(api: Api) -> list[str]:
    """Names for what a collective returns, as far as its parameters and documentation tell."""
    documented = api.returns_doc or ""
    asynchronous = any(p.name == "async_op" for form in api.forms for p in form.parameters)
    handle = [HANDLE] if asynchronous or "Handle" in documented else []
    count = documented_count(documented)
    if count is None:
        return ["result"] if documented.startswith("Tensor") else handle
    return [*(f"result{n or ''}" for n in range(count - len(handle))), *handle]


def _alike(ours: list[Parameter], theirs: list[Parameter]) -> Iterator[tuple[str, str]]:
    """Pairs of left-over parameters that probably are the same under another name."""
    left = {parameter.name: parameter for parameter in theirs}
    for one in ours:
        close = difflib.get_close_matches(one.name, list(left), n=1, cutoff=0.75)
        known = [name for name, other in left.items() if (one.name, name) in _ALIKE or _takes_the_rest(one, other)]
        for name in (known or close)[:1]:
            del left[name]
            yield one.name, name


def _takes_the_rest(one: Parameter, other: Parameter) -> bool:
    return one.kind == other.kind == "var_positional"
