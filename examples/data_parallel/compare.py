"""Run both programs, before/train.py and after/train.py, on several numbers of processes and compare their curves.

    python compare.py            runs everything and writes curves.json, which the site shows
    python compare.py --check    runs everything and compares with curves.json

Ends with 1 if the curves of one run are further apart than rounding, or if a run does not repeat what is written.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = {"torch": "before/train.py", "mindspore": "after/train.py"}
LAUNCHERS = {
    "torch": ["torch.distributed.run", "--standalone", "--nproc-per-node"],
    "mindspore": ["torchspore.launch", "--nproc"],
}
TOLERANCE = 2e-3  # thirty epochs of float32 in another order of summation


def run(side, ranks, epochs):
    """The curve of one program on a number of processes."""
    with tempfile.TemporaryDirectory() as folder:
        curve, checkpoint = Path(folder, "curve.json"), Path(folder, "weights")
        program = PROGRAMS[side]
        arguments = ["--epochs", str(epochs), "--curve", str(curve), "--checkpoint", str(checkpoint)]
        command = [sys.executable, "-m", *LAUNCHERS[side], str(ranks), str(HERE / program), *arguments]
        ended = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        if ended.returncode:
            print(f"{program} on {ranks} processes failed:\n{ended.stdout}{ended.stderr}", file=sys.stderr)
        written = curve.exists() and list(Path(folder).glob("weights*"))
        if not written or (ended.returncode and side == "mindspore"):
            sys.exit(f"{program} on {ranks} processes: there is nothing to compare.")
        return json.loads(curve.read_text("utf-8"))


def gap(one, other):
    """The largest distance of two curves, in loss."""
    return max(abs(a["loss"] - b["loss"]) for a, b in zip(one, other))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", default="2,4", help="numbers of processes (default: 2,4)")
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--check", action="store_true", help="compare with curves.json instead of writing it")
    given = parser.parse_args()
    written = HERE / "curves.json"
    before = json.loads(written.read_text("utf-8")) if given.check else {}
    curves, failed = {}, False
    for ranks in map(int, given.ranks.split(",")):
        curves[str(ranks)] = both = {side: run(side, ranks, given.epochs) for side in PROGRAMS}
        apart = gap(both["torch"], both["mindspore"])
        print(f"{ranks} processes: the two loss curves are at most {apart:.1e} apart", flush=True)
        failed |= apart > TOLERANCE
        for side, curve in both.items() if given.check else ():
            apart = gap(curve, before[str(ranks)][side])
            print(f"  {side}: at most {apart:.1e} from what is written")
            failed |= apart > TOLERANCE
    if not given.check and not failed:
        written.write_text(json.dumps(curves, indent=1) + "\n", "utf-8")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
