"""Runs one program as it is and writes down its curve. In: a program and its arguments. Out: an .npz file, one per
rank, with every loss that `backward` was called on, the gradients of the first step of each optimiser that was there
before the first step, the state of every model at the end, and the time between steps; if asked for, a list of the
functions, methods and layers of torch that it used. A run that fails leaves its error.

It is started as a script in a process of its own and speaks to torch alone, whichever package stands for it: nothing of
mapspore is imported, and the program is not changed.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import runpy
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

NOISE = 1e-6
"""How much the weights are perturbed, relatively, to see how far a curve strays by rounding alone."""


class Curve:
    """What a run leaves."""

    def __init__(self, torch: Any, perturb: int | None) -> None:
        self._torch = torch
        self._noise = None if perturb is None else np.random.default_rng(perturb)
        self._models: list[Any] = []
        self._optimisers: list[Any] = []
        self._losses: list[float] = []
        self._gradients: dict[str, Any] = {}
        self._times: list[float] = []
        self._within = False

    def watch(self) -> None:
        """Have torch's own classes tell what happens, whatever program runs then."""
        torch, curve = self._torch, self
        backward, start, made = torch.Tensor.backward, torch.optim.Optimizer.__init__, torch.nn.Module.__init__

        def told_backward(tensor: Any, *args: Any, **kwargs: Any) -> Any:
            if curve._within:  # torch calls it again where calls are recorded
                return backward(tensor, *args, **kwargs)
            curve._losses.append(float(array(tensor).mean()))
            curve._within = True
            try:
                return backward(tensor, *args, **kwargs)
            finally:
                curve._within = False

        def told_start(optimiser: Any, *args: Any, **kwargs: Any) -> None:
            start(optimiser, *args, **kwargs)
            curve._started(optimiser)

        def told_made(model: Any, *args: Any, **kwargs: Any) -> None:
            made(model, *args, **kwargs)
            curve._models.append(model)

        torch.Tensor.backward = told_backward
        torch.optim.Optimizer.__init__ = told_start
        torch.nn.Module.__init__ = told_made

    def _started(self, optimiser: Any) -> None:
        number, in_training = len(self._optimisers), bool(self._times)
        self._optimisers.append(optimiser)
        parameters = [parameter for group in optimiser.param_groups for parameter in group["params"]]
        if self._noise is not None and number == 0:
            with self._torch.no_grad():
                for parameter in parameters:
                    factor = 1 + NOISE * self._noise.standard_normal(tuple(parameter.shape))
                    parameter.mul_(self._torch.tensor(factor.astype(np.float32)))

        def before_step(*_: Any) -> None:
            self._times.append(time.perf_counter())
            told = in_training or any(name.startswith(f"gradient/{number}/") for name in self._gradients)
            if not told:
                for place, parameter in enumerate(parameters):
                    if parameter.grad is not None:
                        self._gradients[f"gradient/{number}/{place}"] = array(parameter.grad)

        optimiser.register_step_pre_hook(before_step)

    def made_of(self) -> set[str]:
        """The classes of torch that the models and optimisers are of, and what their training called."""
        kinds = {base for each in (*self._models, *self._optimisers) for base in type(each).__mro__}
        names = {f"{kind.__module__}.{kind.__qualname__}" for kind in kinds if kind.__module__.startswith("torch.")}
        return names | ({"torch.Tensor.backward"} if self._losses else set())

    def written(self) -> dict[str, Any]:
        """The curve as arrays by name."""
        inner = {id(child) for model in self._models for child in model.children()}
        roots = [model for model in self._models if id(model) not in inner]
        state = {
            f"state/{number}/{name}": array(value)
            for number, model in enumerate(roots)
            for name, value in model.state_dict().items()
        }
        times = np.diff(np.asarray(self._times)) if len(self._times) > 1 else np.zeros(1)
        return {"loss": np.asarray(self._losses), "seconds": times, **self._gradients, **state}


def recording(torch: Any, program: str, used: set[str]) -> Any:
    """Within it, the names of torch's functions and methods are noted when the program itself calls them."""

    # a method that is written in Python reports itself, and `backward` is called by what watches it
    between = {torch.overrides.__file__, torch.Tensor.register_hook.__code__.co_filename}
    watching = torch.Tensor.backward.__code__

    class Recording(torch.overrides.TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            caller = sys._getframe(1)
            while caller.f_back and (caller.f_code.co_filename in between or caller.f_code is watching):
                caller = caller.f_back
            if caller.f_code.co_filename == program:
                name = torch.overrides.resolve_name(function)
                used.add((name or "").removesuffix(".__get__").removesuffix(".__set__"))
            return function(*args, **(kwargs or {}))

    return Recording()


def file_of(out: Path, rank: str | None) -> Path:
    """Where a rank leaves its curve."""
    return out if rank is None else out.with_name(f"{out.stem}.rank{rank}{out.suffix}")


def error_of(out: Path) -> Path:
    """Where a run leaves the error that ended it, which has no curve."""
    return out.with_suffix(".error.txt")


def array(tensor: Any) -> Any:
    """A tensor's values in the widest float that NumPy has for all of them."""
    return np.array(tensor.detach().cpu().double().numpy())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--perturb", type=int, help="the seed of the noise on the first weights")
    parser.add_argument("--used", type=Path, help="where to write what of torch was used")
    parser.add_argument("out", type=Path)
    parser.add_argument("program", type=Path)
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    out = file_of(options.out, os.environ.get("RANK"))
    try:
        observe(options, out)
    except Exception as error:
        error_of(out).write_text(f"{type(error).__name__}: {error}", "utf-8")
        raise


def observe(options: argparse.Namespace, out: Path) -> None:
    import torch

    curve = Curve(torch, options.perturb)
    curve.watch()
    sys.argv = [str(options.program), *options.arguments]
    sys.path[0] = str(options.program.resolve().parent)
    used: set[str] = set()
    with recording(torch, str(options.program), used) if options.used else contextlib.nullcontext():
        runpy.run_path(str(options.program), run_name="__main__")
    np.savez(out, **curve.written())
    if options.used:
        options.used.write_text("\n".join(sorted((used | curve.made_of()) - {""})), "utf-8")


if __name__ == "__main__":
    main()
