"""Does a sentence say that something has changed? By its words alone."""

from __future__ import annotations

import pytest

from treering.language.standing import speaks_of_change


@pytest.mark.parametrize(
    "text", ["I have a new dentist", "the new flat is in Leith", "we tried a place and moved there", "a new start"]
)
def test_what_is_new_has_changed(text: str) -> None:
    assert speaks_of_change(text)


@pytest.mark.parametrize(
    "text",
    ["tried a new bacon place with Per", "we saw the new film", "visited this new museum", "I watched a new show"],
)
def test_what_was_tried_or_seen_once_changes_nothing(text: str) -> None:
    assert not speaks_of_change(text)
