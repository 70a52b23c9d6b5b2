"""The words of collectives: groups, ranks, reductions, and tensors of all ranks. In: nothing. Out: `WORDS`."""

from __future__ import annotations

from itertools import product

from mapspore.words.types import Convention, Rewrite, Word

WORDS = (
    Word(
        "group_name", "argument", "type", applies_to="group",
        convention=Convention(
            "group", frozenset(product(("None", "GroupMember.WORLD"), ("None", "GlobalComm.WORLD_COMM_GROUP")))
        ),
        scan=("some",),
        rewrite=Rewrite("never"),
    ),
    Word(
        "reduce_op", "argument", "type", applies_to="reduction",
        convention=Convention("op"),
        rewrite=Rewrite(
            "member",
            members={
                "ReduceOp.SUM": '"sum"', "ReduceOp.PRODUCT": '"prod"', "ReduceOp.MAX": '"max"', "ReduceOp.MIN": '"min"',
            },
        ),
    ),
    Word(
        "root_rank", "argument", "value", {"space": frozenset({"global", "group"})}, merges=True, applies_to="root",
        rewrite=Rewrite("never"),
    ),
    Word("at_least_1d", "argument", "nothing", of_tensors=True),
    Word("join", "argument", "type", of_tensors=True),
    Word("joined_like", "argument", "nothing", needs=("size",), consults=1, of_tensors=True),
    Word("shape", "argument", "type", of_tensors=True, takes_unprepared_tensors=True),
    Word("shapes", "argument", "type", of_tensors=True, takes_unprepared_tensors=True),
    Word(
        "placeholders", "argument", "required", needs=("size",), consults=1, of_tensors=True,
        takes_unprepared_tensors=True, scan=("none",),
    ),
    Word("into", "output", "nothing", delivers=True, variants=frozenset({"list", "new"})),
    Word("split_per_rank", "output", "nothing"),
)  # fmt: skip
