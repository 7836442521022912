"""What was learned for a question of words and entities is kept as long as nothing is written; no answer shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest

import treering
from treering.door import Treering
from treering.recall import graph, keyword
from treering.recall.answer import Answer
from treering.recall.index.postings import MOST_TIMES, Postings
from treering.store.sql.reader import SqlReader


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


def contents(answer: Answer) -> set[str]:
    return {hit.memory.content for hit in answer}


def test_an_entity_asked_for_before_leads_to_what_was_said_of_it_since(mem: Treering) -> None:
    mem.add("The boat is red.", entities=["Ada"])
    for number in range(20):
        mem.add(f"Stone {number} is grey.")
    assert contents(mem.recall("Ada")) == {"The boat is red."}
    mem.add("The lamp is green.", entities=["Ada"])
    assert contents(mem.recall("Ada")) == {"The boat is red.", "The lamp is green."}
    mem.forget(mem.list(order="newest", limit=1)[0].id)
    assert contents(mem.recall("Ada")) == {"The boat is red."}


def test_what_one_may_see_of_an_entity_is_nothing_to_another(mem: Treering) -> None:
    for number in range(20):
        mem.add(f"Stone {number} is grey.")
    mem.add("The boat is red.", entities=["Ada"])
    mem.add("The lamp is green.", entities=["Ada"], visibility="private", visible_to=["cy"])
    for _ in range(2):
        assert contents(mem.recall("Ada", principal="cy")) == {"The boat is red.", "The lamp is green."}
        assert contents(mem.recall("Ada", principal="bo")) == {"The boat is red."}


def test_the_store_is_asked_once_who_mentions_an_entity(mem: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    mem.add("The boat is red.", entities=["Ada"])
    mem.add("The lamp is green.", entities=["Bo"])
    asked: list[list[str]] = []
    whole = SqlReader.mentions_of

    def noted(self: SqlReader, entity_ids: Iterable[str], limit: int) -> dict[str, list[str]]:
        ids = list(entity_ids)
        asked.extend([ids] if ids else [])
        return whole(self, ids, limit)

    monkeypatch.setattr(SqlReader, "mentions_of", noted)
    first = told(mem.recall("Ada"))
    assert len(asked) == 1
    assert told(mem.recall("Ada")) == first
    assert len(asked) == 1
    mem.recall("Ada and Bo")
    assert [len(one) for one in asked] == [1, 1]


def test_answers_are_the_same_whether_or_not_entities_are_kept(mem: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        mem.add(f"Note {number} of the log.", entities=[("Ada", "Bo", "Cy")[number % 3], f"Boat {number % 7}"])
    asked = ["Ada", "Boat 3", "Bo and Boat 4", "Cy"]
    kept = [told(mem.recall(one)) for one in asked * 2]
    for most in (0, 3):
        monkeypatch.setattr(graph, "MOST_KEPT", most)
        mem.add(f"Nothing to do with it, {most}.")
        mem.forget(mem.list(order="newest", limit=1)[0].id)
        assert [told(mem.recall(one)) for one in asked * 2] == kept


def test_no_more_is_kept_of_entities_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "MOST_KEPT", 3)
    kept: dict[str, int] = {}
    for ids in (["a", "bb"], ["ccc", "dddd"], ["a", "ccc"]):
        assert graph._learned(kept, ids, lambda asked: {one: len(one) for one in asked}) == {
            one: len(one) for one in ids
        }
    assert kept == {"a": 1, "bb": 2, "ccc": 3}


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


def test_words_are_learned_in_the_order_in_which_each_stands_first_and_counted() -> None:
    draw, postings, said = np.random.default_rng(4), Postings(), list[list[str]]()
    for many in (1, 0, 60, 3):
        texts = [draw.choice([f"w{one}" for one in range(9)], draw.integers(0, 12)).tolist() for _ in range(many)]
        texts += [["often"] * 300 + ["w1"]] if many else []
        assert postings.add(texts) == [len(text) for text in texts]
        said += texts
    postings.settle()
    ends, spelling = [0, *postings.ends.rows.tolist()], postings.spelling()
    for number, text in enumerate(said):
        counted = Counter(text)
        assert [spelling[one] for one in postings.forward.rows[ends[number] : ends[number + 1]]] == list(counted)
        for word, times in counted.items():
            memories, often = postings.of(word, len(said))
            assert often[memories.tolist().index(number)] == min(times, MOST_TIMES)
    assert len(ends) == len(said) + 1
