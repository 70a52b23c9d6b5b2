"""`mapspore explain [CODE]`: what a check says, why it exists, what to do; or the list of all codes."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterator

from mapspore.base.diagnostics import Refusal
from mapspore.base.language import Language, pick
from mapspore.base.terminal import table
from mapspore.check.rules import ALLOWABLE, CODES, FIXABLE
from mapspore.cli.options import Parser
from mapspore.scan.codes import CODES as SCAN_CODES
from mapspore.text.phrases import catalogue, outlines, phrase, reason
from mapspore.words.situations import SITUATIONS, TOPICS


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "code", metavar="CODE", nargs="?",
        help=parser.say("the code in brackets after `error`; all codes if left out",
                        "`error` 后方括号中的代码；省略则列出全部代码"),
    )  # fmt: skip


def run(args: argparse.Namespace) -> int:
    if args.code is None:
        listed = [(code, outlines(code, args.lang)[0][0]) for code in CODES]
        listed += [(code, _of_scan(code)["name"][args.lang]) for code in SCAN_CODES]
        print("\n".join(table(listed)))
        return 0
    code = args.code.strip("[]").upper()
    if code in SCAN_CODES:
        print("\n".join(_finding(code, args.lang)))
        return 0
    if code not in CODES:
        raise _unknown(args.code, code)
    print("\n".join(explanation(code, args.lang)))
    return 0


def explanation(code: str, language: Language) -> Iterator[str]:
    """A page of text about one code."""
    sentences, hints = outlines(code, language)
    yield from _block(code, sentences)
    yield from _block(pick(language, "why", "原因"), [reason(code, language)])
    yield from _block(pick(language, "what to do", "处理办法"), hints)
    further = []
    if code in FIXABLE:
        further.append(pick(language, "`mapspore fix` repairs it where it can.", "`mapspore fix` 会在可行时修复。"))
    if code in ALLOWABLE:
        further.append(
            pick(language, f"An entry may except itself: `allow: {{{code}: the reason}}`.",
                 f"条目可以豁免：`allow: {{{code}: 理由}}`。")
        )  # fmt: skip
    if further:
        yield from _block(pick(language, "also", "另外"), further)
    yield from _appendix(code, language)


def _finding(code: str, language: Language) -> Iterator[str]:
    """A page of text about a code of `scan`."""
    texts = _of_scan(code)
    yield from _block(code, [texts["name"][language]])
    yield from _block(pick(language, "why", "原因"), [texts["why"][language]])
    yield from _block(pick(language, "what to do", "处理办法"), [texts["hint"][language]])
    off = pick(language, f"`# mapspore: ignore[{code}]` switches it off in a line.",
               f"在行尾写 `# mapspore: ignore[{code}]` 可在该行关闭。")  # fmt: skip
    yield from _block(pick(language, "also", "另外"), [off])


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

        title = pick(language, "the fields of an entry", "条目的字段")
        yield from _block(title, table([tuple(row) for row in outline(language)]))
    if code in ("M501", "M502", "M503"):
        from mapspore.words.vocabulary import WORDS

        rows = []
        for word in WORDS.values():
            place = phrase("places", "several" if word.merges else word.place, language)
            options = ", ".join(f"{name}: {_takes(kind)}" for name, kind in word.options.items())
            rows.append((word.name, place, options))
        yield from _block(pick(language, "the words", "词汇"), table(rows))
    if code == "M504":
        from mapspore.words.vocabulary import POLICIES

        meant = [(name, policy.phrase("means", language)) for name, policy in POLICIES.items()]
        yield from _block(pick(language, "the policies", "策略"), table(meant))
    if code == "M505":
        from mapspore.words.vocabulary import PREDICATES

        needed = [(name, predicate.phrase("needs", language)) for name, predicate in PREDICATES.items()]
        yield from _block(pick(language, "the conditions", "条件"), table(needed))
    if code == "M411":
        said = {**catalogue("phrases")["situations"], **catalogue("phrases")["topics"]}
        listed = [(name, said[name][language]) for name in (*SITUATIONS, *TOPICS)]
        yield from _block(pick(language, "the situations", "情形"), table(listed))


def _takes(kind: frozenset[str] | type) -> str:
    if kind is object:
        return "…"
    return " | ".join(sorted(kind)) if isinstance(kind, frozenset) else kind.__name__


def _unknown(given: str, code: str) -> Refusal:
    near = difflib.get_close_matches(code, (*CODES, *SCAN_CODES), n=3, cutoff=0.5)
    names = [f"`{name}`" for name in near]
    hint = f"Did you mean {', '.join(names)}?" if near else "`mapspore explain` lists all codes."
    tip = f"是否想查 {'、'.join(names)}？" if near else "全部代码见 `mapspore explain`。"
    return Refusal(f"There is no code `{given}`.", hint, 2, zh=(f"没有代码 `{given}`。", tip))
