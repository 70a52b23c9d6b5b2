"""What holds for all adapters: imports, refusals, choice of target, signatures, what the runtime may not know."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from harness import ADAPTER, run_ranks

from mapspore.facts import snapshot
from processes import HANGS

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]

RUNTIME = ADAPTER / "torchspore" / "_runtime"
FACTS = ADAPTER.parent / "facts"


def run_python(code: str, *paths: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code]
    environment = {"PYTHONPATH": ":".join(map(str, (*paths, ADAPTER))), "GLOG_v": "3", "PATH": "/usr/bin:/bin"}
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=HANGS, check=False)


def fake_package(folder: Path, name: str, version: str) -> Path:
    package = folder / name / name
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(f'__version__ = "{version}"\n')
    return package.parent


def test_without_mindspore_one_sentence() -> None:
    code = "import sys; sys.modules['mindspore'] = None\nimport torchspore.distributed"
    done = run_python(code)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ImportError: torchspore runs on MindSpore, which is not installed; install it with: "
        'pip install "mindspore==2.10.*" "numpy<2"'
    )
    assert "During handling" not in done.stderr and "direct cause" not in done.stderr


@pytest.mark.parametrize("version", ["2.7.0", "2.9.0", "2.11.0", "3.0.0rc1"])
def test_another_version_one_sentence(version: str, tmp_path: Path) -> None:
    done = run_python("import torchspore.distributed", fake_package(tmp_path, "mindspore", version))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(
        f"ImportError: torchspore supports MindSpore 2.10, and {version} is installed; install it with: pip install"
    )


def test_numpy_2_one_sentence(tmp_path: Path) -> None:
    paths = fake_package(tmp_path, "mindspore", "2.10.0"), fake_package(tmp_path, "numpy", "2.1.0")
    done = run_python("import torchspore.distributed", *paths)
    assert done.stderr.splitlines()[-1].startswith("ImportError: MindSpore 2.10.0 does not work with NumPy 2; install")


def test_adapters_do_not_import_torch(tmp_path: Path) -> None:
    done = run_python(
        "import sys, torchspore.distributed; print([m for m in sys.modules if m.split('.')[0] == 'torch'])"
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


ONE_RANK = """
import os
import numpy as np
import mindspore as ms
from mindspore import Tensor
import torchspore.distributed as dist
dist.init_process_group()

def said(call, *arguments):
    try:
        print("no error", call(*arguments), flush=True)
    except Exception as error:
        print(type(error).__name__ + ":", str(error).splitlines()[0], flush=True)
"""


def test_compiled_and_differentiated_calls_are_refused(tmp_path: Path) -> None:
    code = """
def reduced(x):
    dist.all_reduce(x)
    return x + 1

def differentiated(x):
    y = x * 2
    dist.all_gather([ms.mint.zeros(2)], y)
    return y.sum()

def constant(x):
    count = Tensor(np.ones(2, np.float32))
    dist.all_reduce(count)
    return (x * count).sum()

x = Tensor(np.ones(2, np.float32))
said(ms.jit(reduced), x)
weight = ms.Parameter(Tensor(np.ones(2, np.float32)), name="weight")
dist.all_reduce(weight)
said(ms.grad(constant), x)
said(ms.grad(differentiated), x)
os._exit(0)
"""
    script = tmp_path / "script.py"  # MindSpore compiles functions of a file only
    script.write_text(ONE_RANK + code)
    codes, logs = run_ranks([[sys.executable, str(script)]], tmp_path)
    assert codes == [0], logs
    compiled, fine, refused = logs[0].splitlines()[-3:]
    assert compiled.startswith("RuntimeError: Failed to compile in GRAPH_MODE") and "all_reduce" in compiled
    assert fine == "no error [1. 1.]"
    assert refused.startswith("NoGradient: tensor takes part in a gradient") and "stop_gradient" in refused


def test_choosing_a_target(tmp_path: Path) -> None:
    code = """
