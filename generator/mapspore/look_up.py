"""Finding the answer for a name: asks the index, building it first where none fits the registry."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from mapspore.diagnostics import Refusal
from mapspore.digest import cache_folder, registry_digest
from mapspore.index import Damaged, Index, Parts, build
from mapspore.language import Language, pick

T = TypeVar("T")


def ask(root: Path, language: Language, question: Callable[[Index], T], overlays: Sequence[Path] = ()) -> T:
    """What the index in the cache answers, or a new one, which is kept there if the folder can be written.

    A damaged file is replaced without a word; nobody misses it.
    """
    path = cache_folder() / f"{registry_digest(root, overlays)}.sqlite"
    if path.is_file():
        with contextlib.suppress(OSError):
            os.utime(path)
        with contextlib.suppress(Damaged), Index.open(path) as index:
            return question(index)
    if sys.stderr.isatty():
        print(pick(language, "building the look-up index …", "正在建立查询索引……"), file=sys.stderr)
    parts = _parts(root, overlays)
    with contextlib.suppress(OSError):
        build(path, parts)
    with Index.held(parts) as index:
        return question(index)


def _parts(root: Path, overlays: Sequence[Path]) -> Parts:
    from dataclasses import replace

    from mapspore.answer import answers
    from mapspore.phrases import catalogue
    from mapspore.pipeline import load_registry

    loaded = load_registry(root, overlays=overlays)
    faulty = {diagnostic.place.path for diagnostic in loaded.errors}
    sound = tuple(mapping for mapping in loaded.registry.mappings if mapping.source.path not in faulty)
    entries = answers(replace(loaded.registry, mappings=sound))["entries"]
    # A faulty entry is known by its name, so that whoever asks for it learns why there is no answer.
    for source in loaded.sources:
        name = source.data.get("torch") if isinstance(source.data, dict) else None
        if source.path in faulty and isinstance(name, str):
            entries.append({"torch": name, "aliases": [], "targets": [], "faulty": source.path})
    return entries, list(loaded.registry.torch.names), catalogue("labels")


def find(index: Index, wanted: str) -> list[str]:
    """The entries that a name means; a refusal with the nearest names if it means none."""
    found = index.find(wanted)
    for name in found:
        faulty = index.answer(name).get("faulty")
        if faulty:
            raise Refusal(
                f"The entry of `{name}` has problems, so nothing can be told from it.",
                f"Run `mapspore check {faulty}`.",
                zh=(f"`{name}` 的条目有问题，无法给出答案。", f"请运行 `mapspore check {faulty}`。"),
            )
    if found:
        return found
    known = index.known_to_torch(wanted)
    if known is not None:
        raise Refusal(
            f"`{known}` is an API of torch, but has no entry yet.",
            f"Write one: `mapspore new {known}`.",
            zh=(f"`{known}` 是 torch 的 API，但尚无条目。", f"可用 `mapspore new {known}` 新建。"),
        )
    near = nearest(index, wanted)
    names = [f"`{name}`" for name in near]
    hint = f"Did you mean {', '.join(names)}?" if near else "`mapspore list` shows all."
    tip = f"是否想查 {'、'.join(names)}？" if near else "`mapspore list` 列出全部条目。"
    raise Refusal(f"There is no entry for `{wanted}`.", hint, zh=(f"没有 `{wanted}` 的条目。", tip))


def nearest(index: Index, wanted: str) -> list[str]:
    """The full names whose spelling, long or short, comes nearest."""
    import difflib

    close = difflib.get_close_matches(wanted.lower(), index.names(), n=6, cutoff=0.6)
    return list(dict.fromkeys(name for key in close for name in index.find(key)))[:3]
