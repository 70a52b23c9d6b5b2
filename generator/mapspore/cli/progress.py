"""A word to whoever waits: what is being done, on stderr, and only if it takes long.

On a terminal one line appears after two seconds and goes away again; elsewhere a line is written when the
wait is really long, so that logs stay clean.
"""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType

from mapspore.base.interruption import raise_dropped
from mapspore.base.language import Language

ON_TERMINAL, ELSEWHERE = 2.0, 20.0


class Progress:
    """Used as `with Progress("cli.doing.check", language) as progress:`; calling it changes the message.

    A message is given by where it stands in `templates/text`, which is read only if it is shown.
    """

    def __init__(self, path: str, language: Language, /, **values: object) -> None:
        self._language = language
        self._message = (path, values)
        self._terminal = sys.stderr.isatty()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._shown = False

    def __call__(self, path: str, /, **values: object) -> None:
        raise_dropped()
        self._message = (path, values)

    def __enter__(self) -> Progress:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()
        if self._shown and self._terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _watch(self) -> None:
        started = time.monotonic()
        wait = ON_TERMINAL if self._terminal else ELSEWHERE
        while not self._done.wait(wait):
            from mapspore.text.phrases import say

            path, values = self._message
            text = f"{say(path, self._language, **values)} … {time.monotonic() - started:.0f} s"
            sys.stderr.write(f"\r\x1b[K{text}" if self._terminal else f"{text}\n")
            sys.stderr.flush()
            self._shown = True
            wait = 1.0 if self._terminal else ELSEWHERE
