"""Cases of objects, run on both sides. In: the sides and a case whose first call makes an object and whose second one
calls it. Out: the verdict on the adapter's object: its state under torch's names, its results in both modes, its
gradients.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mapspore.cases.single.case_builder import Case
from mapspore.verify.arguments import Maker
from mapspore.verify.compare import (
    DIFFERENT,
    SKIPPED,
    Verdict,
    agree,
    compare,
    described,
    lacks_kernel,
    shown,
)  # fmt: skip
from mapspore.verify.outcome import Outcome, Seen, named
from mapspore.verify.sides import AdapterSide, Side, TorchSide
from mapspore.verify.single.run_call import (
    accounted,
    choose,
    directly,
    dtype_lacking,
    judged,
    refusal_of,
    seen_of,
    types_of,
    weighted,
)


def of_object(torch: TorchSide, adapter: AdapterSide, case: Case) -> tuple[Verdict, str]:
    """State by name; results in training mode, twice, and in evaluation; the state afterwards."""
    chosen = choose(adapter, case)
    unkept = {name for name, held in case["state"].get(chosen, {}).items() if held is None}
    wanted = seen_of(torch, lambda: _used(torch, case, torch.api(case["entry"]), unkept))
    got = seen_of(adapter, lambda: _used(adapter, case, adapter.offered(case["entry"], case["target"]), unkept))
    verdict = judged(case, chosen, compare(refusal_of(case, chosen), wanted, got, types_of(case)), got)
    return verdict, _undeclared(adapter, case, chosen, wanted) if case["target"] else ""


def _undeclared(adapter: AdapterSide, case: Case, chosen: str, wanted: Outcome) -> str:
    """What an object of MindSpore's own class gives otherwise, in the mode it starts in unless modes are known to
    differ."""
    direct = case.get("direct", {}).get(chosen)
    if direct is None or wanted.seen is None or accounted(case, chosen) or chosen in case.get("refused", {}):
        return ""

    def run() -> Any:
        maker, held = Maker(adapter, case["id"]), case["state"].get(chosen, {})
        made = directly(adapter, direct, {name: maker.make(case["given"][name]) for name in case["made_with"]})
        for name, array in state_of(
            adapter, {key: getattr(made, held.get(key) or "", None) for key in held}, case["id"]
        ):
            getattr(made, held[name]).set_data(adapter.tensor(array, str(array.dtype)))
        if case["modes"]:
            made.set_train()
        again = Maker(adapter, f"{case['id']}/0")
        return made(*again.make(case["calls"][1]["args"] or list(case["calls"][1]["kwargs"].values())))

    got = seen_of(adapter, run)
    if lacks_kernel(got) or dtype_lacking(case, chosen):
        return ""
    result = wanted.seen["training 0"]
    if got.seen is None:
        return f"torch: {described(result)}; {direct['api']}: {shown(got)}"
    verdict = agree(result, got.seen)
    return f"{direct['api']}: {verdict.detail}" if verdict.kind == DIFFERENT else ""


def state_of(side: Side, own: dict[str, Any], seed: str) -> Iterator[tuple[str, np.ndarray]]:
    """New values for the floats of a state, between a half and one and a half, the same on both sides."""
    for name, tensor in own.items():
        array = side.array(tensor) if side.is_tensor(tensor) else np.zeros(0, int)
        if array.dtype.kind == "f":
            generator = np.random.default_rng(zlib.crc32(f"{seed}/{name}".encode()))
            yield name, np.asarray(generator.uniform(0.5, 1.5, array.shape)).astype(array.dtype)


def _used(side: Side, case: Case, made_by: Any, unkept: set[str]) -> Seen:
    maker, (first, second) = Maker(side, case["id"]), case["calls"]
    made = maker.call(made_by, first)
    names = [name for name in made.state_dict() if name not in unkept]
    seen = {"state": Seen("tuple", items=tuple(_shape(side, made, name) for name in names), fields=tuple(names))}
    seen["mode"] = Seen("bool", bool(made.training))
    load(side, made, names, case["id"])
    for at, mode in enumerate(("training", "training", "evaluation")):
        if at:  # it starts in training mode
            (made.train if mode == "training" else made.eval)()
        again = Maker(side, f"{case['id']}/{at}")
        seen[f"{mode} {at}"] = side.see(again.call(made, second))
        after = made.state_dict()
        seen[f"state after {mode} {at}"] = Seen("tuple", items=tuple(side.see(after[name]) for name in names))
    return named(**seen)


def _shape(side: Side, made: Any, name: str) -> Seen:
    tensor = made.state_dict()[name]
    return Seen(name, (side.dtype(tensor), tuple(tensor.shape)))


def load(side: Side, made: Any, names: list[str], seed: str) -> None:
    """Give an object the same state on both sides."""
    own = made.state_dict()
    new = dict(state_of(side, {name: own[name] for name in names}, seed))
    made.load_state_dict(
        {name: side.tensor(new.get(name, side.array(tensor)), side.dtype(tensor)) for name, tensor in own.items()}
    )


def of_error(torch: TorchSide, adapter: AdapterSide, case: Case) -> tuple[Verdict, str]:
    """An object that is called in a wrong way."""
    chosen = choose(adapter, case)

    def called(side: Side, made_by: Any) -> Outcome:
        maker, (first, second) = Maker(side, case["id"]), case["calls"]
        made = maker.call(made_by, first)
        return seen_of(side, lambda: maker.call(made, second))

    got = called(adapter, adapter.offered(case["entry"], case["target"]))
    return judged(case, chosen, compare(None, called(torch, torch.api(case["entry"])), got, types_of(case)), got), ""


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
    return judged(case, chosen, compare(None, wanted, got, types_of(case)), got), ""


def _ready(side: Side, case: Case, made_by: Any, training: bool) -> tuple[Any, list[Any], Callable[..., Any]]:
    """An object with its state, the tensors of the call, and the scalar that is differentiated."""
    maker, (first, second) = Maker(side, case["id"]), case["calls"]
    made = maker.call(made_by, first)
    load(side, made, list(made.state_dict()), case["id"])
    (made.train if training else made.eval)()
    caller = Maker(side, case["id"])
    caller.make([second["args"], second["kwargs"]])
    names = caller.floats

    def scalar(made: Any, traced: Any) -> Any:
        result = caller.replacing(dict(zip(names, traced, strict=True))).call(made, second)
        return weighted(side, result, case["id"])

    return made, [caller.tensors[name] for name in names], scalar
