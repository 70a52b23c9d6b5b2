"""The list of all rules, in the order of their codes. A code never changes its meaning."""

from mapspore.check.rules import applicability, corrections, examples, layout, names, roles, signatures, texts, words
from mapspore.check.rules.base import Rule

_WHILE_READING = (
    Rule("M001", "load"),
    Rule("M002", "load"),
    Rule("M003", "load"),
    Rule("M004", "load", fixable=True),
    Rule("M005", "load"),
    Rule("M006", "load", fixable=True),
    Rule("M007", "load", fixable=True),
    Rule("M008", "load"),
    Rule("M009", "load"),
    Rule("M010", "load"),
    Rule("M011", "load"),
    Rule("M012", "load"),
    Rule("M101", "parse"),
    Rule("M102", "parse"),
    Rule("M103", "load"),
    Rule("M104", "load"),
    Rule("M105", "load"),
    Rule("M106", "parse"),
    Rule("M107", "parse"),
    Rule("M108", "load"),
    Rule("M109", "parse"),
    Rule("M201", "parse"),
    Rule("M309", "parse"),
)

RULES: tuple[Rule, ...] = (
    *_WHILE_READING,
    *texts.RULES,
    *names.RULES,
    *signatures.RULES,
    *applicability.RULES,
    *words.RULES,
    *roles.RULES,
    *corrections.RULES,
    *examples.RULES,
    *layout.RULES,
    Rule("M614", "registry"),  # reported by `check.programs`: it is about no entry
    Rule("M603", "entry"),  # reported by `check` itself: an exception that nothing needs
)

CODES: tuple[str, ...] = tuple(sorted({rule.code for rule in RULES}))
ALLOWABLE = frozenset(rule.code for rule in RULES if rule.allowable)
FIXABLE = frozenset(rule.code for rule in RULES if rule.fixable)
