"""From one turnfinder to the other and back, with the models themselves: no question is ever measured against vectors
of both, or against those of the wrong one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

import pytest
from tests.conftest import HandClock

from treering.door import Treering
from treering.mind import open_embedder
from treering.mind.contract import Embedder, Passage
from treering.mind.minds import Minds
from treering.mind.packing import pack
from treering.model.embedding import Embedded
from treering.store.contract import Store

FIRST, SECOND = "turnfinder", "turnfinder-2"
SAID = (
    ("Nora", "Peanuts make my throat swell up."),
    ("Tom", "We repainted the kitchen last weekend. It is yellow now."),
    ("Nora", "My sister opened a bakery near the harbour."),
    ("Tom", "I keep bees behind the barn."),
    ("Nora", "The dentist moved my visit to Friday."),
    ("Tom", "Our youngest has begun to play the cello."),
)
LATER = ("Nora", "I sold the old sailing boat.")
QUESTIONS = (
    "Does Nora have an allergy?",
    "What animals does Tom look after?",
    "Which instrument does the child learn?",
)


@pytest.fixture(scope="module")
def models() -> dict[str, Embedder]:
    return {name: open_embedder(name) for name in (FIRST, SECOND)}


@pytest.fixture
def opened(models: dict[str, Embedder], clock: HandClock) -> Callable[[Store, str], Treering]:
    def door(store: Store, default: str) -> Treering:
        minds = Minds(models[default])
        minds._open |= models  # loaded once for all tests here
        return Treering(store, clock=clock, space="lab", minds=minds)

    return door


def told(mem: Treering, *said: tuple[str, str]) -> Treering:
    mem.add_many([{"content": text, "speaker": speaker} for speaker, text in said])
    return mem


def nearness(mem: Treering) -> list[list[tuple[str, float, str]]]:
    """All hits of all questions, with their scores and how near in meaning they are said to be."""
    answers = [mem.recall(question, limit=20) for question in QUESTIONS]
    return [[(hit.memory.content, round(hit.score, 6), hit.why) for hit in answer] for answer in answers]


@pytest.mark.parametrize("store_url", ["sqlite", "postgres"], indirect=True)
def test_no_search_ever_mixes_the_two(
    store: Store, new_store: Callable[[str], Store], opened: Callable[[Store, str], Treering]
) -> None:
    mem, beside = told(opened(store, FIRST), *SAID), opened(store, SECOND)
    by_first = nearness(mem)
    by_second = nearness(told(opened(new_store("sqlite"), SECOND), *SAID))
    assert all(one != other for one, other in zip_longest(by_first, by_second)), "the two could not be told apart"

    some = mem.reembed(SECOND, limit=3)
    assert (some.read, some.left, some.switched) == (3, 3, False)
    assert store.embedders("lab") == [FIRST, SECOND]
    assert nearness(mem) == nearness(beside) == by_first, "half read by the second, all asked of the first"

    assert mem.reembed(SECOND).switched
    assert store.embedders("lab") == [SECOND]
    assert nearness(mem) == nearness(beside) == by_second

    told(beside, LATER)
    everything = nearness(told(opened(new_store("sqlite"), FIRST), *SAID, LATER))
    assert beside.reembed(FIRST).switched
    assert store.embedders("lab") == [FIRST]
    assert nearness(mem) == nearness(beside) == everything
    assert mem.verify().ok


def test_every_vector_is_of_the_embedder_whose_name_it_has(
    models: dict[str, Embedder], new_store: Callable[[str], Store], opened: Callable[[Store, str], Treering]
) -> None:
    store = new_store("sqlite")
    mem = told(opened(store, FIRST), *SAID)
    mem.reembed(SECOND, limit=4)
    speakers = {text: speaker for speaker, text in SAID}
    texts = {one.id: Passage.said(speakers[one.content], one.content) for one in mem.list().memories}
    for name, count in ((FIRST, 6), (SECOND, 4)):
        rows = list(store.vectors("lab", name))
        assert len(rows) == count
        for row in rows:
            assert row.data == pack(models[name].embed_passages([texts[row.thing_id]])[0])


def test_a_vector_of_the_wrong_one_would_be_seen(
    models: dict[str, Embedder], new_store: Callable[[str], Store], opened: Callable[[Store, str], Treering]
) -> None:
    """Mixed on purpose: what the tests above compare is not the same any more."""
    store = new_store("sqlite")
    mem = opened(store, FIRST)
    mem.add_many([{"content": text, "speaker": speaker} for speaker, text in SAID], embed_later=True)
    first, *others = store.unread("lab", FIRST, 10)
    read = [(first, SECOND), *((one, FIRST) for one in others)]
    rows = [models[by].embed_passages([Passage.said(one.speaker, one.text)])[0] for one, by in read]
    wrong = [Embedded(one.thing_id, FIRST, pack(each)) for (one, _), each in zip(read, rows, strict=True)]
    store.keep_vectors("lab", wrong)
    assert nearness(mem)[0] != nearness(told(opened(new_store("sqlite"), FIRST), *SAID))[0]
