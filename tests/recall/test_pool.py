"""What is weighed where not everything can be? In a large space what a signal brings forward, with turns around it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import treering
from treering.door import Treering
from treering.recall import fuse


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Treering]:
    """A space that is taken for a large one, nobody to read it, and no session that is weighed whole."""
    monkeypatch.setattr(fuse, "WEIGH_ALL_UP_TO", 5)
    monkeypatch.setattr(fuse, "LONG_SESSION", 0)
    with treering.open(tmp_path / "large.db", space="lab", embedder="none") as mem:
        for number in range(40):
            mem.add(f"Stone {number} is grey.", session=f"s{number // 10}")
        for said in ("The heron came at dusk.", "It was taller than I thought.", "Then rain.", "Nothing more to tell."):
            mem.add(said, session="bird")
        yield mem


def test_what_has_the_words_of_the_question_is_found_in_a_large_space(large: Treering) -> None:
    assert large.recall("heron")[0].memory.content == "The heron came at dusk."


def test_the_turns_around_it_are_weighed_too_and_those_further_away_are_not(large: Treering) -> None:
    found = {hit.memory.content for hit in large.recall("heron", limit=20)}
    assert found == {"The heron came at dusk.", "It was taller than I thought.", "Then rain."}
