"""The preview's server. In: a live registry, frames, and the entries to watch. Out: pages over HTTP, and an event to
every open browser when a watched file was saved.

It answers this machine only, and only under a name of this machine: a page from elsewhere that has its own name
resolved to this address gets nothing. What a request names is looked up among the entries, and never becomes a path.
"""

from __future__ import annotations

import json
import mimetypes
import re
import sys
import threading
import time
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, unquote

from mapspore.base.terminal import visible
from mapspore.entry.canonical import without_modeline
from mapspore.pages.preview.live import Live
from mapspore.pages.preview.pages import Frames
from mapspore.pages.site.machine_readable import twin
from mapspore.pages.site.texts import text, texts
from mapspore.text.phrases import LANGUAGES, Language
from mapspore.text.templates import environment
from mapspore.view.prepare import entry_view

ADDRESS = "127.0.0.1"
_COUNT = re.compile(r"[0-9]{1,9}")
EVERY = 0.1
"""Seconds between two looks at the files."""
BEAT = 10.0
"""Seconds after which a browser is told that the server is still there."""


class Preview:
    """What the handler of a request needs: pages, and the number of the last change."""

    def __init__(self, root: Path, home: Path, names: list[str]) -> None:
        self.live = Live(root)
        self.frames = Frames(home, self.live)
        self.names = names
        self.changed = threading.Condition()
        self.count = 0
        self.latest = names[0] if names else next(iter(self.live.names()), "")
        self._lock = threading.Lock()

    def page(self, name: str, language: Language) -> str:
        with self._lock:
            return self.frames.page(name, language, self.count)

    def other(self, name: str, suffix: str) -> str | None:
        """The JSON twin or the YAML of an entry."""
        mapping = self.live.registry.by_name.get(name)
        if mapping is None:
            return None
        if suffix == ".yaml":
            return without_modeline(mapping.source.text)
        return twin(entry_view(mapping, self.live.registry)).text

    def watch(self, ended: threading.Event) -> None:
        """Follows the files until it is told to end."""
        before = self.live.stamps(self.names)
        while not ended.wait(EVERY):
            now = self.live.stamps(self.names)
            touched = {file for file in now.keys() | before.keys() if now.get(file) != before.get(file)}
            before = now
            for name in sorted({self.live.name_of(file) for file in touched}):
                with self._lock, self.changed:
                    self.live.refresh(name)
                    self.latest = name
                    self.count += 1
                    self.changed.notify_all()


class Server(ThreadingHTTPServer):
    """Listens on this machine only; a browser that goes away is no fault."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        problem = sys.exception()
        if not isinstance(problem, OSError):
            super().handle_error(request, client_address)


def server(preview: Preview, port: int) -> Server:
    class Handler(_Handler):
        pass

    Handler.preview = preview
    return Server((ADDRESS, port), Handler)


class _Handler(BaseHTTPRequestHandler):
    preview: Preview

    def do_GET(self) -> None:
        if not _is_here(self.headers.get("Host", "")):
            self._send(self._said("preview_host"), "text/html", HTTPStatus.MISDIRECTED_REQUEST)
            return
        try:
            self._answer(unquote(self.path.partition("?")[0], errors="surrogateescape"))
        except OSError:  # the browser went away
            raise
        except Exception as problem:
            said = self._said("preview_failed", problem=escape(visible(f"{type(problem).__name__}: {problem}")))
            self._send(said, "text/html", HTTPStatus.INTERNAL_SERVER_ERROR)

    def _answer(self, path: str) -> None:
        parts = path.strip("/").split("/")
        if path == "/":
            self._send(self._both(), "text/html")
        elif path == "/events":
            self._events()
        elif parts[0] in LANGUAGES and parts[1:2] == ["api"] and len(parts) == 3:
            self._entry(parts[2], "zh" if parts[0] == "zh" else "en")
        elif parts[0] in LANGUAGES and parts[1:2] == ["assets"]:
            self._asset("/".join(parts[1:]))
        else:
            self._missing()

    do_HEAD = do_GET

    def _entry(self, name: str, language: Language) -> None:
        for suffix in (".json", ".yaml"):
            if name.endswith(suffix):
                found = self.preview.other(name.removesuffix(suffix), suffix)
                self._send(found, "text/plain") if found else self._missing("text/plain")
                return
        live = self.preview.live
        if name not in live.registry.by_name and name not in live.names():
            self._missing()
            return
        self._send(self.preview.page(name, language), "text/html")

    def _asset(self, path: str) -> None:
        for folder in self.preview.frames.assets:
            content = _below(folder, path)
            if content is not None:
                self._reply(content, mimetypes.guess_type(path)[0] or "application/octet-stream")
                return
        self._missing()

    def _events(self) -> None:
        """One line per change since the state that the page shows, until the browser goes away."""
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        if self.command == "HEAD":
            return
        since = parse_qs(self.path.partition("?")[2]).get("since", [""])[0]
        preview, seen = self.preview, int(since) if _COUNT.fullmatch(since) else self.preview.count
        while True:
            with preview.changed:
                if preview.count == seen:
                    preview.changed.wait(BEAT)
                news, seen = preview.count != seen, preview.count
            said = f"data: {json.dumps(_address(preview.latest))}\n\n" if news else ": here\n\n"
            self.wfile.write(said.encode())
            self.wfile.flush()

    def _both(self) -> str:
        """Both languages side by side, of the entry that was changed last."""
        template = environment().get_template("site/preview.html.j2")
        names = self.preview.names or self.preview.live.names()
        shown = [(_address(name), escape(visible(name))) for name in names]
        return template.render(text=texts("en"), both=texts("zh"), first=_address(self.preview.latest), names=shown)

    def _missing(self, kind: str = "text/html") -> None:
        self._send(self._said("preview_only"), kind, HTTPStatus.NOT_FOUND)

    def _said(self, key: str, **values: str) -> str:
        return "".join(f"<p>{text(key, language, **values)}</p>" for language in LANGUAGES)

    def _send(self, page: str, kind: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._reply(page.encode("utf-8", "backslashreplace"), f"{kind}; charset=utf-8", status)

    def _reply(self, content: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing; the page tells what there is to tell."""


def _is_here(host: str) -> bool:
    """Whether a request was made under a name of this machine."""
    name = re.sub(r":[0-9]{1,5}\Z", "", host).lower()
    return name in (ADDRESS, "localhost", "[::1]") or name.endswith(".localhost")


def _below(folder: Path, path: str) -> bytes | None:
    """What a file below a folder holds; None where there is none, or where the path leads out of it."""
    try:
        file = (folder / path).resolve()
        return file.read_bytes() if file.is_relative_to(folder.resolve()) and file.is_file() else None
    except (OSError, ValueError):  # a name that no file can have
        return None


def _address(name: str) -> str:
    """The name of an entry as a part of an address."""
    return quote(name, safe="", errors="surrogateescape")


def serve(preview: Preview, listening: Server) -> None:
    """Until Ctrl-C."""
    ended = threading.Event()
    watching = threading.Thread(target=preview.watch, args=(ended,), daemon=True)
    watching.start()
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    try:
        while True:
            time.sleep(3600)
    finally:
        ended.set()
        listening.shutdown()
