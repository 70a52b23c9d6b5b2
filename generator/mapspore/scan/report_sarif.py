"""The findings as a SARIF 2.1.0 log, for code scanning and editors: one run, with every code described."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import quote

from mapspore.base.language import Language
from mapspore.check.sarif import log
from mapspore.scan.codes import CODES
from mapspore.scan.findings import Finding, Report
from mapspore.scan.report_text import page_url
from mapspore.text.phrases import catalogue

_LEVELS = {"breaks": "error", "silent": "error", "change": "warning", "same": "note", None: "warning"}


def as_sarif(report: Report, site: str, language: Language) -> str:
    rules = [_rule(code, language) for code in CODES]
    return log(rules, [_result(finding, site, language) for finding in report.findings], language)


def _rule(code: str, language: Language) -> dict[str, Any]:
    texts = catalogue("scan")["codes"][code]
    return {
        "id": code,
        "shortDescription": {"text": texts["name"][language]},
        "fullDescription": {"text": texts["why"][language]},
        "help": {"text": texts["hint"][language]},
    }


def _result(finding: Finding, site: str, language: Language) -> dict[str, Any]:
    region = {"startLine": finding.line, "startColumn": finding.column}
    if (finding.end_line, finding.end_column) > (finding.line, finding.column):
        region |= {"endLine": finding.end_line, "endColumn": finding.end_column}
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": {"uri": quote(os.fsencode(finding.path))}, "region": region}
    }
    if finding.cell:  # lines count within the cell, which SARIF has no word for
        location["logicalLocations"] = [{"name": f"cell {finding.cell}", "kind": "cell"}]
    properties = {
        "torch": finding.torch, "counterpart": finding.counterpart, "severity": finding.severity,
        "effort": finding.effort, "confidence": finding.confidence, "parameter": finding.parameter,
        "page": page_url(finding, site, language),
    }  # fmt: skip
    name = f"{finding.torch}: " if finding.torch else ""
    return {
        "ruleId": finding.code,
        "ruleIndex": CODES.index(finding.code),
        "level": _LEVELS[finding.severity],
        "message": {"text": name + finding.says[language]},
        "locations": [location],
        "properties": {key: value for key, value in properties.items() if value},
    }
