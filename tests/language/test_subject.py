"""What a clause is said of, and whose it is, by the look of its words."""

from __future__ import annotations

import pytest

from treering.language.subject import said_of


@pytest.mark.parametrize(
    ("clause", "of"),
    [
        ("my gas bill is 60 euros", "my gas bill"),
        ("the launch party is on October 9", "the launch party"),
        ("parking went up to 80 a month", "parking"),
        ("frontend's all Svelte", "frontend"),
        ("Elif's brother works at a bank", "Elif's brother"),
        ("the doctor says once a day is enough", "once a day"),
        ("so he's chair", "he"),
        ("moved to Bergen", ""),
        ("officially changed my major to linguistics", ""),
        ("wearing grandpa's watch every day now", ""),
        ("a pug named Olle", ""),
    ],
)
def test_it_is_said_of_the_words_before_its_verb(clause: str, of: str) -> None:
    assert said_of(clause) == of
