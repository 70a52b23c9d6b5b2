"""What several tests of the runtime load is a plain module beside them."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def of_mindspore(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tensors are MindSpore's own, as before the runtime's class is loaded, whatever another test has loaded."""
    from torchspore._runtime.core import arrays
    from torchspore._runtime.files import kinds

    monkeypatch.setattr(kinds, "_kinds", kinds.Kinds())
    monkeypatch.setattr(arrays, "_access", arrays._MindSpore())
