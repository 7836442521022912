"""Words that were asked for are kept as long as nothing is written: nobody can tell it from an answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import treering
from treering.door import Treering
from treering.recall import keyword
from treering.recall.answer import Answer
from treering.recall.index.postings import Postings


@pytest.fixture
def mem(tmp_path: Path) -> Iterator[Treering]:
    """On a store that says how long what is hidden stays so: on others nothing is kept."""
    with treering.open(tmp_path / "kept.db", space="lab", embedder="none") as one:
        yield one


def told(answer: Answer) -> list[tuple[str, float]]:
    return [(hit.memory.content, hit.score) for hit in answer]


def test_a_word_asked_for_before_finds_what_was_said_since(mem: Treering) -> None:
    mem.add("The heron stood in the reeds.")
    assert len(mem.recall("heron")) == 1
    mem.add("A second heron came at dusk.")
    assert {one for one, _ in told(mem.recall("heron"))} == {
        "The heron stood in the reeds.",
        "A second heron came at dusk.",
    }


def test_a_beginning_asked_for_as_a_name_is_another_word_than_the_same_in_small_letters(mem: Treering) -> None:
    mem.add("Melanie went for a walk.")
    assert not mem.recall("mel")
    assert mem.recall("Mel")
    assert not mem.recall("mel")


def test_what_one_may_see_of_a_word_is_nothing_to_another(mem: Treering) -> None:
    mem.add("The heron is at the mill.", visibility="private", visible_to=["ada"])
    mem.add("A heron was drawn on the wall.")
    for _ in range(2):
        assert len(mem.recall("heron", principal="ada")) == 2
        assert len(mem.recall("heron", principal="bo")) == 1


def test_answers_are_the_same_whether_or_not_words_are_kept(mem: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        mem.add(f"The heron saw {number} boats and a lamp, {'dusk ' * (number % 3)}again.", session=f"s{number // 4}")
    asked = ["heron lamp", "boats at dusk", "lamp lamp boats", "17 boats"]
    kept = [told(mem.recall(one)) for one in asked * 2]
    for most in (0, 45):  # none of them, and some
        monkeypatch.setattr(keyword, "MOST_KEPT", most)
        mem.add(f"Nothing to do with it, {most}.")
        mem.forget(mem.list(order="newest", limit=1)[0].id)
        assert [told(mem.recall(one)) for one in asked * 2] == kept


def test_counts_of_several_words_are_those_of_each() -> None:
    draw, words = np.random.default_rng(3), [f"w{number}" for number in range(40)]
    postings = Postings()
    for _ in range(3):
        postings.add([draw.choice(words, 6).tolist() for _ in range(50)])
        postings.settle()
    postings.add([["w1", "w2", "new"], ["w2"]])
    postings.file()
    numbers = np.arange(len(postings.spelling()) - 1)  # all but one that is only in the tail
    for known in (0, 70, 150, 151, 152):
        for some in (numbers, numbers[:5], numbers[:0]):
            each = [postings.count(number, known) for number in some.tolist()]
            assert (
                postings.counts(some, known) == each == [len(postings.of(postings.word(one), known)[0]) for one in some]
            )
