"""What does a judge get to read? What was found for the question, and what goes on with its matter in other words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from tests.conftest import HandClock
from tests.recall.hashing import Hashing
from tests.recall.test_present import Told

import treering
from treering.recall import present
from treering.recall.fuse import Fused
from treering.recall.graph import Reached
from treering.recall.hits import Chosen, _moved
from treering.recall.index.columns import Numbers
from treering.recall.index.nearness import Meanings
from treering.recall.present import JUDGED, JUDGED_OF_LITTLE, LITTLE, OWN
from treering.recall.select import Order, Ordered, _with_kin

BEGUN = "the dentist check-up is booked with Okafor"
GOES_ON = "now booked with Okafor for Friday"
QUESTION = "When is the dentist check-up"
PLACES = ("Chad", "Peru", "Laos", "Mali", "Oman", "Cuba", "Fiji", "Togo", "Iran", "Iraq", "Niue", "Guam")
OTHERS = [f"{place} trains one more dentist in {number}" for number, place in enumerate(PLACES, 1990)]


def asked(clock: HandClock, judge: Told, texts: Sequence[str] = (BEGUN, *OTHERS, GOES_ON)) -> treering.Answer:
    with treering.open(":memory:", clock=clock, embedder=Hashing(), judge=judge) as mem:
        for text in texts:
            clock.advance(days=1)
            mem.add(text, at=clock.now)
        return mem.recall(QUESTION, limit=3)


def likely(text: str) -> float:
    return 0.9 if "Okafor" in text else 0.0


def read(judge: Told) -> set[str]:
    (texts,) = judge.asked
    return {one.removeprefix("User: ") for one in texts}


def test_what_goes_on_with_the_best_is_read_though_it_has_no_word_of_the_question(clock: HandClock) -> None:
    judge = Told(likely, over=0.8)
    answer = asked(clock, judge)
    assert {BEGUN, GOES_ON} <= read(judge)
    assert len(read(judge)) == JUDGED_OF_LITTLE
    assert [hit.memory.content for hit in answer] == [GOES_ON, BEGUN]


def test_of_much_fewer_turns_are_read_than_of_little(clock: HandClock) -> None:
    lines = [f"Lane {number} has one more dentist" for number in range(LITTLE)]
    for texts, many in ((lines, JUDGED_OF_LITTLE), ([*lines, BEGUN], JUDGED)):
        judge = Told(likely)
        asked(clock, judge, texts)
        assert len(read(judge)) == many


def test_without_kin_only_what_the_question_finds_would_be_read(
    clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(present, "OWN", replace(OWN, kin=0.0))
    judge = Told(likely, over=0.8)
    answer = asked(clock, judge)
    assert GOES_ON not in read(judge)
    assert [hit.memory.content for hit in answer] == [BEGUN]


def test_what_is_like_the_best_and_does_not_answer_is_no_hit(clock: HandClock) -> None:
    judge = Told(lambda text: 0.9 if BEGUN in text else 0.0)
    answer = asked(clock, judge)
    assert GOES_ON in read(judge)
    assert [hit.memory.content for hit in answer] == [BEGUN]


def test_like_the_first_counts_more_than_like_the_fifth() -> None:
    """What resembles something far worse than the best has little to do with the matter."""
    score = np.array([10.0, 9.0, 4.0, 3.0, 2.9])
    rows = np.eye(5, dtype=np.float32)
    rows[3], rows[4] = rows[2], rows[0]
    reads = reading(score, rows).reads
    assert reads[4] > reads[3] > score[3]
    assert reads[0] == pytest.approx(10 + KIN)


def test_the_words_of_a_session_say_nothing_for_reading_a_turn() -> None:
    words = np.array([0.0, 0.0, 20.0])
    ordered = reading(np.array([5.0, 4.0, 4.5]), np.eye(3, dtype=np.float32), words)
    assert ordered.reads[1] > ordered.reads[2]


def test_what_is_only_to_be_read_is_told_apart() -> None:
    found = Ordered([0])
    ordered = reading(np.array([5.0, 4.0, 3.0]), np.eye(3, dtype=np.float32), found=found, read=2)
    assert ordered.places == [0, 1]
    assert ordered.unspoken_for == {1}


KIN, NOTHING = 9.0, Ordered([])


def reading(
    score: Numbers, rows: Numbers, words: Numbers | None = None, found: Ordered = NOTHING, read: int = 5
) -> Ordered:
    class Rows:
        looked_into = 500

        def whole_rows(self, things: Numbers) -> Numbers:
            return rows[things]

    pool = np.arange(len(score))
    features = {} if words is None else {"session_words": words}
    fused = Fused(pool, features, score, score, Reached(), np.ones(len(score), bool))
    return _with_kin(cast(Meanings, Rows()), fused, Order(3, 3, False, read=read, kin=KIN), found)


def test_who_hands_on_its_place_hands_on_what_speaks_for_reading_it() -> None:
    one = Chosen(cast(Any, None), cast(Any, None), cast(Any, None), 0, 0, "a", 4.0, reads=9.0)
    assert (_moved(one, 6.0).total, _moved(one, 6.0).reads) == (6.0, 11.0)
