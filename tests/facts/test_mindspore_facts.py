"""Facts about MindSpore 2.10.0 that are easy to get wrong, and all that MindSpore itself can confirm."""

from __future__ import annotations

import mindspore
import mindspore.communication.comm_func
import mindspore.dataset
import mindspore.mint.distributed
import pytest
from fact_shapes import calls, instance_calls
from runtime import confirm

from mapspore.facts.snapshot import Deprecation, Facts

pytestmark = pytest.mark.frameworks

OPTIMISERS = [
    "ASGD", "AdaFactor", "AdaMax", "Adadelta", "Adagrad", "Adam", "FTRL", "LARS", "Lamb", "LazyAdam", "Momentum",
    "ProximalAdagrad", "RMSProp", "Rprop", "SGD",
]  # fmt: skip


def test_functions(mindspore_facts: Facts) -> None:
    for name, expected in {
        "mint.abs": "(input)",
        "mint.std": "(input, dim=None, *, correction=1, keepdim=False)",
        "mint.median": "(input, dim=None, keepdim=False)",
        "mint.cat": "(tensors, dim=0)",
        "mint.sort": "(input, *, dim=-1, descending=False, stable=False)",
        "ops.std": "(input, axis=None, ddof=0, keepdims=False)",
        "ops.median": "(input, axis=-1, keepdims=False)",
        "ops.leaky_relu": "(input, alpha=0.2)",
        "ops.cat": "(tensors, axis=0)",
        "ops.interpolate": "(input, size=None, scale_factor=None, mode='nearest', align_corners=None,"
        " recompute_scale_factor=None)",
    }.items():
        assert calls(mindspore_facts, f"mindspore.{name}") == [expected]


def test_overloads_dispatched_in_cpp(mindspore_facts: Facts) -> None:
    assert calls(mindspore_facts, "mindspore.mint.max") == ["(input)", "(input, dim, keepdim=False)", "(input, other)"]
    assert calls(mindspore_facts, "mindspore.mint.add") == ["(input, other, *, alpha=1)"]
    assert calls(mindspore_facts, "mindspore.Tensor.std") == [
        "(axis=None, ddof=0, keepdims=False)",
        "(dim=None, *, correction=1, keepdim=False)",
    ]
    assert calls(mindspore_facts, "mindspore.Tensor.repeat") == ["(*repeats)", "(repeats)"]
    assert calls(mindspore_facts, "mindspore.Tensor.view") == ["(*shape)", "(dtype)"]
    assert calls(mindspore_facts, "mindspore.Tensor.is_signed") == ["()"]


def test_functions_behind_a_decorator_that_hides_them(mindspore_facts: Facts) -> None:
    assert mindspore.mint.flatten.__doc__ is None
    assert calls(mindspore_facts, "mindspore.mint.flatten") == ["(input, start_dim=0, end_dim=-1)"]
    assert calls(mindspore_facts, "mindspore.mint.reshape") == ["(input, shape)"]


def test_names_that_mint_forgot_to_list(mindspore_facts: Facts) -> None:
    for name in ("ones", "unique", "linspace", "clip", "nn.Dropout", "nn.CrossEntropyLoss", "nn.functional.l1_loss"):
        assert f"mindspore.mint.{name}" in mindspore_facts
    for name in ("Tensor", "cdist_", "flatten_ext", "nn.Cell", "nn.functional.clamp"):
        assert f"mindspore.mint.{name}" not in mindspore_facts


def test_layers(mindspore_facts: Facts) -> None:
    assert calls(mindspore_facts, "mindspore.nn.Dense") == [
        "(in_channels, out_channels, weight_init=None, bias_init=None, has_bias=True, activation=None,"
        " dtype=mstype.float32)"
    ]
    assert instance_calls(mindspore_facts, "mindspore.nn.Dense") == ["(x)"]
    assert calls(mindspore_facts, "mindspore.nn.BatchNorm2d") == [
        "(num_features, eps=1e-5, momentum=0.9, affine=True, gamma_init='ones', beta_init='zeros',"
        " moving_mean_init='zeros', moving_var_init='ones', use_batch_statistics=None, data_format='NCHW',"
        " dtype=mstype.float32)"
    ]
    assert calls(mindspore_facts, "mindspore.nn.Dropout") == ["(keep_prob=0.5, p=None, dtype=mstype.float32)"]
    assert calls(mindspore_facts, "mindspore.nn.LSTM") == [
        "(input_size, hidden_size, num_layers=1, has_bias=True, batch_first=False, dropout=0,"
        " bidirectional=False, dtype=mstype.float32)"
    ], "its source has only `*args, **kwargs`"
    assert calls(mindspore_facts, "mindspore.mint.nn.Linear") == [
        "(in_features, out_features, bias=True, weight_init=None, bias_init=None, dtype=None)"
    ]


@pytest.mark.parametrize("name", OPTIMISERS)
def test_optimisers_are_read_behind_their_decorator(mindspore_facts: Facts, name: str) -> None:
    (call,) = calls(mindspore_facts, f"mindspore.nn.{name}")
    assert call.startswith(("(params, ", "(optimizer, ")), call
    assert instance_calls(mindspore_facts, f"mindspore.nn.{name}") in (["(gradients)"], ["(grads)"])


