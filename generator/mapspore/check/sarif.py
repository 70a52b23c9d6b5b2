"""Diagnostics as a SARIF 2.1.0 log, for code scanning and editors: one run, with every rule described.

Places are relative to the registry's root and counted in characters; no path of a machine appears.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from mapspore.base.diagnostics import Diagnostic
from mapspore.base.json_text import json_text
from mapspore.base.language import Language
from mapspore.base.version import version
from mapspore.check.rules import CODES
from mapspore.text.phrases import outlines, reason, said

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LOCALES = {"en": "en-US", "zh": "zh-CN"}


def as_sarif(diagnostics: Sequence[Diagnostic], language: Language) -> str:
    """The log's text."""
    rules = [_rule(code, language) for code in CODES]
    return log(rules, [_result(diagnostic, language) for diagnostic in diagnostics], language)


def log(rules: list[dict[str, Any]], results: list[dict[str, Any]], language: Language) -> str:
    """A log of one run, from what describes its rules and its results."""
    locale = _LOCALES[language]
    driver = {"name": "mapspore", "semanticVersion": version(), "language": locale, "rules": rules}
    run = {"tool": {"driver": driver}, "language": locale, "columnKind": "unicodeCodePoints", "results": results}
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: str, language: Language) -> dict[str, Any]:
    sentences, hints = outlines(code, language)
    return {
        "id": code,
        "shortDescription": {"text": sentences[0]},
        "fullDescription": {"text": reason(code, language)},
        "help": {"text": "\n".join(hints)},
        "defaultConfiguration": {"level": "error"},
    }


def _result(diagnostic: Diagnostic, language: Language) -> dict[str, Any]:
    place = diagnostic.place
    sentence, hint = said(diagnostic, language)
    region = {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.line,
        "endColumn": place.column + place.width,
    }
    location = {"artifactLocation": {"uri": quote(os.fsencode(place.path))}, "region": region}
    return {
        "ruleId": diagnostic.code,
        "ruleIndex": CODES.index(diagnostic.code),
        "level": diagnostic.severity,
        "message": {"text": f"{sentence}\n{hint}" if hint else sentence},
        "locations": [{"physicalLocation": location}],
    }
