"""Facts about torch 2.13.0 that are easy to get wrong, and all that torch itself can confirm."""

from __future__ import annotations

import pytest
import torch
import torch.distributed.distributed_c10d as c10d
from fact_shapes import calls, instance_calls
from runtime import confirm

from mapspore.facts.snapshot import Facts

pytestmark = pytest.mark.frameworks


def test_builtins_have_all_their_overloads(torch_facts: Facts) -> None:
    assert calls(torch_facts, "torch.abs") == ["(input, *, out=None)"]
    assert calls(torch_facts, "torch.std") == calls(torch_facts, "torch.var")
    assert calls(torch_facts, "torch.std") == [
        "(input, dim, unbiased=True, keepdim=False, *, out=None)",
        "(input, dim=None, *, correction=None, keepdim=False, out=None)",
        "(input, unbiased=True)",
    ]
    assert calls(torch_facts, "torch.max") == [
        "(input, *, out=None)",
        "(input, other, *, out=None)",
        "(input, dim, keepdim=False, *, out=None)",
    ]
    assert calls(torch_facts, "torch.cat") == ["(tensors, dim=0, *, out=None)"]
    assert calls(torch_facts, "torch.argmin") == ["(input, dim=None, keepdim=False, *, out=None)"]
    assert calls(torch_facts, "torch.topk") == ["(input, k, dim=-1, largest=True, sorted=True, *, out=None)"]
    assert "(end, *, out=None, dtype=None, device=None, requires_grad=False, pin_memory=False)" in calls(
        torch_facts, "torch.arange"
    )


def test_functions_written_in_python(torch_facts: Facts) -> None:
    assert calls(torch_facts, "torch.meshgrid") == ["(*tensors, indexing=None)"]
    assert calls(torch_facts, "torch.unique") == [
        "(input, sorted=True, return_inverse=False, return_counts=False, dim=None)"
    ]
    assert calls(torch_facts, "torch.unique_consecutive") == [
        "(input, return_inverse=False, return_counts=False, dim=None)"
    ]
    assert calls(torch_facts, "torch.einsum") == ["(equation, *operands)"], "its source has only `*args`"
    assert calls(torch_facts, "torch.broadcast_tensors") == ["(*tensors)"]
    assert calls(torch_facts, "torch.nn.init.normal") == calls(torch_facts, "torch.nn.init.normal_")


def test_an_annotation_allows_what_the_overloads_do(torch_facts: Facts) -> None:
    """torch annotates the function itself with the types of its first overload."""
    interpolate = torch_facts.get("torch.nn.functional.interpolate")
    assert interpolate is not None
    annotations = {each.name: each.annotation for each in interpolate.forms[0].parameters}
    assert annotations["size"] == "int | list[int] | None"
    assert annotations["scale_factor"] == "list[float] | float | None"
    assert annotations["mode"] == "str"


def test_defaults_of_functional(torch_facts: Facts) -> None:
    place = "torch.nn.functional"
    assert calls(torch_facts, f"{place}.leaky_relu") == ["(input, negative_slope=0.01, inplace=False)"]
    assert calls(torch_facts, f"{place}.gelu") == ["(input, approximate='none')"]
    assert calls(torch_facts, f"{place}.smooth_l1_loss") == [
        "(input, target, size_average=None, reduce=None, reduction='mean', beta=1.0)"
    ]
    assert calls(torch_facts, f"{place}.interpolate") == [
        "(input, size=None, scale_factor=None, mode='nearest', align_corners=None,"
        " recompute_scale_factor=None, antialias=False)"
    ]
    # The parameter between `dim` and `dtype` is private, so `dtype` cannot be reached by position.
    assert calls(torch_facts, f"{place}.softmax") == ["(input, dim=None, *, dtype=None)"]
    pool = torch_facts.get(f"{place}.max_pool2d")
    assert pool is not None
    assert [form.returns for form in pool.forms] == ["Tensor", "tuple[Tensor, Tensor]"]


