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
from mapspore.verify.arguments import ArgumentFactory
from mapspore.verify.compare import DIFFERENT, SKIPPED, Rounds, Verdict, agree, described, lacks_kernel, shown
from mapspore.verify.outcome import Outcome, Seen, named
from mapspore.verify.rounding import Rounding
from mapspore.verify.sides import AdapterSide, Side, TorchSide
from mapspore.verify.single.run_call import (
    Ran,
    choose,
    directly,
    judged,
    on_both,
    seen_of,
    weighted,
)


def judge_object(torch: TorchSide, adapter: AdapterSide, case: Case) -> Ran:
    """State by name; results in training mode, twice, and in evaluation; the state afterwards."""
    chosen, wanted, got, rounds = on_both(torch, adapter, case, _used)
    verdict = judged(case, chosen, wanted, got, rounds)
    return Ran(verdict, chosen, _direct_difference(adapter, case, chosen, wanted, rounds) if case["target"] else None)


def _direct_difference(adapter: AdapterSide, case: Case, chosen: str, wanted: Outcome, rounds: Rounds) -> str | None:
    """What an object of MindSpore's own class gives otherwise, in the mode it starts in unless modes are known to
    differ."""
    direct = case.get("direct", {}).get(chosen)
    if direct is None or wanted.seen is None:
        return None

    state_names = case["state"].get(chosen, {})
    got = seen_of(adapter, lambda: used_directly(made_directly(adapter, case, direct), adapter, case, state_names))
    if lacks_kernel(got):
        return None
    result = wanted.seen["training 0"]
    if got.seen is None:
        return f"torch: {described(result)}; {direct['api']}: {shown(got)}"
    verdict = agree(result, got.seen, rounds=rounds, place=(wanted.seen.fields.index("training 0"),))
    return f"{direct['api']}: {verdict.detail}" if verdict.kind == DIFFERENT else ""


def made_directly(native: AdapterSide, case: Case, direct: dict[str, Any]) -> Any:
    """An object of MindSpore's own class, made with torch's arguments."""
    factory = ArgumentFactory(native, case["id"])
    return directly(native, direct, {name: factory.make(case["given"][name]) for name in case["made_with"]})


def used_directly(made: Any, native: AdapterSide, case: Case, state_names: dict[str, str | None]) -> Any:
    """What an object of MindSpore's own class gives at its first call, with the same state as torch's."""
    held: dict[str, Any] = {key: getattr(made, state_names.get(key) or "", None) for key in state_names}
    for name, array in state_of(native, held, case["id"]):
        held[name].set_data(native.tensor(array, str(array.dtype)))
    if case["modes"]:
        made.set_train()
    again = ArgumentFactory(native, f"{case['id']}/0")
    return made(*again.make(case["calls"][1]["args"] or list(case["calls"][1]["kwargs"].values())))


def state_of(side: Side, own: dict[str, Any], seed: str) -> Iterator[tuple[str, np.ndarray]]:
    """New values for the floats of a state, between a half and one and a half, the same on both sides and in every
    dtype."""
    for name, tensor in own.items():
        array = side.array(tensor) if side.is_tensor(tensor) else np.zeros(0, int)
        if array.dtype.kind == "f":
            generator = np.random.default_rng(zlib.crc32(f"{seed}/{name}".encode()))
            yield name, np.asarray(generator.integers(64, 192, array.shape) / 128).astype(array.dtype)
        elif array.dtype.kind == "c":
            generator = np.random.default_rng(zlib.crc32(f"{seed}/{name}".encode()))
            parts = generator.integers(64, 192, (2, *array.shape)) / 128
            yield name, np.asarray(parts[0] + 1j * parts[1]).astype(array.dtype)


def used_once(side: Side, case: Case, made_by: Any) -> Seen:
    """What an object gives at its first call, and the names of its state."""
    factory, (first, second) = ArgumentFactory(side, case["id"]), case["calls"]
    made = factory.call(made_by, first)
    names = list(made.state_dict())
    load(side, made, names, case["id"])
    result = side.see(ArgumentFactory(side, f"{case['id']}/0").call(made, second))
    return named(result=result, state=Seen("tuple", items=tuple(Seen(name) for name in names), fields=tuple(names)))


