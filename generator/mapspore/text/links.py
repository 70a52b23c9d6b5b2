"""Addresses: the official documentation of an API at a version, and our own pages and files.

A name and a version go in, an address comes out. The rules follow how both projects lay out their sites;
a test compares them with the links of the official mapping tables.
"""

from __future__ import annotations

from mapspore.text.phrases import Language

_TORCH_DOCS = "https://pytorch.org/docs"
_MINDSPORE_DOCS = "https://www.mindspore.cn/docs"

# Modules whose APIs share one page, with an anchor each; since which version they have pages of their own.
_TORCH_SHARED = (
    ("torch.distributed.", "distributed.html", None),
    ("torch.distributions.", "distributions.html", None),
    ("torch.utils.checkpoint.", "checkpoint.html", None),
    ("torch.utils.data.", "data.html", None),
    ("torch.special.", "special.html", None),
    ("torch.nn.init.", "nn.init.html", None),
    ("torch.nn.functional.", "nn.functional.html", (1, 10)),
    ("torch.Tensor.", "tensors.html", (1, 9)),
    ("torch.optim.", "optim.html", (1, 10)),
    ("torch.linalg.", "linalg.html", (1, 9)),
)

# Classes whose members have pages of their own; elsewhere a member is an anchor on its class's page.
_MEMBERS_APART = ("torch.Tensor", "torch.optim.Optimizer", "mindspore.Tensor")

_MINDSPORE_SECTIONS = (
    ("mindspore.dataset.vision.", "dataset_vision"),
    ("mindspore.dataset.audio.", "dataset_audio"),
    ("mindspore.dataset.text.", "dataset_text"),
    ("mindspore.dataset.transforms.", "dataset_transforms"),
    ("mindspore.dataset.", "dataset"),
    ("mindspore.communication.comm_func.", "communication"),
    ("mindspore.experimental.optim.", "experimental/optim"),
    ("mindspore.Tensor.", "mindspore/Tensor"),
    ("mindspore.mint.", "mint"),
    ("mindspore.ops.", "ops"),
    ("mindspore.nn.", "nn"),
    ("mindspore.parallel.", "parallel"),
)


def torch_url(name: str, version: str) -> str:
    """The API's place in the documentation of PyTorch at a version such as `2.13.0`."""
    numbers = tuple(int(part) for part in version.split(".")[:2])
    base = f"{_TORCH_DOCS}/{version if numbers < (1, 10) else '.'.join(version.split('.')[:2])}"
    for prefix, page, until in _TORCH_SHARED:
        if name.startswith(prefix) and (until is None or numbers < until):
            return f"{base}/{page}#{name}"
    owner = _owner(name)
    return f"{base}/generated/{owner}.html#{name}" if owner else f"{base}/generated/{name}.html"


def mindspore_url(name: str, version: str, language: Language) -> str:
    """The API's place in the documentation of MindSpore at a version such as `2.10.0` or `master`."""
    branch = f"r{version}" if version[0].isdigit() else version
    base = f"{_MINDSPORE_DOCS}/{'zh-CN' if language == 'zh' else 'en'}/{branch}/api_python"
    if name.startswith("mindspore.communication.") and not name.startswith("mindspore.communication.comm_func."):
        return f"{base}/mindspore.communication.html#{name}"
    owner = _owner(name)
    page = f"{owner}.html#{name}" if owner else f"{name}.html"
    for prefix, section in _MINDSPORE_SECTIONS:
        if name.startswith(prefix):
            return f"{base}/{section}/{page}"
    return f"{base}/mindspore/{page}"


def _owner(name: str) -> str:
    """The class on whose page a method or property is documented, or nothing for all other APIs."""
    owner = name.rpartition(".")[0]
    is_class = owner.rpartition(".")[2][:1].isupper()
    return owner if is_class and owner not in _MEMBERS_APART else ""


def page_path(torch: str) -> str:
    """The address of an entry's page within one language of the site; it never changes."""
    return f"api/{torch}/"
