"""A text takes about so many tokens of a prompt, in whatever script it is written."""

from __future__ import annotations

import pytest

from treering.language.tokens import characters_within, tokens_of


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("four", 1),
        ("fives", 2),
        ("我住在北京", 5),
        ("ねこが好き", 5),
        ("고양이", 3),
        ("🙂🙂", 2),
        ("Grüße aus Köln", 4),
        ("Tokyo は東京", 5),
    ],
)
def test_characters_that_are_words_or_syllables_count_one_each(text: str, tokens: int) -> None:
    assert tokens_of(text) == tokens


@pytest.mark.parametrize("text", ["我住在北京" * 20, "a long walk by the sea " * 20, "mixed 東京 text " * 20])
def test_what_is_cut_to_so_many_tokens_takes_no_more(text: str) -> None:
    for tokens in (1, 5, 20):
        assert tokens_of(text[: characters_within(text, tokens)]) <= tokens + 1
