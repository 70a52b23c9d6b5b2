"""Hands the registry's pages to mkdocs: they are rendered in memory and never written to `site/`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

from mapspore.base.artifact import Artifact
from mapspore.evidence.errata import consistent, errata
from mapspore.evidence.programs import results
from mapspore.facts.official import load_claims
from mapspore.pages.site.files import WRITTEN, in_navigation, navigation, site_files
from mapspore.pages.site.frame import compact, extra, patch_theme
from mapspore.pages.site.machine_readable import root_files
from mapspore.pages.site.search import INDEX, lean
from mapspore.pipeline import load_registry
from mapspore.text.phrases import LANGUAGES, Language
from mapspore.view.entry_view import RegistryView
from mapspore.view.errata import errata_view
from mapspore.view.prepare import registry_view
from mapspore.write.write import compare, write

_registry: dict[str, RegistryView] = {}
_made: list[Artifact] = []


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Makes every page once per build, and sets what depends on the registry: navigation, footer, address."""
    root, language = _root(config), _language(config)
    loaded = load_registry(root)
    if loaded.errors:
        raise PluginError(f"The registry has {len(loaded.errors)} errors; run `mapspore check`.")
    registry = _registry["registry"] = registry_view(loaded.registry)
    ran = tuple(results(root, loaded.registry))
    wrong = errata_view(errata(loaded.registry, consistent(load_claims(root)), root))
    _made[:] = site_files(registry, root, language, config.extra.get("repository"), ran, wrong)
    config.nav = navigation(registry, language, [*(artifact.path for artifact in _made), *WRITTEN])
    config.extra.update(extra(registry.torch, registry.mindspore, language))
    config.extra["address"] = f"{(config.site_url or '').rstrip('/')}/"
    config.site_url = f"{config.extra['address']}{language}/"
    return config


@event_priority(100)  # before plugins that look at the files
def on_files(files: Files, config: MkDocsConfig) -> Files:
    for artifact in _made:
        level = InclusionLevel.INCLUDED if in_navigation(artifact.path) else InclusionLevel.NOT_IN_NAV
        files.append(File.generated(config, artifact.path, content=artifact.text, inclusion=level))
    shared = _root(config) / "site" / "assets"
    for path in sorted(shared.iterdir()):
        if path.suffix in (".css", ".js", ".svg"):
            files.append(File.generated(config, f"assets/{path.name}", abs_src_path=str(path)))
    return files


def on_page_context(context: dict[str, Any], page: Page, config: MkDocsConfig, **_: object) -> dict[str, Any]:
    """Lets the language switch stay on the page: both languages have the same addresses."""
    for alternate in config.extra["alternate"]:
        alternate["link"] = f"../{alternate['lang']}/{page.url}"
    return context


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    return compact(patch_theme(output, _language(config)))


def on_template_context(context: dict[str, Any], template_name: str, config: MkDocsConfig) -> dict[str, Any]:
    """A page that stands for any address switches to the home page of the other language."""
    for alternate in config.extra["alternate"]:
        alternate["link"] = f"../{alternate['lang']}/"
    return context


def on_post_template(output: str, template_name: str, config: MkDocsConfig) -> str:
    """One site map, at the root and without dates, stands for both languages."""
    return "" if template_name == "sitemap.xml" else patch_theme(output, _language(config))


@event_priority(-100)  # after the search has written its index
def on_post_build(config: MkDocsConfig) -> None:
    """What search reads, made lean; and what belongs to no language, beside the folder of the first one."""
    folder, language = Path(config.site_dir), _language(config)
    index = folder / INDEX
    index.write_text(lean(index.read_text("utf-8")), "utf-8")
    if language != LANGUAGES[0] or folder.name != language:
        return
    pages = [path.relative_to(folder).parent.as_posix() for path in folder.rglob("index.html")]
    entries = {entry.torch for entry in _registry["registry"].entries}
    kept = [path for path in pages if not path.startswith("api/") or path.removeprefix("api/") in entries]
    addresses = ["" if path == "." else f"{path}/" for path in kept]
    made = root_files(_registry["registry"], config.extra["address"], addresses)
    for path in sorted((_root(config) / "site" / "root").iterdir()):
        made.append(Artifact(path.name, path.read_text("utf-8")))
    write(compare(made, folder.parent, ()))


def _root(config: MkDocsConfig) -> Path:
    return Path(config.config_file_path).parent


def _language(config: MkDocsConfig) -> Language:
    return next(language for language in LANGUAGES if language == config.theme["language"])
