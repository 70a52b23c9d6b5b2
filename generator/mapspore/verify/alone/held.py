"""Cases of objects, run on both sides. In: the sides and a case whose first call makes an object and whose second one
calls it. Out: the verdict on the adapter's object: its state under torch's names, its results in both modes, its
gradients.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from mapspore.verify.alone.calls import choose, judged, seen_of, weighted
from mapspore.verify.alone.compare import (
    SKIPPED,
    Verdict,
    compare,
)  # fmt: skip
from mapspore.verify.alone.sides import AdapterSide, Maker, Outcome, Seen, Side, TorchSide
from mapspore.verify.alone.stated import Case


def of_object(torch: TorchSide, adapter: AdapterSide, case: Case) -> tuple[Verdict, str]:
    """State by name; results in training mode, twice, and in evaluation; the state afterwards."""
    chosen = choose(adapter, case)
    unkept = {name for name, held in case["state"].get(chosen, {}).items() if held is None}
    wanted = seen_of(torch, lambda: _used(torch, case, torch.api(case["entry"]), unkept))
    got = seen_of(adapter, lambda: _used(adapter, case, adapter.offered(case["entry"], case["target"]), unkept))
    return judged(case, chosen, compare(case, case.get("refused", {}).get(chosen), wanted, got), got), ""


def _used(side: Side, case: Case, made_by: Any, unkept: set[str]) -> Seen:
    maker, (first, second) = Maker(side, case["id"]), case["calls"]
    made = made_by(*maker.make(first["args"]), **maker.make(first["kwargs"]))
    names = [name for name in made.state_dict() if name not in unkept]
    seen = {"state": Seen("tuple", items=tuple(_shape(side, made, name) for name in names), fields=tuple(names))}
    load(side, made, names, case["id"])
    for at, mode in enumerate(("training", "training", "evaluation")):
        (made.train if mode == "training" else made.eval)()
        again = Maker(side, f"{case['id']}/{at}")
        seen[f"{mode} {at}"] = side.see(made(*again.make(second["args"]), **again.make(second["kwargs"])))
        after = made.state_dict()
        seen[f"state after {mode} {at}"] = Seen("tuple", items=tuple(side.see(after[name]) for name in names))
    return Seen("tuple", items=tuple(seen.values()), fields=tuple(seen))


def _shape(side: Side, made: Any, name: str) -> Seen:
    tensor = made.state_dict()[name]
    return Seen(name, (side.dtype(tensor), tuple(tensor.shape)))


def load(side: Side, made: Any, names: list[str], seed: str) -> None:
    """Give an object the same state on both sides: values between a half and one and a half."""
    own, state = made.state_dict(), {}
    for name in own:
        array, dtype = side.array(own[name]), side.dtype(own[name])
        if name in names and array.dtype.kind == "f":
            generator = np.random.default_rng(zlib.crc32(f"{seed}/{name}".encode()))
            array = np.asarray(generator.uniform(0.5, 1.5, array.shape)).astype(array.dtype)
        state[name] = side.tensor(array, dtype)
    made.load_state_dict(state)


def of_error(torch: TorchSide, adapter: AdapterSide, case: Case) -> tuple[Verdict, str]:
    """An object that is called in a wrong way."""
    chosen = choose(adapter, case)

    def called(side: Side, made_by: Any) -> Outcome:
        maker, (first, second) = Maker(side, case["id"]), case["calls"]
        made = made_by(*maker.make(first["args"]), **maker.make(first["kwargs"]))
        return seen_of(side, lambda: made(*maker.make(second["args"]), **maker.make(second["kwargs"])))

    got = called(adapter, adapter.offered(case["entry"], case["target"]))
    return judged(case, chosen, compare(case, None, called(torch, torch.api(case["entry"])), got), got), ""


def of_gradient(torch: TorchSide, adapter: AdapterSide, case: Case) -> tuple[Verdict, str]:
    """The gradients by the inputs and by torch's parameters, of the weighted sum of the results."""
    chosen = choose(adapter, case)
    training = "training" in case["situations"]
    names: list[str] = []

    def with_torch() -> Seen:
        made, inputs, call = _ready(torch, case, torch.api(case["entry"]), training)
        names.extend(name for name, parameter in made.named_parameters() if parameter.requires_grad)
        leaves = [*inputs, *(dict(made.named_parameters())[name] for name in names)]
        return torch.see(torch.gradients(lambda *traced: call(made, traced[: len(inputs)]), leaves))

    def with_adapter() -> Seen:
        offered = adapter.offered(case["entry"], case["target"])
        made, inputs, call = _ready(adapter, case, offered, training)
        weights = [made.state_dict()[name] for name in names]
        return adapter.see(adapter.gradients(lambda *traced: call(made, traced), inputs, weights))

    wanted = seen_of(torch, with_torch)
    got = seen_of(adapter, with_adapter)
    if wanted.error or wanted.seen is None or wanted.seen.type == "NoneType":
        return Verdict(SKIPPED), ""
    return judged(case, chosen, compare(case, None, wanted, got), got), ""


def _ready(side: Side, case: Case, made_by: Any, training: bool) -> tuple[Any, list[Any], Callable[..., Any]]:
    """An object with its state, the tensors of the call, and the scalar that is differentiated."""
    maker, (first, second) = Maker(side, case["id"]), case["calls"]
    made = made_by(*maker.make(first["args"]), **maker.make(first["kwargs"]))
    load(side, made, list(made.state_dict()), case["id"])
    (made.train if training else made.eval)()
    caller = Maker(side, case["id"])
    caller.make([second["args"], second["kwargs"]])
    names = [name for name, dtype in caller.dtypes.items() if dtype.startswith("float")]

    def scalar(made: Any, traced: Any) -> Any:
        instead = dict(zip(names, traced, strict=True))
        result = made(*caller.make(second["args"], instead), **caller.make(second["kwargs"], instead))
        return weighted(side, result, case["id"])

    return made, [caller.tensors[name] for name in names], scalar
