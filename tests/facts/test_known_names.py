"""Names that code in the world uses: which of them the facts know, and what they say of the others."""

from __future__ import annotations

from pathlib import Path

import pytest
from count_known_uses import by_status, main, uses

from mapspore.facts.naming import is_private, unlisted
from mapspore.facts.snapshot import Facts
from mapspore.text.phrases import said

PUBLIC = [
    "torch.LongTensor", "torch.FloatTensor", "torch.BoolTensor", "torch.HalfTensor", "torch.cuda.FloatTensor",
    "torch.sparse.FloatTensor", "torch.__version__", "torch.__version__.split", "torch.version.cuda",
    "torch.version.hip", "torch._assert", "torch.autograd.Function", "torch.autograd.Function.apply",
    "torch.autograd.Function.forward", "torch.autograd.Function.backward", "torch.autograd.grad",
    "torch.autograd.backward", "torch.autograd.Variable", "torch.autograd.profiler.record_function",
    "torch.autograd.function.once_differentiable", "torch.autograd.function.FunctionCtx",
    "torch.autograd.graph.saved_tensors_hooks", "torch.amp.autocast", "torch.amp.GradScaler",
    "torch.cuda.amp.autocast", "torch.cuda.amp.GradScaler", "torch.cuda.is_available", "torch.cuda.current_device",
    "torch.cuda.device_count", "torch.cuda.synchronize", "torch.cuda.empty_cache", "torch.cuda.Stream",
    "torch.cuda.Event", "torch.cuda.Event.record", "torch.cuda.nvtx.range_push", "torch.cuda.memory.empty_cache",
    "torch.cuda.default_generators", "torch.cuda.CUDAGraph", "torch.xpu.is_available", "torch.mps.empty_cache",
    "torch.accelerator.current_accelerator", "torch.backends.mps.is_available", "torch.backends.cudnn.benchmark",
    "torch.backends.cudnn.deterministic", "torch.backends.cudnn.flags", "torch.backends.cuda.matmul.allow_tf32",
    "torch.backends.cuda.sdp_kernel", "torch.jit.script", "torch.jit.ignore", "torch.jit.is_scripting",
    "torch.jit.is_tracing", "torch.jit.Final", "torch.jit.ScriptModule", "torch.fx.Node", "torch.fx.GraphModule",
    "torch.fx.Graph.lint", "torch.fx.wrap", "torch.fx.node.map_arg", "torch.compiler.disable",
    "torch.distributions.Normal", "torch.distributions.Normal.log_prob", "torch.distributions.constraints.positive",
    "torch.distributions.kl.kl_divergence", "torch.distributions.normal.Normal", "torch.fft.fft",
    "torch.linalg.norm", "torch.special.expit", "torch.func.vmap", "torch.library.custom_op",
    "torch.export.Dim.AUTO", "torch.nn.init.xavier_uniform_", "torch.nn.utils.clip_grad_norm_",
    "torch.nn.utils.rnn.pad_sequence", "torch.nn.utils.rnn.PackedSequence",
    "torch.nn.utils.parametrizations.weight_norm", "torch.nn.utils.prune.l1_unstructured",
    "torch.nn.attention.sdpa_kernel", "torch.nn.attention.SDPBackend.MATH",
    "torch.nn.attention.flex_attention.BlockMask", "torch.nn.ModuleList.append", "torch.nn.ModuleList.parameters",
    "torch.nn.Linear.weight", "torch.nn.Linear.in_features", "torch.nn.Linear.forward", "torch.nn.Linear.__init__",
    "torch.nn.Module.training", "torch.nn.Module.forward", "torch.optim.Optimizer.param_groups",
    "torch.optim.Adam.param_groups", "torch.optim.Adam.step", "torch.optim.optimizer.ParamsT",
    "torch.utils.checkpoint.checkpoint", "torch.utils.cpp_extension.CUDA_HOME", "torch.utils.hooks.RemovableHandle",
    "torch.distributed.tensor.DTensor", "torch.distributed.tensor.DTensor.from_local",
    "torch.distributed._tensor.DTensor", "torch.distributed.device_mesh.DeviceMesh",
    "torch.distributed.fsdp.ShardingStrategy.FULL_SHARD",
    "torch.distributed.fsdp.fully_sharded_data_parallel.MixedPrecision",
    "torch.distributed.checkpoint.state_dict.StateDictOptions", "torch.distributed.ReduceOp.RedOpType",
    "torch.distributed.group.WORLD.rank", "torch.multiprocessing.get_context", "torch.profiler.profile",
    "torch.profiler.ProfilerActivity.CPU", "torch.testing.assert_close", "torch.onnx.export",
]  # fmt: skip

PLACES = {
    "torch.nn.parameter.Parameter": "torch.nn.Parameter",
    "torch.nn.modules.module.Module": "torch.nn.Module",
    "torch.nn.modules.Module": "torch.nn.Module",
    "torch.nn.modules.batchnorm.SyncBatchNorm.convert_sync_batchnorm": "torch.nn.SyncBatchNorm.convert_sync_batchnorm",
    "torch.nn.parallel.distributed.DistributedDataParallel": "torch.nn.parallel.DistributedDataParallel",
    "torch.nn.modules.linear.Linear.state_dict": "torch.nn.Module.state_dict",
    "torch.optim.optimizer.Optimizer": "torch.optim.Optimizer",
    "torch.optim.adamw.AdamW.step": "torch.optim.Optimizer.step",
    "torch.utils.data.dataloader.DataLoader": "torch.utils.data.DataLoader",
    "torch.utils.data.dataloader.default_collate": "torch.utils.data.default_collate",
    "torch.distributed.distributed_c10d.all_reduce": "torch.distributed.all_reduce",
    "torch.random.manual_seed": "torch.manual_seed",
}

