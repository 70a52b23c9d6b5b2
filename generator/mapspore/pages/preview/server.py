"""The preview's server. In: a live registry, frames, and the entries to watch. Out: pages over HTTP, and an event to
every open browser when a watched file was saved.
"""

from __future__ import annotations

import json
import mimetypes
import threading
import time
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from mapspore.entry.canonical import without_modeline
from mapspore.pages.preview.live import Live
from mapspore.pages.preview.pages import Frames
from mapspore.pages.site.machine_readable import twin
from mapspore.pages.site.texts import texts
from mapspore.text.phrases import LANGUAGES, Language
from mapspore.text.templates import environment
from mapspore.view.prepare import entry_view

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


def server(preview: Preview, port: int) -> ThreadingHTTPServer:
    """Listens on this machine only."""

    class Handler(_Handler):
        pass

    Handler.preview = preview
    made = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    made.daemon_threads = True
    return made


class _Handler(BaseHTTPRequestHandler):
    preview: Preview

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        parts = path.strip("/").split("/")
        if path == "/":
            self._send(self._both(), "text/html")
        elif path == "/events":
            self._events()
        elif parts[0] in LANGUAGES and parts[1:2] == ["api"] and len(parts) == 3:
            self._entry(parts[2], "zh" if parts[0] == "zh" else "en")
        elif parts[0] in LANGUAGES and parts[1:2] == ["assets"] and ".." not in parts:
            self._asset("/".join(parts[1:]))
        else:
            self._send(self._missing(), "text/html", HTTPStatus.NOT_FOUND)

    def _entry(self, name: str, language: Language) -> None:
        for suffix in (".json", ".yaml"):
            if name.endswith(suffix):
                found = self.preview.other(name.removesuffix(suffix), suffix)
                self._send(found or self._missing(), "text/plain", HTTPStatus.OK if found else HTTPStatus.NOT_FOUND)
                return
        if not self.preview.live.file_of(name).is_file() and name not in self.preview.live.registry.by_name:
            self._send(self._missing(), "text/html", HTTPStatus.NOT_FOUND)
            return
        self._send(self.preview.page(name, language), "text/html")

    def _asset(self, path: str) -> None:
        for folder in self.preview.frames.assets:
            file = folder / path
            if file.is_file():
                self._reply(file.read_bytes(), mimetypes.guess_type(file.name)[0] or "application/octet-stream")
                return
        self._send(self._missing(), "text/html", HTTPStatus.NOT_FOUND)

    def _events(self) -> None:
        """One line per change since the state that the page shows, until the browser goes away."""
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        since = parse_qs(urlsplit(self.path).query).get("since", [""])[0]
        preview, seen = self.preview, int(since) if since.isdigit() else self.preview.count
        try:
            while True:
                with preview.changed:
                    if preview.count == seen:
                        preview.changed.wait(BEAT)
                    news, seen = preview.count != seen, preview.count
                said = f"data: {json.dumps(preview.latest)}\n\n" if news else ": here\n\n"
                self.wfile.write(said.encode())
                self.wfile.flush()
        except OSError:
            return

    def _both(self) -> str:
        """Both languages side by side, of the entry that was changed last."""
        page = environment().get_template("site/preview.html.j2")
        names = self.preview.names or self.preview.live.names()
        shown = {"first": escape(self.preview.latest), "names": [escape(name) for name in names]}
        return page.render(text=texts("en"), both=texts("zh"), **shown)

    def _missing(self) -> str:
        return "".join(f"<p>{texts(language)['preview_only']}</p>" for language in LANGUAGES)

    def _send(self, text: str, kind: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._reply(text.encode("utf-8", "backslashreplace"), f"{kind}; charset=utf-8", status)

    def _reply(self, content: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing; the page tells what there is to tell."""


def serve(preview: Preview, listening: ThreadingHTTPServer) -> None:
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
