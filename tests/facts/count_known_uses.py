"""How much of the code that people write the facts know: a table of uses goes in, shares come out.

Run as `python tests/facts/count_known_uses.py TABLE`. The table has a line per name, its columns separated by tabs: the
full name, and how often it is used. Ends with 1 if the facts know less than 99% of the uses.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from mapspore.facts import snapshot
from mapspore.facts.snapshot import Facts

FACTS = Path(__file__).resolve().parents[2] / "facts" / "torch-2.13.0.json"
KNOWN = ("public", "module")
WANTED = 0.99


def uses(lines: Iterable[str]) -> Counter[str]:
    """By name: how often it is used; a line whose second column is no number is a heading."""
    counts: Counter[str] = Counter()
    for line in lines:
        name, _, rest = line.rstrip("\n").partition("\t")
        number = rest.partition("\t")[0]
        if number.isdigit():
            counts[name] += int(number)
    return counts


def by_status(counts: Counter[str], facts: Facts) -> Counter[str]:
    """By status of the name: how many uses."""
    found: Counter[str] = Counter()
    for name, number in counts.items():
        found[facts.status(name)] += number
    return found


def main(table: str) -> int:
    facts = snapshot.load(FACTS)
    with open(table, encoding="utf-8") as lines:
        counts = uses(lines)
    found, total = by_status(counts, facts), counts.total()
    for status, number in found.most_common():
        print(f"{status:10} {number:8} {number / total:8.3%}")
    share = sum(found[status] for status in KNOWN) / total
    print(f"known: {share:.3%} of {total} uses of {len(counts)} names")
    unknown = [(number, name) for name, number in counts.items() if facts.status(name) in ("absent", "uncovered")]
    print("most used of the others:", ", ".join(name for _, name in sorted(unknown, reverse=True)[:12]))
    return 0 if share >= WANTED else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
