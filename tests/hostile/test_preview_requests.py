"""The preview's server and requests from elsewhere: H25."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from registries import NAME, Ask, entries, served, write

from mapspore.pages.preview.server import Preview

pytestmark = pytest.mark.processes
LONG = [
    "x" * 300, "x" * 5000, "%00", "%ff", "a%0ab", "%C3%28", ".", "..", "%2e%2e%2f", "*", "%",
]  # fmt: skip


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    root = tmp_path_factory.mktemp("registry")
    write(root, entries())
    secret = tmp_path_factory.getbasetemp() / "secret.yaml"
    secret.write_text("torch: secret\n", "utf-8")
    with served(root) as asking:
        yield asking


@pytest.mark.parametrize("host", ["localhost", "localhost:8001", "127.0.0.1", "127.0.0.1:99", "[::1]:1", "a.localhost"])
def test_h25_names_of_this_machine_are_answered(host: str, ask: Ask) -> None:
    assert ask("/", host)[0] == 200


@pytest.mark.parametrize(
    "host", [None, "", "example.org", "example.org:8001", "localhost.example.org", "127.0.0.1.example.org", "0.0.0.0",
             "xlocalhost", "localhost@example.org", "example.org#localhost", "[::2]"]
)  # fmt: skip
@pytest.mark.parametrize("path", ["/", "/events", f"/en/api/{NAME}/", "/en/assets/site.css"])
def test_h25_other_names_get_nothing(path: str, host: str | None, ask: Ask) -> None:
    status, said = ask(path, host)
    assert status == 421 and NAME not in said


def test_h25_no_name_becomes_a_path(ask: Ask, tmp_path_factory: pytest.TempPathFactory) -> None:
    base = tmp_path_factory.getbasetemp().as_posix()
    for there in (base + "/secret", base + "/nowhere", "/etc/hostname"):
        spelled = there.replace("/", ".")
        for name in (
            spelled,
            quote(there, safe=""),
            f"..{spelled}",
            f"torch.{spelled}",
            f"%2e%2e{quote(there, safe='')}",
        ):
            for path in (f"/en/api/{name}/", f"/en/api/{name}", f"/zh/api/{name}.yaml", f"/zh/api/{name}.json",
                         f"/en/assets/{name}", f"/en/assets/..{there}", f"/en/assets/%2e%2e/{name}"):  # fmt: skip
                assert ask(path)[0] == 404, path


@pytest.mark.parametrize("part", LONG)
def test_h25_odd_names_are_not_found(part: str, ask: Ask, capfd: pytest.CaptureFixture[str]) -> None:
    for path in (f"/en/api/{part}/", f"/en/api/{part}.json", f"/en/assets/{part}", f"/{part}", f"//[{part}"):
        assert ask(path)[0] == 404, path
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("path", ["/", f"/en/api/{NAME}/", f"/en/api/{NAME}.json", "/en/assets/site.css", "/nowhere"])
def test_h25_head_is_answered_without_a_body(path: str, ask: Ask) -> None:
    assert ask(path, method="HEAD") == (ask(path)[0], "")


def test_h25_head_of_the_events_ends(ask: Ask) -> None:
    assert ask("/events?since=" + "9" * 5000, method="HEAD") == (200, "")


def test_h25_a_fault_of_ours_is_told_in_a_sentence(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> str:
        raise KeyError("<u>x")

    monkeypatch.setattr(Preview, "page", broken)
    status, said = ask(f"/en/api/{NAME}/")
    assert status == 500 and "KeyError: &#x27;&lt;u&gt;x&#x27;" in said and "mapspore env" in said
    assert "Traceback" not in capfd.readouterr().err