def _used(side: Side, case: Case, made_by: Any) -> Seen:
    factory, (first, second) = ArgumentFactory(side, case["id"]), case["calls"]
    made = factory.call(made_by, first)
    names = shared_state(case, made)
    seen = {"state": Seen("tuple", items=tuple(_shape(side, made, name) for name in names), fields=tuple(names))}
    seen["mode"] = Seen("bool", bool(made.training))
    load(side, made, names, case["id"])
    for at, mode in enumerate(("training", "training", "evaluation")):
        if at:  # it starts in training mode
            (made.train if mode == "training" else made.eval)()
        again = ArgumentFactory(side, f"{case['id']}/{at}")
        seen[f"{mode} {at}"] = side.see(again.call(made, second))
        after = made.state_dict()
        seen[f"state after {mode} {at}"] = Seen("tuple", items=tuple(side.see(after[name]) for name in names))
    return named(**seen)


def shared_state(case: Case, made: Any) -> list[str]:
    """The names of an object's state, but for what the target keeps nothing of."""
    state_names = case["state"].get(case["chosen"], {})
    return [name for name in made.state_dict() if state_names.get(name, "") is not None]


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


def judge_error(torch: TorchSide, adapter: AdapterSide, case: Case) -> Ran:
    """An object that is called in a wrong way."""
    chosen = choose(adapter, case)
    return Ran(judged(case, chosen, _called(torch, case), _called(adapter, case)), chosen)


def _called(side: Side, case: Case) -> Outcome:
    factory, (first, second) = ArgumentFactory(side, case["id"]), case["calls"]
    made = factory.call(side.offered(case["entry"], case["target"]), first)
    return seen_of(side, lambda: factory.call(made, second))


def judge_gradient(torch: TorchSide, adapter: AdapterSide, case: Case) -> Ran:
    """The gradients by the inputs and by torch's parameters, of the weighted sum of the results."""
    chosen = choose(adapter, case)
    training = "training" in case["situations"]
    names: list[str] = []

    def as_in_torch(side: Side) -> Seen:
        made, inputs, call = _ready(side, case, side.offered(case["entry"], None), training)
        names[:] = [name for name, parameter in made.named_parameters() if parameter.requires_grad]
        leaves = [*inputs, *(dict(made.named_parameters())[name] for name in names)]
        return side.see(side.gradients(lambda *traced: call(made, traced[: len(inputs)]), leaves))

    def with_adapter() -> Seen:
        if case["single_implementation"]:  # a class of the runtime, whose parameters are tensors as torch's are
            return as_in_torch(adapter)
        offered = adapter.offered(case["entry"], case["target"])
        made, inputs, call = _ready(adapter, case, offered, training)
        weights = [made.state_dict()[name] for name in names]
        return adapter.see(adapter.gradients(lambda *traced: call(made, traced), inputs, weights))

    wanted = seen_of(torch, lambda: as_in_torch(torch))
    got = seen_of(adapter, with_adapter)
    if wanted.error or wanted.seen is None or wanted.seen.type == "NoneType":
        return Ran(Verdict(SKIPPED), chosen)
    rounds = Rounding(lambda side: seen_of(side, lambda: as_in_torch(side)))
    return Ran(judged(case, chosen, wanted, got, rounds), chosen)


def _ready(side: Side, case: Case, made_by: Any, training: bool) -> tuple[Any, list[Any], Callable[..., Any]]:
    """An object with its state, the tensors of the call, and the scalar that is differentiated."""
    factory, (first, second) = ArgumentFactory(side, case["id"]), case["calls"]
    made = factory.call(made_by, first)
    load(side, made, list(made.state_dict()), case["id"])
    (made.train if training else made.eval)()
    caller = ArgumentFactory(side, case["id"])
    caller.make([second["args"], second["kwargs"]])
    names = caller.floats

    def scalar(made: Any, traced: Any) -> Any:
        result = caller.replacing(dict(zip(names, traced, strict=True))).call(made, second)
        return weighted(side, result, case["id"])

    return made, [caller.tensors[name] for name in names], scalar
