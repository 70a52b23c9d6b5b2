"""Every link of a built site. In: its folder. Out: a line per link that leads nowhere, or that loads something from
outside. Run as `python -m mapspore.pages.site.link_check FOLDER`; exit code 1 if there is one.

mkdocs checks links in Markdown only; this looks at what a browser gets, in both languages.
"""

from __future__ import annotations

import re
import sys
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

_TAG = re.compile(r"<([a-z0-9]+)\b([^>]*)>")
_LINK = re.compile(r'\s(?:href|src)="([^"]*)"')
_ANCHOR = re.compile(r'\s(?:id|name)="([^"]+)"')
_CODE = re.compile(r"<(script|style)\b[^>]*>.*?</\1>", re.DOTALL)
ERROR_PAGE = "404.html"
"""Is served for any address, so its links cannot be relative to a place."""


def broken_links(site: Path) -> list[str]:
    """What is wrong, by page, in a fixed order."""
    site = site.resolve()
    pages = {path: path.read_text("utf-8") for path in sorted(site.rglob("*.html"))}
    anchors = {path: {unescape(name) for name in _ANCHOR.findall(text)} for path, text in pages.items()}
    faults: list[str] = []
    for page, text in pages.items():
        if page.name == ERROR_PAGE:
            continue
        bare = _CODE.sub(lambda match: match[0].partition(">")[0] + ">", text)
        links = dict.fromkeys((tag, link) for tag, rest in _TAG.findall(bare) for link in _LINK.findall(rest))
        for tag, link in links:
            fault = _fault(tag, unescape(link), page, site, anchors)
            if fault:
                faults.append(f"{page.relative_to(site)}: <{tag}> {link} {fault}")
    return faults


def _fault(tag: str, link: str, page: Path, site: Path, anchors: dict[Path, set[str]]) -> str:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return "" if tag == "a" or link.startswith("data:") or _names_itself(tag, link) else "is loaded from outside"
    if parts.path.startswith("/"):
        return "does not work below a folder"
    target = Path(page.parent, unquote(parts.path)).resolve() if parts.path else page
    if target not in anchors and target.is_dir():
        target = target / "index.html"
    if not target.is_relative_to(site) or not (target in anchors or target.is_file()):
        return "leads nowhere"
    wanted = unquote(parts.fragment)
    if wanted and target in anchors and wanted not in anchors[target] and not wanted.startswith("__"):
        return "has no such anchor"
    return ""


def _names_itself(tag: str, link: str) -> bool:
    """A `<link rel="canonical">` names an address, and loads nothing."""
    return tag == "link" and link.endswith("/")


def main(folder: str) -> int:
    faults = broken_links(Path(folder))
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
