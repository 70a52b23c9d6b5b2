"""Hands the registry's pages to mkdocs: they are rendered in memory and never written to `site/`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

from mapspore.phrases import LANGUAGES, Language
from mapspore.pipeline import load_registry
from mapspore.resolve import Registry
from mapspore.site import guide_files, in_navigation, navigation, site_files

_loaded: dict[str, Registry] = {}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Loads the registry once per build and sets the navigation, which depends on it."""
    loaded = load_registry(_root(config))
    if loaded.errors:
        raise PluginError(f"The registry has {len(loaded.errors)} errors; run `mapspore check`.")
    _loaded["registry"] = loaded.registry
    language = _language(config)
    config.nav = navigation(loaded.registry, language, guide_files(_root(config), language))
    return config


@event_priority(100)  # before plugins that look at the files
def on_files(files: Files, config: MkDocsConfig) -> Files:
    language = _language(config)
    for artifact in (*site_files(_loaded["registry"], language), *guide_files(_root(config), language)):
        level = InclusionLevel.INCLUDED if in_navigation(artifact.path) else InclusionLevel.NOT_IN_NAV
        files.append(File.generated(config, artifact.path, content=artifact.text, inclusion=level))
    shared = _root(config) / "site" / "assets"
    for path in sorted(shared.glob("*.css")) + sorted(shared.glob("*.svg")):
        files.append(File.generated(config, f"assets/{path.name}", abs_src_path=str(path)))
    return files


def on_page_context(context: dict[str, Any], page: Page, config: MkDocsConfig, **_: object) -> dict[str, Any]:
    """Lets the language switch stay on the page: both languages have the same addresses."""
    for alternate in config.extra["alternate"]:
        alternate["link"] = f"../{alternate['lang']}/{page.url}"
    return context


def _root(config: MkDocsConfig) -> Path:
    return Path(config.config_file_path).parent


def _language(config: MkDocsConfig) -> Language:
    return next(language for language in LANGUAGES if language == config.theme["language"])