def test_adam_on_three_shelves(mindspore_facts: Facts) -> None:
    assert calls(mindspore_facts, "mindspore.nn.Adam") == [
        "(params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, use_locking=False, use_nesterov=False,"
        " weight_decay=0.0, loss_scale=1.0, use_amsgrad=False, **kwargs)"
    ]
    expected = "(params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False, *, maximize=False)"
    assert calls(mindspore_facts, "mindspore.mint.optim.Adam") == [expected]
    assert calls(mindspore_facts, "mindspore.experimental.optim.Adam") == [expected]


def test_operators_have_call_and_constructor_apart(mindspore_facts: Facts) -> None:
    assert calls(mindspore_facts, "mindspore.ops.ReduceSum") == ["(keep_dims=False, skip_mode=False)"]
    assert instance_calls(mindspore_facts, "mindspore.ops.ReduceSum") == ["(x, axis=())"]
    assert instance_calls(mindspore_facts, "mindspore.ops.ScatterNdUpdate") == ["(input_x, indices, updates, /)"]


def test_data_sets(mindspore_facts: Facts) -> None:
    assert calls(mindspore_facts, "mindspore.dataset.GeneratorDataset")[0].startswith(
        "(source, column_names=None, column_types=None, schema=None, num_samples=None, num_parallel_workers=1,"
    )
    assert mindspore_facts.resolve("mindspore.dataset.GeneratorDataset.batch") == "mindspore.dataset.Dataset.batch"


@pytest.mark.parametrize(
    ("module", "names"),
    [
        (mindspore.communication.comm_func, mindspore.communication.comm_func.__all__),
        (mindspore.mint.distributed, mindspore.mint.distributed.__all__),
        (mindspore.ops.communication, mindspore.ops.communication.__all__),
        (mindspore.communication, mindspore.communication.__all__),
    ],
    ids=["comm_func", "mint.distributed", "ops.communication", "communication"],
)
def test_communication_is_complete(mindspore_facts: Facts, module: object, names: list[str]) -> None:
    place = getattr(module, "__name__", "")
    assert [name for name in names if f"{place}.{name}" not in mindspore_facts] == []


def test_comm_func(mindspore_facts: Facts) -> None:
    place = "mindspore.communication.comm_func"
    assert calls(mindspore_facts, f"{place}.all_reduce") == [
        "(tensor, op=ReduceOp.SUM, group=GlobalComm.WORLD_COMM_GROUP, async_op=False)"
    ]
    assert calls(mindspore_facts, f"{place}.all_gather_into_tensor") == [
        "(tensor, group=GlobalComm.WORLD_COMM_GROUP, async_op=False)"
    ]
    gather = mindspore_facts.get(f"{place}.all_gather_into_tensor")
    assert gather is not None
    assert gather.returns_doc is not None and gather.returns_doc.startswith("Tuple(Tensor, CommHandle), ")
    # Its docstring misspells its own name.
    assert gather.deprecated == Deprecation("2.9.0", "mindspore.ops.communication.all_gather_into_tensor")
    assert gather.platforms == ()


def test_deprecations_and_platforms(mindspore_facts: Facts) -> None:
    for name, expected in {
        "nn.RMSELoss": Deprecation(removal="2.9.0"),
        "ops.scatter_mul": Deprecation("2.9.0"),
        "nn.Jvp": Deprecation("1.9", "mindspore.ops.jvp"),
        "mint.abs": None,
    }.items():
        api = mindspore_facts.get(f"mindspore.{name}")
        assert api is not None and api.deprecated == expected, name
    std, all_reduce = (
        mindspore_facts.get("mindspore.mint.std"),
        mindspore_facts.get("mindspore.mint.distributed.all_reduce"),
    )
    assert std is not None and std.platforms == ("Ascend",)
    assert all_reduce is not None and all_reduce.platforms == ("Ascend", "CPU")


def test_aliases(mindspore_facts: Facts) -> None:
    homes = {
        "mindspore.mint.abs": "mindspore.ops.abs",
        "mindspore.mint.clip": "mindspore.mint.clamp",
        "mindspore.nn.Linear": "mindspore.mint.nn.Linear",
        "mindspore.ops.all_reduce": "mindspore.ops.communication.all_reduce",
        "mindspore.ops.grad": "mindspore.grad",
        "mindspore.float": "mindspore.float32",
        "mindspore.mint.max": "mindspore.mint.max",
        # Its docstring calls it an alias of `asinh`, which takes one argument less.
        "mindspore.ops.multiply": "mindspore.ops.multiply",
    }
    assert {name: mindspore_facts.resolve(name) for name in homes} == homes


def test_what_mindspore_can_confirm_is_confirmed(mindspore_facts: Facts) -> None:
    compared, different = confirm(mindspore_facts)
    assert compared > 3200
    assert different == [
        "mindspore.Parameter",  # written with `__new__` and `__init__`
        "mindspore.experimental.MapParameter",  # written with `__new__` and `__init__`
    ]
