"""By which words is a statement searched? Those that were said, where it only rewords them; else its own."""

from __future__ import annotations

import pytest

from treering.language.rewording import as_read


@pytest.mark.parametrize(
    ("content", "said", "read"),
    [
        ("User paints sunsets", "I paint sunsets", "said"),
        ("User works at Anthropic", "I left Google last May to join Anthropic", "content"),
        ("User paints", "User paints", "content"),
        ("User paints", None, "content"),
        ("User paints", "", "content"),
        ("User: ok", "ok so", "said"),
    ],
)
def test_the_words_of_the_speaker_count_where_they_are_kept(content: str, said: str | None, read: str) -> None:
    assert as_read(content, said) == (said if read == "said" else content)