def test_members_of_tensor(torch_facts: Facts) -> None:
    assert calls(torch_facts, "torch.Tensor.view") == ["(dtype)", "(size)", "(*size)"]
    assert calls(torch_facts, "torch.Tensor.repeat") == ["(repeats)", "(*repeats)"]
    assert calls(torch_facts, "torch.Tensor.item") == ["()"]
    assert calls(torch_facts, "torch.Tensor.float") == ["(*, memory_format=torch.preserve_format)"]
    assert calls(torch_facts, "torch.Tensor.requires_grad_") == ["(requires_grad=True)"]
    assert "(from, to, *, generator=None)" in calls(torch_facts, "torch.Tensor.random_")
    assert len(calls(torch_facts, "torch.Tensor.to")) == 3
    for name, value in (("T", "Tensor"), ("shape", "Size"), ("ndim", "_int"), ("dtype", "_dtype")):
        api = torch_facts.get(f"torch.Tensor.{name}")
        assert api is not None and (api.kind, api.returns) == ("property", value)


def test_torch_knows_the_names_that_its_docstrings_do_not() -> None:
    matrix = torch.eye(2)
    assert torch.linalg.cholesky(input=matrix).equal(matrix)
    assert matrix.float(memory_format=torch.preserve_format).equal(matrix)
    assert not matrix.requires_grad_(requires_grad=False).requires_grad
    assert torch.special.airy_ai(x=matrix).shape == (2, 2)
    assert matrix.clone().random_(**{"from": 0, "to": 1}).sum() == 0


def test_linalg_special_and_fft_come_from_schemas(torch_facts: Facts) -> None:
    assert calls(torch_facts, "torch.linalg.cholesky") == ["(input, *, upper=False, out=None)"]
    assert calls(torch_facts, "torch.linalg.norm") == [
        "(input, ord=None, dim=None, keepdim=False, *, dtype=None, out=None)",
        "(input, ord, dim=None, keepdim=False, *, dtype=None, out=None)",
    ]
    assert calls(torch_facts, "torch.special.airy_ai") == ["(x, *, out=None)"]
    assert calls(torch_facts, "torch.fft.fft") == ["(input, n=None, dim=-1, norm=None, *, out=None)"]
    svd = torch_facts.get("torch.linalg.svd")
    assert svd is not None and svd.fields == ("U", "S", "Vh")


def test_named_tuples(torch_facts: Facts) -> None:
    maximum, sort = torch_facts.get("torch.max"), torch_facts.get("torch.sort")
    assert maximum is not None and sort is not None
    assert maximum.fields == sort.fields == ("values", "indices")
    assert [form.fields for form in maximum.forms] == [(), (), ("values", "indices")]
    assert all(form.fields == () for form in sort.forms), "every form returns it"


def test_documented_defaults_are_kept_apart(torch_facts: Facts) -> None:
    std = torch_facts.get("torch.std")
    assert std is not None
    correction = next(p for p in std.forms[1].parameters if p.name == "correction")
    assert (correction.default, correction.documented) == ("None", "1")


def test_calls_that_torch_warns_of_are_marked(torch_facts: Facts) -> None:
    add = torch_facts.get("torch.add")
    assert add is not None
    assert [form.legacy for form in add.forms] == [False, True, True]
    numel = torch_facts.get("torch.numel")
    assert numel is not None and [form.legacy for form in numel.forms] == [False]


def test_classes_have_constructor_and_call_apart(torch_facts: Facts) -> None:
    assert calls(torch_facts, "torch.nn.Linear") == ["(in_features, out_features, bias=True, device=None, dtype=None)"]
    assert instance_calls(torch_facts, "torch.nn.Linear") == ["(input)"]
    assert calls(torch_facts, "torch.nn.BatchNorm2d") == [
        "(num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None,"
        " *, bias=True)"
    ]
    assert calls(torch_facts, "torch.nn.Dropout") == ["(p=0.5, inplace=False)"]
    assert calls(torch_facts, "torch.nn.Sigmoid") == ["()"]
    assert calls(torch_facts, "torch.nn.Parameter") == ["(data=None, requires_grad=True)"]
    assert calls(torch_facts, "torch.optim.Adam") == [
        "(params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0, amsgrad=False, *, foreach=None,"
        " maximize=False, capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False)"
    ]
    assert calls(torch_facts, "torch.utils.data.DataLoader")[0].startswith(
        "(dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0, collate_fn=None,"
    )
    assert instance_calls(torch_facts, "torch.optim.Adam") == []


