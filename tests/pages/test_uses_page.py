"""What real code uses: shares follow from the registry, every name has one row, and the page stays light."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mapspore.facts.uses import Use, Uses, load_uses
from mapspore.pages.site.files import navigation, site_files
from mapspore.pages.site.home import home_page
from mapspore.pages.site.pictures import by_uses, percent
from mapspore.pages.site.uses_page import SHOWN, USES, uses_page, verdicts
from mapspore.resolve.registry import Registry
from mapspore.text.phrases import LANGUAGES, Language
from mapspore.view.prepare import registry_view

HOME = Path(__file__).resolve().parent.parent.parent
LINEAR = "torch.nn.Linear"
FEW = Uses((Use(LINEAR, 50, 2), Use("torch.nn.modules.linear.Linear", 10, 1), Use("torch.no_such", 20, 1)), 5, 100, 2)


def without(registry: Registry, name: str) -> Registry:
    return registry.with_mappings(mapping for mapping in registry.mappings if mapping.name != name)


def test_an_entry_raises_the_share_by_its_uses(real: Registry) -> None:
    before, after = registry_view(without(real, LINEAR)), registry_view(real)
    assert by_uses(before, FEW, "en")["count"] == "0.0%"
    assert by_uses(after, FEW, "en")["count"] == "60.0%"  # with the other place of the same class
    assert by_uses(after, FEW, "en")["said"] == "60.0% of 100 uses of torch in 2 packages are answered."


def test_every_name_that_an_entry_offers_is_answered(real: Registry) -> None:
    for mapping in real.mappings:
        for name in (mapping.name, *mapping.entry.aliases, *mapping.methods):
            assert real.answering(name) is real.by_name[name]
        for place in mapping.offered_names:
            assert real.answering(place) is not None, place
        for method in mapping.entry.contract.methods:
            assert real.answering(f"{mapping.name}.{method}") is not None
    assert real.answering("torch.no_such") is None


@pytest.mark.parametrize(("part", "said"), [(0, "0.0%"), (1, "33.3%"), (2, "66.6%"), (3, "100.0%")])
def test_a_share_is_rounded_down(part: int, said: str) -> None:
    assert percent(part, 3, 1) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_lists_each_name_once_and_links_those_with_an_entry(real: Registry, language: Language) -> None:
    uses = load_uses(HOME)
    page = uses_page(registry_view(real), uses, language).text
    rows = re.findall(r"<tr data-.*?><td>(?:<a href=\"../api/(.*?)/\">)?(.*?)<wbr><b>(.*?)</b>", page)
    assert [module + short for _, module, short in rows] == [use.name for use in uses.listed[:SHOWN]]
    for entry, module, short in rows:
        found = real.answering(module + short)
        assert entry == (found.name if found else "")
    assert len(page.encode()) < 130 * 1024  # the theme's frame comes on top
    assert page == uses_page(registry_view(real), uses, language).text


def test_a_page_of_answered_names_only_is_light(real: Registry) -> None:
    """The registry grows: the longest rows that there are fit as well."""
    view = registry_view(real)
    every = [Use(entry.torch, 1000, 20) for entry in view.entries] * SHOWN
    for language in LANGUAGES:
        page = uses_page(view, Uses(tuple(every[:SHOWN]), SHOWN, 10**6, 31), language).text
        assert len(page.encode()) < 130 * 1024


def test_each_platform_has_the_verdict_of_what_is_taken_there(real: Registry) -> None:
    several = 0
    for entry in registry_view(real).entries:
        found = verdicts(entry)
        places = [place for _, named in found for place in named]
        assert len(places) == len(set(places))
        assert found[0][0].verdict == entry.verdict or len(found) > 1 or entry.targets[1:]
        several += len(found) > 1
    assert several


@pytest.mark.parametrize("language", LANGUAGES)
def test_home_and_navigation_lead_to_the_page(real: Registry, language: Language) -> None:
    view = registry_view(real)
    home = home_page(view, HOME, language).text
    assert by_uses(view, load_uses(HOME), language)["said"] in home and 'href="uses/"' in home
    made = [artifact.path for artifact in site_files(view, HOME, language)]
    assert made.count(USES) == 1 and USES in str(navigation(view, language, made))
