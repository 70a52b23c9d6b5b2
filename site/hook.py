"""Hands the registry's pages to mkdocs: they are rendered in memory and never written to `site/`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

from mapspore.phrases import LANGUAGES, Language
from mapspore.pipeline import load_registry
from mapspore.render import Artifact
from mapspore.resolve import Registry
from mapspore.site.files import WRITTEN, in_navigation, navigation, site_files
from mapspore.site.machines import root_files
from mapspore.site.texts import text, texts
from mapspore.version import version
from mapspore.write import compare, write

_registry: dict[str, Registry] = {}
_made: list[Artifact] = []
_SPACE = re.compile(r"\s*\n\s*")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Makes every page once per build, and sets what depends on the registry: navigation, footer, address."""
    root, language = _root(config), _language(config)
    loaded = load_registry(root)
    if loaded.errors:
        raise PluginError(f"The registry has {len(loaded.errors)} errors; run `mapspore check`.")
    registry = _registry["registry"] = loaded.registry
    _made[:] = site_files(registry, root, language, config.extra.get("repository"))
    config.nav = navigation(registry, language, [*(artifact.path for artifact in _made), *WRITTEN])
    config.extra["text"] = texts(language)
    config.extra["footer"] = text(
        "footer", language, registry=version(), torch=registry.torch.version, mindspore=registry.mindspore.version
    )
    config.extra["address"] = config.site_url or ""
    config.site_url = f"{config.site_url}{language}/" if config.site_url else None
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
    """Takes out the blank lines and the indentation that the theme leaves around the article: a sixth of a page."""
    before, article, rest = _mended(output, config).partition("<article")
    inside, end, after = rest.partition("</article>")
    return _SPACE.sub("\n", before) + article + inside + end + _SPACE.sub("\n", after)


def on_template_context(context: dict[str, Any], template_name: str, config: MkDocsConfig) -> dict[str, Any]:
    """A page that stands for any address switches to the home page of the other language."""
    for alternate in config.extra["alternate"]:
        alternate["link"] = f"../{alternate['lang']}/"
    return context


def on_post_template(output: str, template_name: str, config: MkDocsConfig) -> str:
    """One site map, at the root and without dates, stands for both languages."""
    return "" if template_name == "sitemap.xml" else _mended(output, config)


def _mended(page: str, config: MkDocsConfig) -> str:
    """The theme asks for a site map beside everything that is an alternate and nothing else, and leaves its search
    without a name for those who do not see it."""
    named = f'role="dialog" aria-label="{config.extra["text"]["search_label"]}"'
    return page.replace('<link rel="alternate"', '<link rel="alternate translation"').replace('role="dialog"', named)


def on_post_build(config: MkDocsConfig) -> None:
    """What belongs to no language, beside the folder of the first one."""
    folder, language = Path(config.site_dir), _language(config)
    if language != LANGUAGES[0] or folder.name != language:
        return
    pages = [path.relative_to(folder).parent.as_posix() for path in folder.rglob("index.html")]
    entries = {mapping.name for mapping in _registry["registry"].mappings}
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
