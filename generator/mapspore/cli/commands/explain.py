"""`mapspore explain [CODE]`: what a check says, why it exists, what to do; or the list of all codes."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterator

from mapspore.base.diagnostics import WRONG_USAGE, Refusal
from mapspore.base.language import Language
from mapspore.base.terminal import table
from mapspore.check.rules import ALLOWABLE, CODES, FIXABLE
from mapspore.cli.options import Parser
from mapspore.scan.codes import CODES as SCAN_CODES
from mapspore.text.phrases import catalogue, outlines, phrase, reason, refusal_codes, say
from mapspore.words.situations import SITUATIONS, TOPICS


def add_arguments(parser: Parser) -> None:
    parser.add_argument("code", metavar="CODE", nargs="?")


def run(args: argparse.Namespace) -> int:
    if args.code is None:
        listed = [(code, outlines(code, args.lang)[0][0]) for code in (*CODES, *refusal_codes())]
        listed += [(code, _of_scan(code)["name"][args.lang]) for code in SCAN_CODES]
        print("\n".join(table(listed)))
        return 0
    code = args.code.strip("[]").upper()
    if code in SCAN_CODES:
        print("\n".join(_finding(code, args.lang)))
        return 0
    if code not in (*CODES, *refusal_codes()):
        raise _unknown(args.code, code)
    print("\n".join(explanation(code, args.lang)))
    return 0


def explanation(code: str, language: Language) -> Iterator[str]:
    """A page of text about one code."""
    sentences, hints = outlines(code, language)
    yield from _block(code, sentences)
    yield from _block(say("cli.explain.why", language), [reason(code, language)])
    yield from _block(say("cli.explain.hint", language), hints)
    further = []
    if code in FIXABLE:
        further.append(say("cli.explain.fixable", language))
    if code in ALLOWABLE:
        further.append(say("cli.explain.allowable", language, code=code))
    if further:
        yield from _block(say("cli.explain.also", language), further)
    yield from _appendix(code, language)


def _finding(code: str, language: Language) -> Iterator[str]:
    """A page of text about a code of `scan`."""
    texts = _of_scan(code)
    yield from _block(code, [texts["name"][language]])
    yield from _block(say("cli.explain.why", language), [texts["why"][language]])
    yield from _block(say("cli.explain.hint", language), [texts["hint"][language]])
    off = say("cli.explain.ignorable", language, code=code)
    yield from _block(say("cli.explain.also", language), [off])


def _of_scan(code: str) -> dict[str, dict[str, str]]:
    texts: dict[str, dict[str, str]] = catalogue("scan")["codes"][code]
    return texts


def _block(title: str, lines: list[str]) -> Iterator[str]:
    yield title
    yield from (f"  {line}" for line in dict.fromkeys(lines))


def _appendix(code: str, language: Language) -> Iterator[str]:
    """What the hint of a code sends its reader here for."""
    if code in ("M101", "M102", "M106", "M107", "M109"):
        from mapspore.author.outline import outline

        title = say("cli.explain.fields", language)
        yield from _block(title, table([tuple(row) for row in outline(language)]))
    if code in ("M501", "M502", "M503"):
        from mapspore.words.vocabulary import WORDS

        rows = []
        for word in WORDS.values():
            place = phrase("places", "several" if word.merges else word.place, language)
            options = ", ".join(f"{name}: {_takes(kind)}" for name, kind in word.options.items())
            rows.append((word.name, place, options))
        yield from _block(say("cli.explain.words", language), table(rows))
    if code == "M504":
        from mapspore.words.vocabulary import POLICIES

        meant = [(name, policy.phrase("means", language)) for name, policy in POLICIES.items()]
        yield from _block(say("cli.explain.policies", language), table(meant))
    if code == "M505":
        from mapspore.words.vocabulary import PREDICATES

        needed = [(name, predicate.phrase("needs", language)) for name, predicate in PREDICATES.items()]
        yield from _block(say("cli.explain.conditions", language), table(needed))
    if code == "M411":
        said = {**catalogue("phrases")["situations"], **catalogue("phrases")["topics"]}
        listed = [(name, said[name][language]) for name in (*SITUATIONS, *TOPICS)]
        yield from _block(say("cli.explain.situations", language), table(listed))


def _takes(kind: frozenset[str] | type) -> str:
    if kind is object:
        return "…"
    return " | ".join(sorted(kind)) if isinstance(kind, frozenset) else kind.__name__


def _unknown(given: str, code: str) -> Refusal:
    near = difflib.get_close_matches(code, (*CODES, *SCAN_CODES, *refusal_codes()), n=3, cutoff=0.5)
    return Refusal("C210", hint="near" if near else "", exit_code=WRONG_USAGE, given=given, near=", ".join(near))
