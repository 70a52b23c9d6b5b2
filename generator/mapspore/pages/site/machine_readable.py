"""What machines read. In: a registry and the site's address. Out: artifacts for the root of the site (registry.json,
llms.txt, sitemap.xml), the JSON twin of a page, and pages that lead from an alias to the page of its entry.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from html import escape

from mapspore.base.artifact import Artifact
from mapspore.base.version import ANSWER_FORMAT
from mapspore.pages.site.texts import texts
from mapspore.text.phrases import LANGUAGES, Language
from mapspore.text.templates import environment
from mapspore.view.entry_view import EntryView, RegistryView, as_data


def twin(entry: EntryView) -> Artifact:
    """What `mapspore show NAME --format json` prints."""
    data = {"format": ANSWER_FORMAT, **as_data(entry)}
    return Artifact(f"api/{entry.torch}.json", json.dumps(data, ensure_ascii=False, indent=2) + "\n")


def redirects(registry: RegistryView, language: Language) -> Iterator[Artifact]:
    """A page per alias that leads to the entry's page, with and without scripts."""
    page = environment().get_template("site/redirect.html.j2")
    for entry in registry.entries:
        for alias in entry.redirects:
            made = page.render(language=language, name=entry.torch, alias=alias, text=texts(language))
            yield Artifact(f"api/{alias}/index.html", made)


def root_files(registry: RegistryView, address: str, paths: Iterable[str]) -> list[Artifact]:
    """The files at the root; `paths` are those of one language's pages."""
    return [
        Artifact("registry.json", json.dumps(as_data(registry), ensure_ascii=False, separators=(",", ":")) + "\n"),
        Artifact("llms.txt", llms(registry, address)),
        Artifact("sitemap.xml", sitemap(address, paths)),
    ]


def llms(registry: RegistryView, address: str) -> str:
    """A guide to the site for language models: what it is, and where each API's page and JSON lie."""
    view = {
        "address": address,
        "torch": registry.torch,
        "mindspore": registry.mindspore,
        "rows": [_llms_row(entry) for entry in registry.entries],
    }
    return environment().get_template("site/llms.txt.j2").render(text=texts("en"), **view)


def _llms_row(entry: EntryView) -> dict[str, str]:
    targets = ", ".join(target.mindspore for target in entry.targets)
    return {
        "name": entry.torch,
        "targets": targets or texts("en")["no_counterpart"],
        "summary": " ".join(entry.summary.en.split()),
    }


def sitemap(address: str, paths: Iterable[str]) -> str:
    """Every page in both languages, each naming the other."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
    )
    for path in sorted(paths):
        same = "".join(
            f'<xhtml:link rel="alternate" hreflang="{each}" href="{escape(f"{address}{each}/{path}")}"/>'
            for each in LANGUAGES
        )
        lines += [f"<url><loc>{escape(f'{address}{each}/{path}')}</loc>{same}</url>" for each in LANGUAGES]
    return "\n".join([*lines, "</urlset>"]) + "\n"
