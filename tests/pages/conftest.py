"""What the tests of pages share: the real registry, and Markdown as the site renders it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import markdown
import pytest
from mkdocs.config import load_config

from mapspore.pipeline import load_registry
from mapspore.resolve.registry import Registry

HOME = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="session")
def real() -> Registry:
    loaded = load_registry(HOME)
    assert not loaded.errors
    return loaded.registry


@pytest.fixture(scope="session")
def to_html() -> Callable[[str], str]:
    """Renders Markdown with the extensions of the site's configuration."""
    config = load_config(str(HOME / "mkdocs.yml"))

    def convert(text: str) -> str:
        extensions = config["markdown_extensions"]
        return markdown.markdown(text, extensions=extensions, extension_configs=config["mdx_configs"])

    return convert