print(dist.which("all_gather"))
dist.use("comm_func"); print(dist.which("torch.distributed.all_gather").target)
dist.use(None); os.environ["TORCHSPORE_TARGET"] = "comm_func"; print(dist.which("gather").reason)
dist.use("mint"); print(dist.which("gather").mindspore)
said(dist.use, "hccl")
dist.use(None); os.environ["TORCHSPORE_TARGET"] = "nonsense"
said(dist.all_reduce, Tensor(np.ones(1)))
said(dist.which, "all_gathr"); said(dist.which, "qqq")
os.environ["TORCHSPORE_TARGET"] = "mint"; print(dist.which("get_rank")); print(dist.which("get_pg_count"))
os._exit(0)
"""
    codes, logs = run_ranks([[sys.executable, "-c", ONE_RANK + code]], tmp_path)
    assert codes == [0], logs
    assert logs[0].splitlines()[1:] == [
        "torch.distributed.all_gather calls mindspore.mint.distributed.all_gather (target 'mint') because it is "
        "the first that MindSpore 2.10.0 has; CPU, MindSpore runtime; not HCCL.",
        "comm_func",
        "TORCHSPORE_TARGET asks for it",
        "mindspore.mint.distributed.gather",
        "ValueError: use() names the target 'hccl'; there are comm_func and mint.",
        "ValueError: TORCHSPORE_TARGET names the target 'nonsense'; there are comm_func and mint.",
        "ValueError: There is no adapter named 'all_gathr'; did you mean 'all_gather'?",
        f"ValueError: There is no adapter named 'qqq'; there are {len(API_FUNCTIONS)}, each under the name of its "
        "function.",
        "torch.distributed.get_rank is answered by the adapter's own runtime because no single call does the same; the "
        "counterpart is mindspore.mint.distributed.get_rank and mindspore.communication.get_rank; CPU, MindSpore "
        "runtime; not HCCL.",
        "torch.distributed.get_pg_count is answered by the adapter's own runtime because no single call of MindSpore "
        "is known to do the same; CPU, MindSpore runtime; not HCCL.",
    ]


# every adapter that calls something; what only raises is not asked for
API_FUNCTIONS = [
    file
    for file in sorted((ADAPTER / "torchspore" / "distributed").glob("_[a-z]*.py"))
    if re.search(r"^(_API = Api|Composed)\($", file.read_text(), re.MULTILINE)
]


def facts_of(framework: str, prefix: str) -> dict[str, list[tuple[str, str | None]]]:
    """The parameters of each function, as (name, default) pairs."""
    facts = snapshot.load(next(FACTS.glob(f"{framework}-*.json")))
    apis = [api for name in facts.names if name.startswith(prefix) and (api := facts.get(name)) and api.name == name]
    return {api.name: [(p.name, p.default) for p in api.forms[0].parameters] for api in apis if api.forms}


def signature_of(file: Path, name: str) -> list[tuple[str, str | None]]:
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            arguments = node.args.args
            defaults = [None] * (len(arguments) - len(node.args.defaults)) + [
                ast.unparse(d) for d in node.args.defaults
            ]
            return list(zip((argument.arg for argument in arguments), defaults, strict=True))
    raise AssertionError(f"{file.name} has no {name}")


def functions_of(file: Path) -> list[str]:
    nodes = ast.parse(file.read_text()).body
    return [node.name for node in nodes if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]


@pytest.mark.parametrize("library", ["mint", "comm_func"])
def test_stand_ins_have_the_signatures_of_mindspore(library: str) -> None:
    prefix = {"mint": "mindspore.mint.distributed.", "comm_func": "mindspore.communication.comm_func."}[library]
    facts = facts_of("mindspore", prefix)
    file = RUNTIME / "collectives" / "cpu" / f"{library}.py"
    spelled = {"ReduceOp.SUM": "'sum'", "GlobalComm.WORLD_COMM_GROUP": "WORLD"}
    for name in functions_of(file):
        wanted = [(parameter, spelled.get(default, default)) for parameter, default in facts[prefix + name]]
        assert signature_of(file, name) == wanted, name


def test_the_runtime_names_no_torch_api() -> None:
    names = {name.split(".")[2] for name in facts_of("torch", "torch.distributed.") if name.count(".") == 2}
    names -= MINDSPORE_WORDS
    assert {"all_gather", "init_process_group", "new_group"} < names and len(names) > 50
    for file in sorted(RUNTIME.rglob("*.py")):
        text = file.read_text()
        named = len(re.findall(r"\btorch\.\w", text))
        told = sum(len(re.findall(r"\btorch\.\w", each)) for each in told_by(ast.parse(text)))
        assert named == (told if file.parent.name in OF_TORCH else 0), f"{file.name} names torch"
        if file.parent.name in (*OF_TORCH, "cpu", "data", "files", "init", "random"):
            continue  # what is not about communication; and functions of MindSpore
        if "calls" in (file.parent.name, file.stem):
            continue  # functions of MindSpore
        # an English word such as `reduce` may stand in a sentence, but not as an identifier
        identifiers = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        identifiers |= {node.attr for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)}
        words = identifiers | {word for word in re.findall(r"\w+", text) if "_" in word}
        assert not words & names, f"{file.name} names {words & names}"


# torch's own classes and functions over MindSpore: they show themselves, and refuse, with torch's words
OF_TORCH = ("autograd", "drawing", "functional", "layers", "module", "operations", "optim", "tensor")


def told_by(module: ast.Module) -> list[str]:
    """The texts that a program can get to see: no docstrings, no comments."""
    docstrings = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    texts = [node for node in ast.walk(module) if isinstance(node, ast.Constant) and id(node) not in docstrings]
    return [node.value for node in texts if isinstance(node.value, str)]


# names that both frameworks use, or that the runtime defines as a class of its own
MINDSPORE_WORDS = {
    "Backend",
    "GroupMember",
    "P2POp",
    "ProcessGroup",
    "ReduceOp",
    "TCPStore",
    "Work",
    "barrier",
    "get_process_group_ranks",
    "get_rank",
    "group",
}


def test_stand_ins_give_what_mindspore_documents(tmp_path: Path) -> None:
    """The examples in the docstrings of `mindspore.communication.comm_func`, at two ranks."""
    code = """
