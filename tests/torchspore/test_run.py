"""Unchanged programs in this package's hands: what a program and its libraries see where they import torch."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from harness import ADAPTER

from processes import HANGS

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

GENERATOR = ADAPTER.parent / "generator"


def run(
    folder: Path, *arguments: str, path: Sequence[Path] = (ADAPTER,), **more: str
) -> subprocess.CompletedProcess[str]:
    """`python -m torchspore.run` with arguments, in a folder."""
    return python(folder, "-m", "torchspore.run", *arguments, path=path, **more)


def python(folder: Path, *arguments: str, path: Sequence[Path] = (), **more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, path)), "GLOG_v": "3", **more}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=HANGS, check=False,
    )  # fmt: skip


def printed(folder: Path, program: str, *arguments: str) -> list[str]:
    """The lines of a program that comes to its end."""
    (folder / "program.py").write_text(program)
    done = run(folder, "program.py", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


ONE = """
import sys
import torch, torch.nn.functional as F, torch.utils.data, torch.fft
from torch import Tensor, nn
import torchspore

assert torch is torchspore is sys.modules["torch"]
assert nn is torchspore.nn is sys.modules["torch.nn"] is sys.modules["torchspore.nn"]
assert F is torch.nn.functional is torchspore.nn.functional
x = torch.ones(2)
assert isinstance(x, Tensor) and isinstance(x, torchspore.Tensor) and Tensor is torchspore.Tensor
def hinted(x: "torch.Tensor | None" = None) -> Tensor | None: return x
files = [getattr(module, "__file__", None) or "" for module in list(sys.modules.values())]
print([file for file in files if "/site-packages/torch/" in file])
"""


def test_every_name_of_torch_is_the_same_module_and_torch_is_never_loaded(tmp_path: Path) -> None:
    assert python(tmp_path, "-c", "import torch; print(torch.__file__)").stdout, "torch itself is installed here"
    assert printed(tmp_path, ONE) == ["[]"]


ASKED = """
import importlib, importlib.util, importlib.metadata
for name in ("torch._C", "torch._dynamo", "torch._guard", "torch.launch", "torch.no_such_module", "torch.__pycache__"):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        print(error)
print(importlib.util.find_spec("torch.no_such_module"), importlib.util.find_spec("torch.nn") is not None)
print(importlib.metadata.version("torch"))
"""


def test_what_lies_inside_of_torch_or_of_this_package_cannot_be_imported_as_torch(tmp_path: Path) -> None:
    private = "{}: the registry has no entries for private names of torch; use its public ones."
    assert printed(tmp_path, ASKED) == [
        *(private.format(name) for name in ("torch._C", "torch._dynamo", "torch._guard")),
        "No module named 'torch.launch'",
        "No module named 'torch.no_such_module'",
        "No module named 'torch.__pycache__'",
        "None True",
        "2.13.0+torchspore",
    ]


REFUSED = """
import torch, torch.ao.nn.qat
from torch import nn
for use in {uses!r}:
    try:
        exec(use)
        print("fine")
    except Exception as error:
        print(type(error).__name__, "|", error)
