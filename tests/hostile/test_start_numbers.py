"""What a job's environment can say that is no place to meet: H26. Nothing is connected here."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.frameworks, pytest.mark.processes]  # NumPy starts one when it is imported

SOUND = {"MASTER_ADDR": "localhost", "MASTER_PORT": "29500", "RANK": "0", "WORLD_SIZE": "1"}
FROM_0, FROM_1, PORT = "a whole number from 0 on", "a whole number from 1 on", "a whole number between 1 and 65535"


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        *(("RANK", value, FROM_0) for value in ("-1", "x", "1.0", "²", " 1", "1_0", "9" * 5000)),
        *(("WORLD_SIZE", value, FROM_1) for value in ("0", "-1", "x", "1e3", "٣ ")),
        *(("MASTER_PORT", value, PORT) for value in ("0", "-1", "65536", "http")),
    ],
)
def test_h26_numbers_of_the_environment(name: str, value: str, wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from torchspore._runtime.collectives.start import find_place

    for key, sound in SOUND.items():
        monkeypatch.setenv(key, sound)
    assert find_place(None, -1, -1).size == 1
    monkeypatch.setenv(name, value)
    with pytest.raises(ValueError) as told:
        find_place(None, -1, -1)
    assert str(told.value) == f"The environment variable {name} must be {wanted}, but it is {value!r}."


@pytest.mark.parametrize("query", ["rank=x", "rank=-1", "rank=0&world_size=0", "world_size=1.5"])
def test_h26_numbers_of_an_address(query: str) -> None:
    from torchspore._runtime.collectives.start import find_place

    with pytest.raises(ValueError, match="in init_method must be a whole number from "):
        find_place(f"tcp://localhost:29500?{query}", 0, 1)