from torchspore._runtime.collectives.cpu import comm_func
rank = dist.get_rank()
ones = Tensor(np.ones([2, 8]).astype(np.float32))
output, handle = comm_func.all_reduce(ones)
assert output.asnumpy().tolist() == [[2] * 8] * 2 and handle is None and ones.asnumpy().max() == 1
output, handle = comm_func.all_reduce(ones, async_op=True)
handle.wait()
assert output.asnumpy().tolist() == [[2] * 8] * 2
output, handle = comm_func.all_gather_into_tensor(ones)
assert output.asnumpy().tolist() == [[1] * 8] * 4 and handle is None
output, _ = comm_func.reduce_scatter_tensor(Tensor(np.ones([8, 8]).astype(np.float32)))
assert output.asnumpy().tolist() == [[2] * 8] * 4
output = comm_func.gather_into_tensor(tensor=Tensor(np.arange(4).reshape([2, 2]).astype(np.float32)), dst=0)
assert output.asnumpy().tolist() == ([[0, 1], [2, 3], [0, 1], [2, 3]] if rank == 0 else [0])
sent, shapes, wanted = [
    ([Tensor(1.0), Tensor([[2, 3], [4, 5.0]])], [(), (2,)], [1, [2, 2]]),
    ([Tensor([2, 2.0]), Tensor([4, 5, 6, 7.0])], [(2, 2), (4,)], [[[2, 3], [4, 5]], [4, 5, 6, 7]]),
][rank]
output, _ = comm_func.all_to_all_with_output_shape(shapes, sent)
assert isinstance(output, tuple) and [each.asnumpy().tolist() for each in output] == wanted
eight = np.arange(8).astype(np.float32)
assert comm_func.broadcast(tensor=Tensor(eight.reshape(2, 4)), src=0).asnumpy().tolist() == eight.reshape(2, 4).tolist()
output = comm_func.reduce(ones, dst=1)
assert output.asnumpy().tolist() == ([[2] * 8] * 2 if rank == 1 else [0])
output = comm_func.scatter_tensor(tensor=Tensor(eight.reshape(4, 2)), src=0)
assert output.asnumpy().tolist() == eight.reshape(4, 2)[2 * rank : 2 * rank + 2].tolist()
output, _ = comm_func.all_to_all_single_with_output_shape((2,), Tensor([2.0 * rank, 2.0 * rank + 1]))
assert output.asnumpy().tolist() == [rank, rank + 2]
sent = np.full([2, 2], 0.01, np.float32)
if rank == 0:
    assert comm_func.send(Tensor(sent), 1) is None
    comm_func.isend(Tensor(sent), 1).wait()
else:
    assert comm_func.recv(ones[:, :2], 0).asnumpy().tolist() == sent.tolist()
    output, handle = comm_func.irecv(ones[:, :2], 0)
    handle.wait()
    assert output.asnumpy().tolist() == sent.tolist()
from mindspore.communication.comm_func import P2POp
pair = [P2POp("isend", Tensor(rank + 1.0), 1 - rank), P2POp("irecv", Tensor(0.0), 1 - rank)]
assert [each.asnumpy().tolist() for each in comm_func.batch_isend_irecv(pair)] == [0, 2 - rank]
assert comm_func.barrier() is None
dist.barrier()
"""
    codes, logs = run_ranks([[sys.executable, "-c", ONE_RANK + code]] * 2, tmp_path)
    assert codes == [0, 0], logs
