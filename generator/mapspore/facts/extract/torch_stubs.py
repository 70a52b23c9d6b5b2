"""torch's type stubs: the name of a builtin goes in, the forms that the stubs declare for it come out.

The stubs are generated with torch and declare what its argument parser accepts, but for a few things that
are put right here. Defaults that only docstrings know are left to others.
"""

from dataclasses import replace
from pathlib import Path

from mapspore.facts.extract.source import Declarations, declarations
from mapspore.facts.snapshot import Parameter, Signature

# Names that the stubs get wrong: the parser does not know them.
MISNAMED = {
    "requires_grad_": {"mode": "requires_grad"},
    "random_": {"from_": "from"},
    "uniform_": {"from_": "from"},
}


class Stubs:
    """The stubs in torch's folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._named_tuples = declarations(folder / "return_types.pyi")

    def functions(self, module: str, name: str) -> tuple[Signature, ...]:
        """The forms of a function that the stub of a module declares."""
        stub = self._stub(module)
        return self._corrected(stub.forms(name), name) if stub else ()

    def methods(self, cls: type, name: str) -> tuple[Signature, ...]:
        """The forms of a method that the stub of this very class declares."""
        stub = self._of_class(cls)
        return self._corrected(stub.forms(f"{cls.__qualname__}.{name}", bound=True), name) if stub else ()

    def value_type(self, cls: type, name: str) -> str | None:
        """The annotation of an attribute that the stub of this very class declares."""
        stub = self._of_class(cls)
        if stub is None:
            return None
        if value := stub.values.get(f"{cls.__qualname__}.{name}"):
            return stub.text.of(value)
        forms = stub.forms(f"{cls.__qualname__}.{name}")
        return forms[0].returns if forms else None

    def _stub(self, module: str) -> Declarations | None:
        place = self._folder.joinpath(*module.split(".")[1:])
        for path in (place.with_suffix(".pyi"), place / "__init__.pyi"):
            if path.is_file():
                return declarations(path)
        return None

    def _of_class(self, cls: type) -> Declarations | None:
        for module in (cls.__module__, "torch._C", "torch._C._distributed_c10d"):
            stub = self._stub(module)
            if stub and cls.__qualname__ in stub.classes:
                return stub
        return None

    def _corrected(self, forms: tuple[Signature, ...], name: str) -> tuple[Signature, ...]:
        old = [Parameter("self", annotation="Tensor") in form.parameters[:2] for form in forms]
        return tuple(
            replace(
                form,
                parameters=tuple(_corrected(parameter, name) for parameter in form.parameters),
                fields=self._fields(form.returns or ""),
                # What torch still parses but warns of is declared after the function in its own words.
                legacy=is_old and not all(old),
            )
            for form, is_old in zip(forms, old, strict=True)
        )

    def _fields(self, returns: str) -> tuple[str, ...]:
        if not returns.startswith("torch.return_types."):
            return ()
        body = self._named_tuples.classes[returns.rpartition(".")[2]].body
        return tuple(item.name for item in body if hasattr(item, "name") and not item.name.startswith("_"))


def _corrected(parameter: Parameter, function: str) -> Parameter:
    """The name that torch's parser knows; a tensor `self` is `input`."""
    name = MISNAMED.get(function, {}).get(parameter.name, parameter.name)
    return replace(parameter, name="input" if name == "self" and parameter.annotation == "Tensor" else name)
