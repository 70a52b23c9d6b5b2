"""Everybody can use the site: axe-core finds nothing serious, in light and in dark, wide and narrow."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import NARROW, WIDE, Open

pytestmark = pytest.mark.processes

PAGES = ("", "api/", "api/torch.distributed.all_gather/", "api/torch.distributed.Store/", "modules/torch.distributed/",
         "mindspore/mindspore.communication.comm_func/", "verdict/", "glossary/", "guides/reading/",
         "guides/data-parallel/", "guides/fields/", "guides/json-format/", "guides/design/", "404.html")  # fmt: skip

NARROW_TOO = PAGES[:3]
ONLY_FAULTS = {"resultTypes": ["violations"]}  # of what passes, nobody asks where it is


def serious(found: dict[str, Any]) -> list[str]:
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"][:3]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_serious(language: str, scheme: str, opened: Open) -> None:
    page = opened(f"{language}/", scheme=scheme, reduced_motion="reduce")  # what counts is how a page comes to rest
    faults = []
    for path in PAGES:
        page.goto(f"{page.url.partition(f'/{language}/')[0]}/{language}/{path}")
        for size in (WIDE, NARROW) if path in NARROW_TOO else (WIDE,):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            faults += [
                f"{path} {size['width']} {fault}" for fault in serious(Axe().run(page, options=ONLY_FAULTS).response)
            ]
    assert faults == []
