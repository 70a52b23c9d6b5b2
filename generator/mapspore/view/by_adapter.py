"""What the adapter does by itself, in a sentence. In: a mapping. Out: the sentence, or nothing where calls of MindSpore
stand behind it.
"""

from __future__ import annotations

from mapspore.base.language import Language
from mapspore.resolve.registry import Mapping
from mapspore.text.phrases import catalogue, label, phrase
from mapspore.view.entry_view import Text
from mapspore.view.sentences import both, said


def by_adapter(mapping: Mapping) -> Text | None:
    """What of the runtime, which answer, or why nothing stands behind an entry."""
    entry = mapping.entry
    if entry.runtime is not None:
        if entry.runtime in catalogue("phrases")["runtime"]:
            return said("runtime", entry.runtime)
        return said("runtime_kinds", mapping.api.kind if mapping.api is not None else "function")
    if entry.unneeded is not None:
        return Text(entry.unneeded.why.en, entry.unneeded.why.zh)
    if mapping.port != "answer":
        return None
    if mapping.api is not None and mapping.api.kind == "constant":
        return said("answers", "constant", answer=repr(mapping.answer))
    return answer_sentence(mapping)


def answer_sentence(mapping: Mapping) -> Text:
    """What a question about the environment is answered with."""
    answers = mapping.answer
    if not isinstance(answers, dict):
        return said("answers", "everywhere", answer=repr(answers))

    def listed(language: Language) -> str:
        each = (
            phrase("answers", "platform", language, answer=repr(answer), platform=platform)
            for platform, answer in answers.items()
        )
        return label("comma", language).join(each)

    return both(lambda language: phrase("answers", "by_platform", language, answers=listed(language)))
