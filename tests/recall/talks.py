"""A talk to ask about, and short names for what is found."""

from __future__ import annotations

import pytest
from tests.conftest import HandClock

from treering.door import Treering
from treering.recall.answer import Answer


def keys(answer: Answer) -> list[str | None]:
    return [hit.sources[0].key for hit in answer]


@pytest.fixture
def talk(mem: Treering, clock: HandClock) -> Treering:
    """Two sessions of two people, a day apart."""
    turns = [
        ("s1", "Melanie", "I signed up for a pottery class yesterday."),
        ("s1", "Caroline", "Lovely! What will you make first?"),
        ("s1", "Melanie", "A blue bowl for my sister Ruth."),
        ("s2", "Caroline", "The adoption agency called me back."),
        ("s2", "Melanie", "That is wonderful news."),
        ("s2", "Caroline", "I bought two train tickets to Lisbon."),
    ]
    for number, (session, speaker, content) in enumerate(turns):
        if number == 3:
            clock.advance(days=1)
        clock.advance(minutes=1)
        mem.add(content, speaker=speaker, session=session, key=f"t{number}")
    clock.advance(days=1)
    return mem
