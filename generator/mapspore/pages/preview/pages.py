"""One page of the site at a time, with its theme and without a build. In: the Markdown of an API page, or faults. Out:
the HTML that a browser shows. Needs mkdocs, which only the site does.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from urllib.parse import quote

from mkdocs.commands.build import get_context
from mkdocs.config import load_config
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from mapspore.base.terminal import visible
from mapspore.check.report import as_text
from mapspore.pages.preview.live import Live
from mapspore.pages.site.api import api_page
from mapspore.pages.site.frame import extra, patch_theme
from mapspore.text.markup import MARKDOWN
from mapspore.text.phrases import LANGUAGES, Language
from mapspore.view.prepare import entry_view

FILES: dict[Language, str] = {"en": "mkdocs.yml", "zh": "mkdocs.zh.yml"}
_ARTICLE = '<article class="md-content__inner md-typeset">'
_RELOAD = '<script>new EventSource("/events?since={count}").onmessage = () => location.reload()</script></body>'


class Frames:
    """The theme, set up once per language."""

    def __init__(self, home: Path, live: Live) -> None:
        self._live = live
        self._configs = {language: load_config(str(home / FILES[language]), hooks=[]) for language in LANGUAGES}
        versions = (live.registry.torch.version, live.registry.mindspore.version)
        for language, config in self._configs.items():
            config.extra.update(extra(*versions, language), homepage="/", address="")
            config.plugins["material/search"].config.enabled = False
            config.site_url = None
        self._environments = {language: config.theme.get_env() for language, config in self._configs.items()}
        self.assets = [home / "site", *(Path(folder) for folder in self._configs["en"].theme.dirs)]

    def page(self, name: str, language: Language, count: int) -> str:
        """The entry's page as it is after so many changes; faults stand above the last sound state."""
        live = self._live
        mapping = live.registry.by_name.get(name)
        sound = mapping is not None and mapping.name == name
        text = (
            api_page(entry_view(mapping, live.registry), language, root=live.root)
            if mapping and sound
            else _bare_page(visible(name))
        )
        made = self._framed(f"api/{quote(name, errors='surrogateescape')}.md", text, language)
        problems = live.problems_of(name)
        if problems:
            lines = as_text(problems, list(live.sources.values()), language)
            box = f'<pre class="faults" role="alert"><code>{escape(chr(10).join(lines))}</code></pre>'
            made = made.replace(_ARTICLE, _ARTICLE + box)
        return made.replace("</body>", _RELOAD.replace("{count}", str(count)))

    def _framed(self, path: str, text: str, language: Language) -> str:
        config = self._configs[language]
        file = File(path, None, config.site_dir, config.use_directory_urls)
        file.content_string = text
        files = Files([file])
        page = Page(None, file, config)
        page.read_source(config)
        page.render(config, files)
        for alternate in config.extra["alternate"]:
            alternate["link"] = f"../{alternate['lang']}/{page.url}"
        context = get_context(Navigation([], []), files, config, page)
        html = self._environments[language].get_template("main.html").render(context)
        return patch_theme(html, language)


def _bare_page(name: str) -> str:
    """The page of an entry that was never sound: its name, that of a file; the theme prints a title as it is."""
    return f"---\n{json.dumps({'title': escape(name)})}\n---\n\n# {MARKDOWN.text(name)}\n"
