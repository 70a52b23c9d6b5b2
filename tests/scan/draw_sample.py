"""Draws the findings of `sample.csv` anew, for a reader to judge: `draw_sample.py FOLDER`.

Fetches the packages of the bench into the folder unless they are there, scans them, and writes a hundred of the
findings that count, drawn with a fixed seed: a third from each package, so that the largest does not drown the others.
A verdict that was given before is kept where the same row is drawn again; the others wait for a reader, and the test
fails.
"""

from __future__ import annotations

import csv
import json
import random
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
HOME = HERE.parents[1]
SEED = 6
SHARES = {"fairscale": 34, "deepspeed": 33, "transformers": 33}
COLUMNS = ("package", "place", "code", "torch", "parameter", "confidence", "verdict", "note")


def findings(tree: Path) -> list[dict[str, str]]:
    command = [sys.executable, "-m", "mapspore", "scan", ".", "--root", str(HOME), "--format", "json"]
    done = subprocess.run(command, cwd=tree, capture_output=True, encoding="utf-8", check=False)
    listed = [found for found in json.loads(done.stdout)["findings"] if found["counts"]]
    return [
        {
            "place": f"{found['path']}:{found['line']}:{found['column']}",
            **{key: found[key] for key in ("code", "torch", "parameter", "confidence")},
        }
        for found in listed
    ]


def draw(folder: Path) -> list[dict[str, str]]:
    sys.path.insert(0, str(HOME / "bench"))
    from real_code import PACKAGES, fetch

    chosen = random.Random(SEED)
    rows = []
    for name, share in SHARES.items():
        listed = findings(fetch(name, folder))
        package = PACKAGES[name].replace("==", "-")
        for at in sorted(chosen.sample(range(len(listed)), share)):
            place = listed[at]["place"].removeprefix(f"{package}/")
            rows.append({"package": package, **listed[at], "place": place})
    return rows


def main() -> None:
    file = HERE / "sample.csv"
    with file.open(encoding="utf-8", newline="") as stream:
        known = {tuple(row.get(key) for key in COLUMNS[:5]): row for row in csv.DictReader(stream)}
    rows = draw(Path(sys.argv[1]))
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            before = known.get(tuple(row[key] for key in COLUMNS[:5]), {})
            writer.writerow({**row, "verdict": before.get("verdict", ""), "note": before.get("note", "")})


if __name__ == "__main__":
    main()