def test_methods_are_listed_where_they_change(torch_facts: Facts) -> None:
    for name in ("step", "zero_grad", "state_dict", "load_state_dict", "add_param_group"):
        assert f"torch.optim.Optimizer.{name}" in torch_facts
        assert f"torch.optim.Adam.{name}" not in torch_facts
    for name in ("train", "eval", "parameters", "named_parameters", "state_dict", "load_state_dict", "to", "apply"):
        assert f"torch.nn.Module.{name}" in torch_facts
    assert calls(torch_facts, "torch.optim.lr_scheduler.LRScheduler.step") == ["(epoch=None)"]
    assert calls(torch_facts, "torch.optim.lr_scheduler.ReduceLROnPlateau.step") == ["(metrics, epoch=None)"]


def test_distributed_is_complete(torch_facts: Facts) -> None:
    built_in = {name for name in c10d.__all__ if name.startswith("ProcessGroup") and name != "ProcessGroup"}
    missing = {
        name
        for name in {*c10d.__all__, "is_available", "TCPStore", "FileStore", "HashStore", "init_device_mesh"}
        if hasattr(torch.distributed, name) and f"torch.distributed.{name}" not in torch_facts
    }
    assert missing <= built_in, "what depends on the build of torch is left out"
    assert "torch.distributed.ProcessGroup" in torch_facts
    assert "torch.nn.parallel.DistributedDataParallel" in torch_facts
    assert "torch.utils.data.distributed.DistributedSampler" in torch_facts
    for name, expected in {
        "all_gather": "(tensor_list, tensor, group=None, async_op=False)",
        "all_reduce": "(tensor, op=ReduceOp.SUM, group=None, async_op=False)",
        "gather": "(tensor, gather_list=None, dst=None, group=None, async_op=False, group_dst=None)",
        "reduce_scatter": "(output, input_list, op=ReduceOp.SUM, group=None, async_op=False)",
        "all_to_all": "(output_tensor_list, input_tensor_list, group=None, async_op=False)",
        "barrier": "(group=GroupMember.WORLD, async_op=False, device_ids=None, timeout=None)",
    }.items():
        assert calls(torch_facts, f"torch.distributed.{name}") == [expected]
    for name in ("ReduceOp.SUM", "group.WORLD", "GroupMember.NON_GROUP_MEMBER", "Work.wait", "Work.is_completed"):
        assert f"torch.distributed.{name}" in torch_facts


def test_aliases(torch_facts: Facts) -> None:
    homes = {
        "torch.absolute": "torch.abs",
        "torch.concat": "torch.cat",
        "torch.concatenate": "torch.cat",
        "torch.conv2d": "torch.nn.functional.conv2d",
        "torch.float": "torch.float32",
        "torch.det": "torch.linalg.det",
        "torch.Tensor.absolute_": "torch.Tensor.abs_",
    }
    assert {name: torch_facts.resolve(name) for name in homes} == homes
    assert torch.cat is not torch.concat, "the docstring says so, not the object"
    assert torch_facts.resolve("torch.softmax") == "torch.softmax", "its docstring says alias, but it needs `dim`"
    with pytest.raises(TypeError):
        torch.softmax(torch.ones(2))
    ndim = torch_facts.get("torch.Tensor.ndim")
    assert ndim is not None and (ndim.home, ndim.see) == (None, "torch.Tensor.dim"), "a property is no method"


def test_deprecations(torch_facts: Facts) -> None:
    stated = {api.name: api.deprecated.replacement for api in torch_facts if api.deprecated}
    assert stated["torch.lu"] == "torch.linalg.lu_factor"
    assert stated["torch.nn.functional.upsample"] == "torch.nn.functional.interpolate"
    assert stated["torch.distributed.all_gather_into_tensor"] == "torch.distributed.all_gather_single"
    assert "torch.nn.functional.mse_loss" not in stated, "only two of its arguments are"
    assert "torch.cross" not in stated, "only one of its behaviours is"


def test_what_torch_can_confirm_is_confirmed(torch_facts: Facts) -> None:
    compared, different = confirm(torch_facts)
    assert compared > 1900
    assert different == [
        "torch.TypedStorage",  # has overloads that its __init__ does not show
        "torch.fx.Graph.placeholder",  # its default is what stands for "no default"
        "torch.jit.RecursiveScriptModule",  # is defined twice
        "torch.nn.Module.state_dict",  # has overloads
        "torch.utils.benchmark.Timer.collect_callgrind",  # has overloads
    ]
