"""Programs that `record` runs: what fails or waits in vain costs itself alone, and ranks leave together."""

from __future__ import annotations

import pytest

from mapspore.verify.programs.run import _together, run_all

ON_TWO = "# init_process_group() would connect\nimport os, time\nrank = os.environ['RANK']\n"


@pytest.mark.processes
def test_programs_behind_one_that_fails_are_run() -> None:
    texts = {"first": "print(1)", "fails": "print(2)\nraise ValueError", "last": "print(3)\nprint('三')"}
    assert run_all(texts) == {"first": ["1"], "last": ["3", "三"]}


@pytest.mark.processes
def test_a_rank_that_waits_for_one_that_failed_is_ended() -> None:
    texts = {
        "first": ON_TWO + "print(rank)",
        "fails": ON_TWO + "time.sleep(1000) if rank == '0' else 1 / 0",
        "last": ON_TWO + "print('last', rank)",
    }
    assert run_all(texts) == {"first": ["0", "1"], "last": ["last 0", "last 1"]}


def test_ranks_leave_together() -> None:
    program = "if connected:\n    dist.destroy_process_group()\ndist.destroy_process_group(group)\n"
    assert _together(program) == (
        "if connected:\n    dist.barrier()\n    dist.destroy_process_group()\ndist.destroy_process_group(group)\n"
    )
