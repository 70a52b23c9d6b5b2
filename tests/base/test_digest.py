"""The digest that answers are kept under: it follows the content, whatever the files' times say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mapspore.base import digest
from mapspore.base.cache import cache_folder
from mapspore.base.digest import registry_digest


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "mappings").mkdir()
    (tmp_path / "facts").mkdir()
    for name in ("mappings/a.yaml", "mappings/b.yaml", "facts/torch-1.json"):
        (tmp_path / name).write_text("one")
    return tmp_path


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files count as old at once, so that the digest is kept."""
    monkeypatch.setattr(digest, "SETTLED", -(10**18))


def test_each_change_of_content_changes_it(root: Path, settled: None) -> None:
    seen = [registry_digest(root)]
    changed = root / "mappings" / "a.yaml"
    for text in ("two", "one more"):
        changed.write_text(text)
        seen.append(registry_digest(root))
    changed.rename(root / "mappings" / "c.yaml")
    seen.append(registry_digest(root))
    (root / "mappings" / "c.yaml").unlink()
    seen.append(registry_digest(root))
    assert len(set(seen)) == len(seen)


def test_an_old_time_on_new_content_deceives_nobody(root: Path, settled: None) -> None:
    changed = root / "mappings" / "a.yaml"
    before, times = registry_digest(root), changed.stat()
    while changed.stat().st_ctime_ns == times.st_ctime_ns:  # until a tick of the file system's clock has passed
        changed.write_text("two")
        os.utime(changed, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert registry_digest(root) != before


def test_the_same_content_has_the_same_digest_at_another_time(root: Path, settled: None) -> None:
    before = registry_digest(root)
    (root / "mappings" / "a.yaml").write_text("two")
    assert registry_digest(root) != before
    (root / "mappings" / "a.yaml").write_text("one")
    assert registry_digest(root) == before


def test_no_content_is_read_while_nothing_changes(root: Path, settled: None, monkeypatch: pytest.MonkeyPatch) -> None:
    before = registry_digest(root)
    monkeypatch.setattr(digest, "_contents", lambda stamps: pytest.fail("read the files again"))
    assert registry_digest(root) == before


def test_a_file_that_changed_just_now_is_read_each_time(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = registry_digest(root)
    read: list[object] = []
    contents = digest._contents
    monkeypatch.setattr(digest, "_contents", lambda stamps: read.append(1) or contents(stamps))
    assert registry_digest(root) == before and read


def test_a_damaged_note_counts_for_nothing(root: Path, settled: None) -> None:
    before = registry_digest(root)
    for note in cache_folder().glob("*.stamp"):
        note.write_text(note.read_text()[:-5])
    assert registry_digest(root) == before


def test_without_a_cache_folder_it_still_answers(
    root: Path, settled: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert registry_digest(root) == registry_digest(root)
