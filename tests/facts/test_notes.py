"""What MindSpore's docstrings warn of: notes of real APIs, and sentences that are none."""

from __future__ import annotations

import pytest

from mapspore.facts.extract.docstring_notes import notes
from mapspore.facts.snapshot import Facts, Note

AFTER_2_9 = [
    "nn.Adam", "nn.BatchNorm2d", "nn.Dense", "nn.Dropout", "ops.argmin", "ops.cat", "ops.leaky_relu", "ops.median",
    "ops.meshgrid", "ops.smooth_l1_loss", "ops.sort", "ops.std", "ops.var",
]  # fmt: skip
EXPERIMENTAL = ["Tensor.repeat", "mint.einsum", "mint.meshgrid", "mint.optim.Adam", "mint.std", "mint.var"]


def of(facts: Facts, name: str, about: str) -> list[Note]:
    api = facts.get(f"mindspore.{name}")
    assert api is not None
    return [note for note in api.notes if note.about == about]


@pytest.mark.parametrize("name", AFTER_2_9)
def test_announced_changes(name: str, mindspore_facts: Facts) -> None:
    assert {note.version for note in of(mindspore_facts, name, "change")} >= {"2.9.0"}


def test_a_change_keeps_its_sentence(mindspore_facts: Facts) -> None:
    assert of(mindspore_facts, "ops.leaky_relu", "change") == [
        Note(
            "change",
            "After version 2.9.0, the parameter `alpha` will be renamed to `negative_slope`, and the default value will"
            " change from ``0.2`` to ``0.01``",
            version="2.9.0",
        )
    ]


def test_a_list_of_changes_has_the_version_of_its_heading(mindspore_facts: Facts) -> None:
    assert [(note.text, note.version) for note in of(mindspore_facts, "ops.all", "change") if not note.parameter] == [
        ("The parameter `axis` will be renamed to `dim`", "2.9.0"),
        ("The parameter `keep_dims` will be renamed to `keepdim`", "2.9.0"),
        ("The new signature will be ``mindspore.ops.all(input, dim=None, keepdim=False)``", "2.9.0"),
    ]


def test_the_deprecation_of_the_api_itself_is_no_change(mindspore_facts: Facts) -> None:
    api = mindspore_facts.get("mindspore.ops.batch_dot")
    assert api is not None and api.deprecated is not None and api.deprecated.removal == "2.9.0"
    assert not of(mindspore_facts, "ops.batch_dot", "change")


@pytest.mark.parametrize("name", EXPERIMENTAL)
def test_experimental(name: str, mindspore_facts: Facts) -> None:
    assert of(mindspore_facts, name, "experimental")


def test_modes(mindspore_facts: Facts) -> None:
    (note,) = of(mindspore_facts, "mint.distributed.all_reduce", "mode")
    assert note == Note(
        "mode", "Only support PyNative mode, Graph mode is not currently supported", modes=("pynative",)
    )
    assert ("graph",) in [note.modes for note in of(mindspore_facts, "reshard", "mode")]
    limited = of(mindspore_facts, "mint.einsum", "mode")
    assert [note.modes for note in limited] == [()], "what is not supported in graph mode is one kind of input"


def test_platforms(mindspore_facts: Facts) -> None:
    assert of(mindspore_facts, "ops.sort", "platform") == [
        Note("platform", "The Ascend backend only supports sorting the last dimension", platforms=("Ascend",))
    ]
    assert [note for note in of(mindspore_facts, "ops.smooth_l1_loss", "platform") if note.dtypes] == [
        Note(
            "platform", "Ascend: float16, float32, bfloat16", "input", platforms=("Ascend",),
            dtypes=("float16", "float32", "bfloat16"),
        ),
        Note(
            "platform", "CPU/GPU: float16, float32, float64", "input", platforms=("GPU", "CPU"),
            dtypes=("float16", "float32", "float64"),
        ),
    ]  # fmt: skip
    assert [note.text for note in of(mindspore_facts, "ops.std", "platform") if note.parameter == "ddof"] == [
        "If ddof is 0, 1, True or False, the supported device is only Ascend and CPU",
        "In other cases, the supported device is Ascend, GPU and CPU",
    ]


def test_what_must_run_before_any_tensor_exists(mindspore_facts: Facts) -> None:
    (note,) = of(mindspore_facts, "mint.distributed.init_process_group", "startup")
    assert note.text.startswith("On Ascend hardware platforms, this API should be called before the definition of any")
    assert note.platforms == ("Ascend",)
    assert of(mindspore_facts, "communication.init", "startup")


def test_examples_platform_lists_and_errors_have_no_notes() -> None:
    doc = """
    Does it.

    Args:
        x (Tensor): The input. Default: ``None``, which means ``"hccl_world_group"`` in Ascend.

    Raises:
        RuntimeError: If the device is CPU.

    Supported Platforms:
        ``Ascend`` ``CPU``

    Examples:
        .. note::
            On Ascend, use graph mode.

        >>> x = 1  # on Ascend
    """
    assert notes("\n".join(line[4:] for line in doc.splitlines()).strip(), "mindspore.it") == ()


def test_parameters_are_told_apart() -> None:
    doc = (
        "Does it.\n\n"
        "Args:\n"
        "    a (Union[int, tuple(int),\n"
        "        list(int)]): On a CPU it is one. More.\n"
        "    b (bool): Two.\n"
        "        On a GPU it is two.\n"
        "    kwargs (dict): Others.\n\n"
        "        - use_offload (bool): On Ascend it is three.\n"
    )
    assert [(note.parameter, note.platforms) for note in notes(doc, "mindspore.it")] == [
        ("a", ("CPU",)),
        ("b", ("GPU",)),
        ("use_offload", ("Ascend",)),
    ]