print(hasattr(torch, "no_such_name"), hasattr(torch.distributions, "Normal"))
"""
NO_ENTRY = "{}: torch has it, but the registry has no entry for it yet, so nothing stands for it on MindSpore."
USES = {
    "torch.distributions.Normal": f"AttributeError | {NO_ENTRY.format('torch.distributions.Normal')}",
    "from torch.distributions import Normal": f"ModuleNotFoundError | {NO_ENTRY.format('torch.distributions.Normal')}",
    "from torch import _utils": "ModuleNotFoundError | torch._utils: the registry has no entries for private names of "
    "torch; use its public ones.",
    "torch.ones(2).lgamma_()": f"AttributeError | {NO_ENTRY.format('torch.Tensor.lgamma_')}",
    "torch.ones(2).no_such_member": "AttributeError | 'Tensor' object has no attribute 'no_such_member'",
    "torch.no_such_name": "AttributeError | module 'torchspore' has no attribute 'no_such_name'",
    "torch.ao.nn.qat.Linear": "AttributeError | torch.ao.nn.qat.Linear: the registry has no entry for it, and its "
    "facts do not tell what torch.ao.nn.qat holds.",
    "nn.DataParallel": "fine",
    "nn.DataParallel(None)": "NoCounterpart | torch.nn.DataParallel has no counterpart in MindSpore. Start one process "
    "per device with `msrun` and use `torch.nn.parallel.DistributedDataParallel`; with one device, call the module "
    "itself.",
}


def test_a_name_without_an_entry_raises_where_it_is_used(tmp_path: Path) -> None:
    assert printed(tmp_path, REFUSED.format(uses=list(USES))) == [*USES.values(), "False False"]


def test_a_name_that_torch_has_not_is_refused_in_the_words_of_python(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("from torch import no_such_name\n")
    done = run(tmp_path, "program.py")
    assert done.returncode == 1
    assert "ImportError: cannot import name 'no_such_name' from 'torchspore'" in done.stderr


VERSIONS = """
import torch
print(torch.__version__, torch.__version__ >= "2.4", torch.__version__ >= (2, 4), torch.__version__ < "2.13.1")
own = torch.__version__
print(own > "2.13.0", own == "2.13.0", own < "2.14.0a0", "2.4" < own)
print(torch)
print(torch.explain().splitlines()[0])
"""


def test_it_never_hides_what_it_is(tmp_path: Path) -> None:
    versions, others, shown, explained = printed(tmp_path, VERSIONS)
    assert versions == "2.13.0+torchspore True True True"
    assert others == "True False True True"
    assert shown.startswith("<module 'torchspore' from ")
    assert re.match(r"torchspore .* has torch 2\.13\.0's names on MindSpore 2\.10\.\d+\.", explained)


MAIN = """
import pickle, sys
import beside
class Point: pass
def fails(): return 1 // 0
print(__name__, __spec__, sys.argv, __file__, sys.path[0], type(__builtins__).__name__, sorted(globals())[:9])
print(type(pickle.loads(pickle.dumps(Point()))) is Point, sys.modules["__main__"].Point is Point)
if len(sys.argv) > 1: sys.exit(int(sys.argv[1]))
fails()
"""


def test_a_program_runs_and_fails_as_python_itself_lets_it(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "program.py").write_text(MAIN)
    (tmp_path / "folder" / "beside.py").write_text("import torch\n")
    for arguments in (["folder/program.py", "7", "--check"], ["folder/program.py"]):
        expected, done = python(tmp_path, *arguments), run(tmp_path, *arguments)
        assert (done.stdout, done.stderr, done.returncode) == (expected.stdout, expected.stderr, expected.returncode)


def test_a_module_and_a_folder_run_too(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "__main__.py").write_text("import sys, torch; print(__name__, torch.__version__, sys.argv[1:])\n")
    for arguments in (["-m", "package", "-x"], ["package", "-x"]):
        done = run(tmp_path, *arguments)
        assert done.stdout == "__main__ 2.13.0+torchspore ['-x']\n", done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["no_such_file.py"], "there is no file 'no_such_file.py'"),
        (["."], "'.' is a folder without a __main__.py"),
        (["-m", "no_such_module"], "there is no module 'no_such_module'"),
        (["--no-such-option", "x.py"], "unrecognized arguments: --no-such-option"),
        ([], "the following arguments are required"),
    ],
)
def test_a_command_line_that_cannot_be_followed(arguments: list[str], says: str, tmp_path: Path) -> None:
    done = run(tmp_path, *arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert says in done.stderr and "Traceback" not in done.stderr and "--help" in done.stderr


LACKING = """
import torch
import beside
x = torch.zeros(3)
x.backward
torch.nn.DataParallel(torch.no_such_name)
"""


def test_check_tells_what_is_lacking_before_the_first_step(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(LACKING)
    (tmp_path / "beside.py").write_text("import torch\ntorch.distributions.Normal(0, 1)\n")
    done = run(tmp_path, "--check", "program.py", path=(ADAPTER, GENERATOR))
    *found, last = done.stdout.splitlines()
    assert done.returncode == 1, done.stderr
    assert [line.split(": ")[:2] for line in found] == [
        ["beside.py:2:1", "torch.distributions.Normal"],
        ["program.py:6:1", "torch.nn.DataParallel"],
        ["program.py:6:23", "torch.no_such_name"],
    ]
    assert last == "torchspore.run: 3 names lacking, in 3 places; the scan sees no more."
    (tmp_path / "program.py").write_text("import torch\ntorch.zeros(3)\n")
    done = run(tmp_path, "--check", "program.py", path=(ADAPTER, GENERATOR))
    assert done.returncode == 0 and done.stdout.startswith("torchspore.run: 0 names lacking"), done.stderr


def test_check_without_mapspore_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import torch\n")
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    (blocked / "sitecustomize.py").write_text(
        "import importlib.util as u\nfind = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'mapspore' else find(name, *rest)\n"
    )
    done = run(tmp_path, "--check", "program.py", path=(ADAPTER, blocked))
    assert done.returncode == 2 and "pip install mapspore" in done.stderr


def test_torch_that_is_loaded_already_cannot_be_stood_for(tmp_path: Path) -> None:
    done = python(tmp_path, "-c", "import torch, torchspore\ntorchspore.install()", path=(ADAPTER,))
    assert "RuntimeError: torch is imported already" in done.stderr


STARTED = """
import multiprocessing
def work(method):
    import torch
    print(method, torch.__version__, torch.ones(2).sum().item(), flush=True)
if __name__ == "__main__":
    for method in ("spawn", "forkserver"):
        process = multiprocessing.get_context(method).Process(target=work, args=(method,))
        process.start()
        process.join()
"""


def test_processes_that_a_program_starts_stand_here_too(tmp_path: Path) -> None:
    methods = [line.partition(" 2.13.0+torchspore")[0] for line in printed(tmp_path, STARTED)]
    assert methods == ["spawn", "forkserver"]


LIBRARY = """
import torch
from torch import Tensor
def doubled(x: Tensor | None = None):
    return x + x if isinstance(x, torch.Tensor) else None
"""


def test_a_library_that_imports_torch_takes_the_programs_tensors(tmp_path: Path) -> None:
    (tmp_path / "library.py").write_text(LIBRARY)
    program = "import torchspore\nimport library\nprint(library.doubled(torchspore.ones(2)).tolist())\n"
    assert printed(tmp_path, program) == ["[2.0, 2.0]"]
