"""What the adapter does by itself, in a sentence. In: a mapping. Out: the sentence, or nothing where calls of MindSpore
stand behind it.
"""

from __future__ import annotations

from mapspore.base.language import Language
from mapspore.resolve.registry import Mapping
from mapspore.text.phrases import catalogue, label, phrase
from mapspore.view.entry_view import Text
from mapspore.view.sentences import both, joined, said
from mapspore.words.runtime import home_of


def by_adapter(mapping: Mapping) -> Text | None:
    """What of the runtime, which answer, or why nothing stands behind an entry."""
    entry = mapping.entry
    if entry.runtime is not None:
        known = entry.runtime in catalogue("phrases")["runtime"]
        kind = mapping.api.kind if mapping.api is not None else "function"
        told = [said("runtime", entry.runtime) if known else said("runtime_kinds", kind)]
        part = home_of(entry.runtime)[0].rpartition(".")[2]
        told += [said("runtime_parts", part)] if part in catalogue("phrases")["runtime_parts"] else []
        told += [Text(each.en, each.zh) for each in entry.differs if each.of_adapter]
        return joined([*told, *([_lacks(mapping.lacks)] if mapping.lacks else [])])
    if entry.unneeded is not None:
        return Text(entry.unneeded.why.en, entry.unneeded.why.zh)
    if mapping.port != "answer":
        return None
    if mapping.api is not None and mapping.api.kind == "constant":
        return said("answers", "constant", answer=repr(mapping.answer))
    return answer_sentence(mapping)


def _lacks(names: tuple[str, ...]) -> Text:
    """Which members a class of the runtime does not have."""
    quoted = [f"`{name}`" for name in names]
    return both(lambda language: phrase("prose", "lacks", language, names=label("comma", language).join(quoted)))


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
