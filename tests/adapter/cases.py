"""Cases for collectives, made from plans. In: a plan (each parameter of an API with its role) and a number of
ranks. Out: cases as data. Nothing here knows an API but the plans, which say no more than an entry's contract says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness import Case

# Roles: tensor (read), place (written), both (read and written), tensors, places (one per rank), places_at_root,
# op, root (global rank), group_root (rank in the group), group, async_op. `contract` says what must come out where
# the reference lacks something: on rank i, item j of `places` is `source` of rank j, or `place` is the reduction of
# `source` over all ranks, with i in place of {rank}. `uneven` says that sizes may differ by rank.
PLANS: dict[str, dict[str, Any]] = {
    "all_reduce": {
        "roles": {"tensor": "both", "op": "op", "group": "group", "async_op": "async_op"},
        "reference_lacks": ["strided"],  # gloo takes it for dense memory and writes beside the view
        "contract": {"place": "tensor", "source": "tensor"},
    },
    "all_gather": {
        "roles": {"tensor_list": "places", "tensor": "tensor", "group": "group", "async_op": "async_op"},
        "contract": {"places": "tensor_list", "source": "tensor"},
        "uneven": True,
    },
    "gather": {
        "roles": {
            "tensor": "tensor",
            "gather_list": "places_at_root",
            "dst": "root",
            "group": "group",
            "async_op": "async_op",
            "group_dst": "group_root",
        },
        "reference_lacks": ["complex64"],
        "contract": {"places": "gather_list", "source": "tensor", "at": 0},
    },
    "reduce_scatter": {
        "roles": {"output": "place", "input_list": "tensors", "op": "op", "group": "group", "async_op": "async_op"},
        "reference_lacks": ["transposed", "strided"],  # gloo mixes up the elements of these views
        "contract": {"place": "output", "source": "input_list{rank}"},
    },
    "all_to_all": {
        "roles": {
            "output_tensor_list": "places",
            "input_tensor_list": "tensors",
            "group": "group",
            "async_op": "async_op",
        },
        "contract": {"places": "output_tensor_list", "source": "input_tensor_list{rank}"},
        "uneven": True,
    },
}

DTYPES = ("float32", "float64", "float16", "bfloat16", "int8", "uint8", "int16", "int32", "int64", "bool", "complex64")
OPS = ("SUM", "PRODUCT", "MIN", "MAX", "AVG", "BAND", "BOR", "BXOR")
SHAPES = ((), (1,), (0, 3), (3, 2), (2, 3, 4))
VIEWS = ("row", "first_row", "transposed", "offset", "strided")
TENSOR_ROLES = ("tensor", "place", "both", "tensors", "places", "places_at_root")


def groups_of(size: int) -> dict[str, list[int]]:
    """Groups of every kind that a number of ranks allows: one rank, some, all."""
    return {"last": [size - 1], "ends": sorted({0, size - 1}), "everyone": list(range(size))}


def cases_of(api: str, size: int, thorough: bool = True) -> list[Case]:
    """The cases of an API at a number of ranks: all, or those that a number of ranks can change the result of."""
    plan = Plan(api, size, thorough)
    cases = [*plan.values(), *plan.in_groups(), *plan.call_forms(), *plan.uneven(), *plan.errors()]
    assert len({case["id"] for case in cases}) == len(cases), "two cases have one id"
    return cases


class Plan:
    """The plan of one API at one number of ranks."""

    def __init__(self, api: str, size: int, thorough: bool) -> None:
        self.api = api
        self.size = size
        self.thorough = thorough
        self.plan = PLANS[api]
        self.roles: dict[str, str] = self.plan["roles"]
        self.groups = groups_of(size)

    # -- arguments ---------------------------------------------------------------------------------------------------

    def arguments(self, **how: Any) -> dict[str, Any]:
        """Every parameter that has a value, by role. `how`: shape, dtype, op, group, root, views, async_op."""
        members = self.groups[how.get("group", "everyone")]
        root = how.get("root", members[0])
        made: dict[str, Any] = {}
        for name, role in self.roles.items():
            tensor = self._tensor(name, role, how)
            many = {"$list": [self._tensor(f"{name}{place}", role, how) for place in range(len(members))]}
            if role in ("tensor", "place", "both"):
                made[name] = tensor
            elif role in ("tensors", "places"):
                made[name] = many
            elif role == "places_at_root":
                made[name] = {"$by_rank": [many if rank == root else None for rank in range(self.size)]}
            elif role == "op" and "op" in how:
                made[name] = {"$op": how["op"]}
            elif role == "root":
                made[name] = root
            elif role == "group" and "group" in how:
                made[name] = {"$group": how["group"]}
            elif role == "async_op" and "async_op" in how:
                made[name] = how["async_op"]
        return made

    def _tensor(self, name: str, role: str, how: dict[str, Any]) -> dict[str, Any]:
        written = role.startswith("place")
        spec = {
            "name": name,
            "shape": list(how.get("shape", (3, 2))),
            "dtype": how.get("dtype", "float32"),
            "view": how.get("written" if written else "read", "own"),
        }
        if role == "both":
            spec["view"] = how.get("written", how.get("read", "own"))
        if how.get("fill") and not written:
            spec["fill"] = how["fill"]
        return {"$tensor": spec}

    def case(self, label: str, arguments: dict[str, Any], **more: Any) -> Case:
        return {"id": f"{self.api}/{label}", "api": self.api, "kwargs": arguments, **more}

    # -- what comes out ----------------------------------------------------------------------------------------------

    def values(self) -> Iterator[Case]:
        for dtype in DTYPES:
            yield self.valued(f"dtype-{dtype}", dtype=dtype)
        for shape in SHAPES:
            for dtype in self.some("float32", "bool", "int16"):
                yield self.valued(f"shape-{shape}-{dtype}", shape=shape, dtype=dtype)
        for view in VIEWS:
            for dtype in self.some("float32", "bfloat16", "bool", "float64"):
                for side in ("read", "written"):
                    yield self.valued(f"view-{side}-{view}-{dtype}", dtype=dtype, **{side: view})
            yield self.valued(f"view-both-{view}", read=view, written=view, async_op=True)
        for view in ("row", "first_row"):
            yield self.valued(f"view-scalar-{view}", shape=(), read=view, written=view)
        yield self.valued("async", async_op=True)
        yield self.valued("async-composed", async_op=True, dtype="bool")
        yield self.valued("sync-said", async_op=False)
        yield self.valued("floats", fill="floats") | {"ulp": 4}
        if "op" in self.roles.values():
            yield from self._reductions()

    def _reductions(self) -> Iterator[Case]:
        for op in OPS:
            rounding = {"ulp": 2} if op == "AVG" else {}
            for dtype in DTYPES if self.thorough else ("float32", "int32", "bool"):
                yield self.valued(f"op-{op}-{dtype}", op=op, dtype=dtype) | rounding
            yield self.valued(f"op-{op}-scalar", op=op, dtype="int32", shape=())
            yield self.valued(f"op-{op}-view", op=op, dtype="int32", read="offset", written="row")
            foreign = self.arguments(op=op, dtype="int64")
            yield self.case(f"op-foreign-{op}", foreign | {self._named("op"): {"$foreign_op": op}})
        yield self.valued("op-AVG-floats", op="AVG", fill="floats") | {"ulp": 4}

    def some(self, first: str, *others: str) -> tuple[str, ...]:
        return (first, *others) if self.thorough else (first,)

    def valued(self, label: str, **how: Any) -> Case:
        """A case whose result counts, judged by the contract where the reference lacks something that it uses."""
        case = self.case(label, self.arguments(**how))
        if how.get("dtype") == "int16":
            case["dtypes"] = {"torch": {"int16": "int32"}}
        if set(self.plan.get("reference_lacks", ())) & {how.get("dtype"), how.get("read"), how.get("written")}:
            case["contract"] = self._contract()
            case["op"] = how.get("op", "SUM")
        return case

    def in_groups(self) -> Iterator[Case]:
        for group, members in self.groups.items():
            for dtype in ("float32", "bool"):
                yield self.case(f"group-{group}-{dtype}", self.arguments(group=group, dtype=dtype))
            yield self.case(f"group-{group}-async", self.arguments(group=group, async_op=True))
            name = self.arguments(group=group)
            yield self.case(f"group-name-{group}", name | {self._named("group"): {"$group_name": group}})
            if "op" in self.roles.values():
                for op in ("AVG", "MAX", "BAND"):
                    dtype = "float32" if op == "AVG" else "int32"
                    yield self.case(f"group-{group}-{op}", self.arguments(group=group, op=op, dtype=dtype))
            if "root" in self.roles.values():
                for place, root in enumerate(members):
                    yield self.case(f"root-{group}-{root}", self.arguments(group=group, root=root))
                    inside = self.arguments(group=group, root=root)
                    del inside[self._named("root")]
                    inside[self._named("group_root")] = place
                    yield self.case(f"group-root-{group}-{place}", inside)
        yield self.case("group-world", self.arguments() | {self._named("group"): {"$world": True}})
        yield self.case("group-none", self.arguments() | {self._named("group"): None})

    def call_forms(self) -> Iterator[Case]:
        """Positional, keyword, mixed, and defaults left out; the other cases are keyword."""
        full = self.arguments(group="everyone", async_op=False, op="MAX")
        ordered = [full[name] for name in self.roles if name in full]
        for given in range(1, len(ordered) + 1):
            rest = dict(list(full.items())[given:])
            yield {
                "id": f"{self.api}/form-{given}-positional",
                "api": self.api,
                "args": ordered[:given],
                "kwargs": rest,
            }
        if "root" in self.roles.values():
            bare = {name: value for name, value in self.arguments().items() if self.roles[name] in TENSOR_ROLES}
            yield self.case("form-no-root", bare)

    def uneven(self) -> Iterator[Case]:
        """Sizes that differ by rank. The reference's backend refuses them, its documentation does not."""
        if "uneven" not in self.plan:
            return
        for dtype in ("float32", "bool", "float64"):
            for group in ("everyone",):
                arguments: dict[str, Any] = {}
                for name, role in self.roles.items():
                    if role in ("places", "tensors"):
                        arguments[name] = {
                            "$by_rank": [
                                {"$list": [self._sized(name, role, place, rank, dtype) for place in range(self.size)]}
                                for rank in range(self.size)
                            ]
                        }
                    elif role == "tensor":
                        arguments[name] = {
                            "$by_rank": [self._shaped(name, (rank, 2), dtype) for rank in range(self.size)]
                        }
                refused = {"comm_func": "UnsupportedArgument"} if "tensor" in self.roles.values() else {}
                yield self.case(
                    f"uneven-{group}-{dtype}", arguments, contract=self._contract(), refused_with_target=refused
                )

    def _sized(self, name: str, role: str, place: int, rank: int, dtype: str) -> dict[str, Any]:
        if "tensors" in self.roles.values():  # from every rank to every rank: both sizes are of the pair
            return self._shaped(f"{name}{place}", (abs(rank - place) + min(rank, place), 2), dtype)
        return self._shaped(f"{name}{place}", (place, 2), dtype)

    @staticmethod
    def _shaped(name: str, shape: tuple[int, ...], dtype: str) -> dict[str, Any]:
        return {"$tensor": {"name": name, "shape": list(shape), "dtype": dtype}}

    def _contract(self) -> list[dict[str, list[tuple[int, str]]]]:
        """For each rank, the outputs that it must get, each from some tensors of some ranks."""
        rule, ranks = self.plan["contract"], range(self.size)
        source = [rule["source"].format(rank=rank) for rank in ranks]
        if "place" in rule:
            return [{rule["place"]: [(other, source[rank]) for other in ranks]} for rank in ranks]
        return [
            {f"{rule['places']}{other}": [(other, source[rank])] for other in ranks if rank == rule.get("at", rank)}
            for rank in ranks
        ]

    # -- what is refused ---------------------------------------------------------------------------------------------

    def errors(self) -> Iterator[Case]:
        good = self.arguments()
        for name, role in self.roles.items():
            if role in ("tensor", "place", "both"):
                for label, value in (("none", None), ("number", 3), ("list", {"$list": [good[name]]})):
                    yield self.case(f"error-{name}-{label}", good | {name: value})
            elif role in ("tensors", "places"):
                yield from self._wrong_lists(name, good)
            elif role == "op":
                for label, value in (("text", "sum"), ("none", None), ("number", 0)):
                    yield self.case(f"error-{name}-{label}", good | {name: value})
                yield self.case(f"error-{name}-premultiplied", good | {name: {"$op": "PREMUL_SUM"}})
                yield self.case(f"error-{name}-foreign-premultiplied", good | {name: {"$foreign_op": "PREMUL_SUM"}})
            elif role == "group":
                for label, value in (("unknown", "no such group"), ("number", 7)):
                    yield self.case(f"error-{name}-{label}", good | {name: value})
            elif role == "async_op":
                yield self.case(f"error-{name}-text", good | {name: "yes"})
            elif role == "places_at_root":
                yield from self._wrong_roots(name, good)
        for name in self._required():
            yield self.case(f"error-{name}-missing", {key: value for key, value in good.items() if key != name})
        yield self.case("error-unknown-keyword", good | {"unknown_keyword": 1})

    def _wrong_lists(self, name: str, good: dict[str, Any]) -> Iterator[Case]:
        items = good[name]["$list"]
        other_dtype = {"$tensor": items[0]["$tensor"] | {"dtype": "int32"}}
        other_shape = {"$tensor": items[0]["$tensor"] | {"shape": [5]}}
        wrong: dict[str, Any] = {
            "none": None,
            "tuple": {"$tuple": items},
            "tensor": items[0],
            "short": {"$list": items[:-1]},
            "long": {"$list": [*items, {"$tensor": items[0]["$tensor"] | {"name": "extra"}}]},
            "number-inside": {"$list": [*items[:-1], 3]},
            "dtype-of-one": {"$list": [other_dtype, *items[1:]]},
            "dtype-of-all": {"$list": [{"$tensor": item["$tensor"] | {"dtype": "int32"}} for item in items]},
            "shape-of-all": {"$list": [{"$tensor": item["$tensor"] | {"shape": [5]}} for item in items]},
        }
        for label, value in wrong.items():
            yield self.case(f"error-{name}-{label}", good | {name: value})
        # the reference's other ranks would wait for the one that refuses
        yield self.case(f"error-{name}-shape-of-one", good | {name: {"$list": [other_shape, *items[1:]]}}, callers=[0])

    def _wrong_roots(self, name: str, good: dict[str, Any]) -> Iterator[Case]:
        root, group_root = self._named("root"), self._named("group_root")
        here = good[name]["$by_rank"][0]
        items = here["$list"]
        at_root: dict[str, Any] = {
            "missing": None,
            "empty": {"$list": []},
            "tuple": {"$tuple": items},
            "short": {"$list": items[:-1]},
            "number-inside": {"$list": [*items[:-1], 3]},
            "dtype-of-all": {"$list": [{"$tensor": item["$tensor"] | {"dtype": "int32"}} for item in items]},
            "shape-of-one": {"$list": [{"$tensor": items[0]["$tensor"] | {"shape": [5]}}, *items[1:]]},
        }
        for label, value in at_root.items():
            yield self.case(f"error-{name}-{label}", good | {name: value}, callers=[0])
        yield self.case(f"error-{name}-elsewhere", good | {name: here}, callers=[1])
        none = good | {name: None}
        yield self.case(f"error-{root}-too-big", none | {root: 99}, callers=[1])
        yield self.case(f"error-{root}-negative", none | {root: -1}, callers=[1])
        yield self.case(f"error-{root}-text", none | {root: "0"}, callers=[1])
        yield self.case(f"error-{root}-twice", none | {group_root: 0}, callers=[1])
        inside = {key: value for key, value in none.items() if key != root}
        yield self.case(f"error-{group_root}-too-big", inside | {group_root: 99}, callers=[1])
        outside = none | {self._named("group"): {"$group": "last"}, root: 0}
        yield self.case(f"error-{root}-not-in-group", outside, callers=[self.size - 1])

    def _required(self) -> list[str]:
        return [name for name, role in self.roles.items() if role in ("tensor", "place", "both", "tensors", "places")]

    def _named(self, role: str) -> str:
        return next(name for name, each in self.roles.items() if each == role)
