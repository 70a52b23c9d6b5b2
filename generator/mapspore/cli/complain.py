"""A refusal for whoever typed the command: its sentence and its hint, on stderr."""

from __future__ import annotations

import sys

from mapspore.base.diagnostics import Refusal
from mapspore.base.language import Language


def complain(refusal: Refusal, language: Language) -> None:
    """Prints why something is refused, and what to do; texts from outside move no cursor."""
    from mapspore.base.terminal import visible
    from mapspore.text.phrases import said, say

    sentence, hint = said(refusal, language)
    print(say("cli.frame.error", language, code=refusal.code, sentence=visible(sentence)), file=sys.stderr)
    print(f"  {say('cli.frame.hint', language)}{visible(hint)}", file=sys.stderr)