OTHERS = {
    "module": "torch torch.cuda torch.random torch.utils torch.ops torch.nn.utils.parametrizations",
    "private": "torch._foreach_add_ torch._C._nn.gelu torch.nn.modules.batchnorm._BatchNorm torch.cuda._lazy_call"
    " torch.nn.functional._Reduction.get_enum",
    "uncovered": "torch.ops.aten.mm torch.utils.tensorboard.SummaryWriter torch.onnx.symbolic_helper.parse_args",
    "absent": "torch.npu torch.npu.is_available torch.nn.Lineer torch.nn.functionl.gelu torch.nn.Linear.wieght"
    " torch.cuda.is_avaliable torch.abs.nothing",
}

COUNTERPARTS = [
    "mindspore.common.initializer.XavierUniform", "mindspore.common.initializer.initializer",
    "mindspore.amp.DynamicLossScaler", "mindspore.amp.auto_mixed_precision",
    "mindspore.dataset.dataloader.DataLoader", "mindspore.dataset.vision.Resize",
    "mindspore.dataset.transforms.Compose", "mindspore.experimental.optim.Adam", "mindspore.runtime.empty_cache",
    "mindspore.runtime.Stream.wait_event", "mindspore.hal.is_available", "mindspore.ops.communication.all_gather",
    "mindspore.train.Model.train", "mindspore.numpy.tensordot", "mindspore.scipy.linalg.lu",
    "mindspore.nn.probability.distribution.Normal", "mindspore.nn.Cell.construct",
    "mindspore.ops.operations.Conv2D", "mindspore.communication.management.init",
]  # fmt: skip


def test_public_names_are_known(torch_facts: Facts) -> None:
    assert {name: torch_facts.status(name) for name in PUBLIC} == dict.fromkeys(PUBLIC, "public")


def test_a_place_is_known_as_a_further_name_of_one_api(torch_facts: Facts) -> None:
    assert {name: torch_facts.resolve(name) for name in PLACES} == PLACES
    for name in PLACES:
        assert name not in torch_facts


def test_no_place_is_an_api_or_has_two_homes(torch_facts: Facts, mindspore_facts: Facts) -> None:
    for facts in (torch_facts, mindspore_facts):
        every = [place for api in facts for place in api.places]
        assert len(every) == len(set(every)) == len(facts.places)
        assert not set(every) & set(facts.names)


@pytest.mark.parametrize("status", OTHERS)
def test_what_the_facts_say_of_other_names(status: str, torch_facts: Facts) -> None:
    names = OTHERS[status].split()
    assert {name: torch_facts.status(name) for name in names} == dict.fromkeys(names, status)


def test_mindspore_has_what_a_counterpart_may_come_from(mindspore_facts: Facts) -> None:
    assert {name: mindspore_facts.status(name) for name in COUNTERPARTS} == dict.fromkeys(COUNTERPARTS, "public")
    assert mindspore_facts.status("mindspore._c_expression.run_backward") == "private"
    assert mindspore_facts.status("mindspore.ops_generate.gen_utils.safe_load_yaml") == "uncovered"
    assert mindspore_facts.status("mindspore.common.initializer.XavierUnifrom") == "absent"


def test_a_private_name_is_told_apart_from_one_that_is_not_there(torch_facts: Facts) -> None:
    assert is_private("torch._C._nn.gelu")
    assert not is_private("torch.nn.Linear.__init__")
    told = unlisted("torch._foreach_add_", torch_facts.modules)
    assert told is not None
    assert said(told, "en")[0] == "`torch._foreach_add_` is a private name of torch; the facts list public names only."
    assert said(told, "zh")[0] == "`torch._foreach_add_` 是 torch 的私有名称，事实快照只收录公开名称。"
    assert unlisted("torch.nn.Lineer", torch_facts.modules) is None
    assert unlisted("_private", torch_facts.modules) is None


def test_a_module_that_is_not_covered_is_named(mindspore_facts: Facts) -> None:
    told = unlisted("mindspore.ops_generate.something", mindspore_facts.modules)
    assert told is not None
    assert said(told, "en")[0] == (
        "The facts do not cover the module `mindspore.ops_generate`, so nothing is known of"
        " `mindspore.ops_generate.something`."
    )
    assert said(told, "zh")[0] == (
        "事实快照未收录模块 `mindspore.ops_generate`，无从得知 `mindspore.ops_generate.something`。"
    )


def test_uses_are_counted(tmp_path: Path, torch_facts: Facts, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["torch\tuses\tpackages", "torch.abs\t990\t3", "torch.npu\t6\t1", "torch._C.x\t4\t1"]
    assert by_status(uses(lines), torch_facts) == {"public": 990, "absent": 6, "private": 4}
    table = tmp_path / "uses.tsv"
    table.write_text("\n".join(lines), "utf-8")
    assert main(str(table)) == 0
    assert "known: 99.000% of 1000 uses of 3 names" in capsys.readouterr().out
    table.write_text("\n".join([*lines, "torch.abz\t1\t1"]), "utf-8")
    assert main(str(table)) == 1
