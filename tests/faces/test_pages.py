"""What the pages show is what happens: their examples are run, and print what the page says they print."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_WRITTEN = [*sorted(ROOT.glob("docs/concepts/*.md")), *sorted(ROOT.glob("docs/guides/*.md"))]
PAGES = ("README.md", *(str(one.relative_to(ROOT)) for one in _WRITTEN if "\n# > " in one.read_text("utf-8")))
"""Those that say what their examples print."""
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SHOWN = "# >"
_FIGURE = re.compile(r"\d\.\d+")
"""Cosines differ in their last digit between machines."""


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_print_what_it_says(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TREERING_EMBEDDER", "turnfinder")
    monkeypatch.setenv("TREERING_JUDGE", "turnreader")
    names: dict[str, object] = {}
    blocks = _BLOCK.findall((ROOT / page).read_text("utf-8"))
    assert blocks
    for block in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, page, "exec"), names)
        shown = [line.removeprefix(_SHOWN)[1:] for line in block.splitlines() if line.startswith(_SHOWN)]
        assert _evened(printed.getvalue().splitlines()) == _evened(shown)


def _evened(lines: list[str]) -> list[str]:
    return [_FIGURE.sub("0.00", line) for line in lines]


def test_every_page_that_is_linked_to_is_there() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    broken = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in pages
        for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
        if "://" not in link and not (page.parent / link).exists()
    ]
    assert broken == []
