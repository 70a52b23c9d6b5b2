"""One rank of a job: `python worker.py JOB.json RESULTS`. Reads the job, runs its cases on its side in order, and
writes what each did on this rank, one JSON line per case, so that what ran before a crash is known.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sides import SIDES, Side
from values import Made, Maker


def main(job_file: str, results: str) -> None:
    job = json.loads(Path(job_file).read_text())
    rank = int(os.environ["RANK"])
    side = SIDES[job["side"]]()
    side.start(job["timeout"])
    groups = {name: side.dist.new_group(ranks) for name, ranks in job["groups"].items()}
    with open(results, "w", encoding="utf-8") as out:
        for case in job["cases"]:
            out.write(json.dumps(run(side, case, rank, groups)) + "\n")
            out.flush()
    side.dist.barrier()
    _leave_together(Path(results), job["size"])
    os._exit(0)


def _leave_together(results: Path, size: int) -> None:
    """A message is lost if its sender ends before it has been read, and the barrier is made of messages."""
    results.with_suffix(".done").touch()
    ends = time.monotonic() + 20
    while len(list(results.parent.glob("*.done"))) < size and time.monotonic() < ends:
        time.sleep(0.02)


def run(side: Side, case: dict[str, Any], rank: int, groups: dict[str, Any]) -> dict[str, Any]:
    """What a case does on this rank: what is raised or returned, and every tensor of it afterwards."""
    maker = Maker(side, rank, case["id"], groups, case.get("dtypes", {}).get(side.name, {}))
    arguments = [maker.make(value) for value in case.get("args", [])]
    keywords = {name: maker.make(value) for name, value in case.get("kwargs", {}).items()}
    outcome: dict[str, Any] = {"id": case["id"], "target": case.get("target")}
    judged = not (side.name == "torch" and "contract" in case)  # the reference only shows what went in
    if judged and rank in case.get("callers", [rank]):
        if side.name == "adapter":
            side.dist.use(case.get("target"))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                outcome["returned"] = _finish(getattr(side.dist, case["api"])(*arguments, **keywords))
            except Exception as error:
                outcome["error"] = [kind.__name__ for kind in type(error).__mro__]
                outcome["sentence"] = str(error)
        outcome["warnings"] = [str(each.message) for each in caught if "does not belong" in str(each.message)]
    outcome["tensors"] = {made.name: _read(side, made) for made in maker.made}
    outcome["same_objects"] = all(
        all(one is other for one, other in zip(now, before, strict=True)) for now, before in maker.lists
    )
    return outcome


def _finish(returned: Any) -> Any:
    """A handle is waited for, twice; anything else stands for itself."""
    if not hasattr(returned, "wait"):
        return repr(returned)
    return {"wait": returned.wait(), "again": returned.wait()}


def _read(side: Side, made: Made) -> dict[str, Any]:
    return {
        "tensor": _encode(side.array(made.tensor)),
        "base": _encode(side.array(made.base)),
        "dtype": side.dtype(made.tensor),
        "kept": side.dtype(made.tensor) == made.dtype and side.address(made.tensor) == made.address,
    }


def _encode(array: np.ndarray) -> dict[str, Any]:
    return {"shape": list(array.shape), "dtype": str(array.dtype), "bytes": np.ascontiguousarray(array).tobytes().hex()}


if __name__ == "__main__":
    main(*sys.argv[1:])
