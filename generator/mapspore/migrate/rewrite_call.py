"""One call of torch becomes one of MindSpore: the arguments stay where they are, as far as that is right.

An argument keeps its place if MindSpore takes it there, and gets a name otherwise; the order of evaluation stays.
"""

from __future__ import annotations

import libcst as cst

from mapspore.migrate.plan import Rewrite
from mapspore.migrate.words import written
from mapspore.resolve.binding import ArgumentRoute, Binding
from mapspore.words.pure import convert
from mapspore.words.vocabulary import WORDS

_PLACED = ("positional_or_keyword", "positional_only")


class Inexact(Exception):
    """The call cannot be rewritten after all."""


def rewritten(call: cst.Call, rewrite: Rewrite) -> cst.Call:
    """The call of MindSpore's API; `Inexact` if it cannot be written."""
    binding = rewrite.binding
    slots = [parameter.name for parameter in binding.torch.parameters if parameter.kind in _PLACED]
    places = [parameter.name for parameter in binding.mindspore.parameters if parameter.kind in _PLACED]
    arguments: list[cst.Arg] = []
    named = False
    at = 0
    for argument in call.args:
        if argument.star:
            raise Inexact
        if argument.keyword is None:
            if at >= len(slots):
                raise Inexact
            source = slots[at]
            at += 1
        else:
            source = argument.keyword.value
        made: list[cst.Arg] = []
        for route in _takers(source, binding):
            receiver = route.receiver.name
            value = _value(argument.value, route)
            by_place = not named and argument.keyword is None and places[len(arguments) + len(made) :][:1] == [receiver]
            if by_place:
                made.append(argument.with_changes(value=value))
            else:
                named = True
                made.append(_named(argument, receiver, value))
        arguments = _placed(arguments, argument, made)
    extra = [
        _added(route.receiver.name, _default(route, source))
        for source in rewrite.explicit
        for route in _takers(source, binding)
    ]
    extra += [
        _added(route.receiver.name, repr(route.value))
        for route in binding.routes
        if not route.sources and route.receiver.default != repr(route.value)
    ]
    function = cst.parse_expression(rewrite.target)
    return call.with_changes(func=function, args=_joined(arguments, extra))


def _takers(source: str, binding: Binding) -> list[ArgumentRoute]:
    """What receives a torch argument; nothing if it has no effect."""
    routes = [route for route in binding.routes if any(p.name == source for p in route.sources)]
    if not routes and source not in {parameter.name for parameter, _ in binding.absent}:
        raise Inexact
    return routes


def _value(value: cst.BaseExpression, route: ArgumentRoute) -> cst.BaseExpression:
    for use in route.words:
        found = written(use.word, use.options, value)
        if found is None:
            raise Inexact
        value = found
    return value


def _named(argument: cst.Arg, name: str, value: cst.BaseExpression) -> cst.Arg:
    if argument.keyword is not None:
        return argument.with_changes(keyword=argument.keyword.with_changes(value=name), value=value)
    return argument.with_changes(keyword=cst.Name(name), value=value, equal=_EQUAL)


_EQUAL = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
_COMMA = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


def _placed(before: list[cst.Arg], old: cst.Arg, made: list[cst.Arg]) -> list[cst.Arg]:
    """The arguments with those that stand for one of the old call; its comma stays with the last of them."""
    if not made and before and isinstance(old.comma, cst.MaybeSentinel):
        return [*before[:-1], before[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)]
    return [*before, *(argument.with_changes(comma=_COMMA) for argument in made[:-1]), *made[-1:]]


def _added(name: str, source: str) -> cst.Arg:
    return cst.Arg(cst.parse_expression(source), keyword=cst.Name(name), equal=_EQUAL)


def _default(route: ArgumentRoute, source: str) -> str:
    """torch's default as MindSpore takes it, written out."""
    default = next(parameter.default for parameter in route.sources if parameter.name == source)
    if default is None:
        raise Inexact
    for use in route.words:
        if WORDS[use.word].pure:
            default = convert(use.word, use.options, default) or default
    return default


def _joined(arguments: list[cst.Arg], extra: list[cst.Arg]) -> list[cst.Arg]:
    """With arguments at the end; a call that ends with a comma still does."""
    if not extra or not arguments:
        return [*arguments, *extra]
    last = arguments[-1]
    between = next((a.comma for a in arguments[:-1] if isinstance(a.comma, cst.Comma)), _COMMA)
    head = [*arguments[:-1], last.with_changes(comma=between, whitespace_after_arg=cst.SimpleWhitespace(""))]
    return [
        *head,
        *(argument.with_changes(comma=between) for argument in extra[:-1]),
        extra[-1].with_changes(comma=last.comma, whitespace_after_arg=last.whitespace_after_arg),
    ]
