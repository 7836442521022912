"""By which ways a question without an embedder finds, what the filters and the floor leave, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from tests.conftest import HandClock
from tests.recall.hashing import Hashing

import treering
from treering.door import Treering
from treering.recall import floor, fuse

SAID = (
    ("Olga", "Bring the forms on Thursday."),
    ("Ann", "The soup is hot."),
    ("Ann", "Mélanie likes tea."),
    ("Ann", "Jonathan plays the horn."),
    ("Bob", "I saw The Who in Leeds."),
    ("Bob", "To be or not to be, he said."),
)


@pytest.fixture
def plain(clock: HandClock) -> Iterator[Treering]:
    with treering.open(":memory:", clock=clock, embedder="none") as door:
        for speaker, text in SAID:
            door.add(text, speaker=speaker, at=clock.advance(minutes=1))
        yield door


@pytest.mark.parametrize(
    ("asked", "wanted", "why"),
    [
        ("What did Olga say?", "Bring the forms on Thursday.", "said by Olga"),
        ("What does Mél like?", "Mélanie likes tea.", "has a name beginning with Mel"),
        ("What does Jo play?", "Jonathan plays the horn.", "has a name beginning with Jo"),
        ('Where was "The Who"?', "I saw The Who in Leeds.", "has the words in quotes as they stand"),
        ('Who wrote "to be or not to be"?', "To be or not to be, he said.", "has the words in quotes as they stand"),
    ],
)
def test_a_speaker_the_beginning_of_a_name_and_words_in_quotes_are_found(
    plain: Treering, asked: str, wanted: str, why: str
) -> None:
    first = plain.recall(asked)[0]
    assert first.memory.content == wanted
    assert why in first.why


@pytest.mark.parametrize("asked", ["Go to the shop?", "Do I need tea?", "Is it hot?", "The horn?"])
def test_a_short_word_that_begins_a_sentence_is_no_beginning_of_a_name(clock: HandClock, asked: str) -> None:
    with treering.open(":memory:", clock=clock, embedder="none") as mem:
        for name in ("Gordon", "Dora", "Isa", "Theo"):
            mem.add("Nothing to tell.", speaker=name)
        assert len(mem.recall(asked)) == 0


@pytest.mark.parametrize("name", ["ann", "ANN", "Ann"])
def test_a_speaker_is_meant_in_capitals_or_not(plain: Treering, name: str) -> None:
    assert [hit.memory.content for hit in plain.recall("soup", speaker=name)] == ["The soup is hot."]


@pytest.fixture
def read(clock: HandClock) -> Iterator[Treering]:
    with treering.open(":memory:", clock=clock, embedder="turnfinder") as door:
        for text in ("I bought a bike.", "My cat is ill.", "We went to Rome.", "I love soup.", "The car is red."):
            door.add(text, speaker="Ann", at=clock.advance(minutes=1))
        door.add("Bob is tall.", speaker="Bob", at=clock.advance(minutes=1))
        yield door


def test_what_nothing_known_has_to_do_with_finds_nothing_among_what_filters_leave(read: Treering) -> None:
    answer = read.recall("What is the capital of Mongolia?", speaker="Ann")
    assert (len(answer), answer.below_floor) == (0, 5)
    soup = next(one for one in read.list() if "soup" in one.content)
    (reason, *_) = read.why_not("What is the capital of Mongolia?", soup.id, speaker="Ann").reasons
    assert reason.startswith("Nothing known has enough to do with the question")


def test_filters_and_a_question_that_fits_find_as_before(read: Treering) -> None:
    assert read.recall("What did she buy?", speaker="Ann")[0].memory.content == "I bought a bike."


def test_where_it_is_in_doubt_few_are_given_and_that_is_told(clock: HandClock, monkeypatch: pytest.MonkeyPatch) -> None:
    with treering.open(":memory:", clock=clock, embedder="none") as mem:
        ids = [mem.add(f"We ate {dish} at home.", at=clock.advance(minutes=1)).memories[0].id for dish in DISHES]
        for number in range(8):
            mem.add(f"Bus {number} is late.", at=clock.advance(minutes=1))
        assert not mem.recall("What did we eat at home?").in_doubt
        monkeypatch.setattr(floor, "USUAL", replace(floor.USUAL, sure=floor.Bar(1_000_000, 0)))
        answer = mem.recall("What did we eat at home?")
        assert answer.in_doubt
        assert len(answer) == 5
        found = {hit.memory.id for hit in answer}
        told = [mem.why_not(answer.query, one).reasons[-1] for one in ids if one not in found]
        assert all("only the first 5 are given: it is in doubt" in one for one in told)


def test_each_embedder_has_the_floor_that_was_fitted_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing reaches the one of the second turnfinder here; what the first has read is told as before."""
    high = floor.Bars(floor=floor.Bar(1_000, 0), sure=floor.Bar(1_000, 0))
    monkeypatch.setattr(floor, "FITTED", {"turnfinder-2": high})
    for embedder, found in (("turnfinder-2", 0), ("turnfinder", 1)):
        with treering.open(":memory:", embedder=embedder, judge="none") as mem:
            mem.add("Peanuts make my throat swell up.", speaker="Sam")
            answer = mem.recall("What makes the throat of Sam swell?")
            assert (len(answer), answer.below_floor) == (found, 1 - found)


DISHES = ("rice", "beans", "fish", "lamb", "soup", "bread", "stew", "pasta")


def test_of_two_old_ones_the_newer_is_still_newer(clock: HandClock) -> None:
    with treering.open(":memory:", clock=clock, embedder="none") as mem:
        for year in (2012, 2020, 2016):
            mem.add(f"The fair of {year} was in town.", at=datetime(year, 1, 1, tzinfo=UTC))
        clock.now = datetime(2026, 1, 1, tzinfo=UTC)
        told = [hit.memory.content for hit in mem.recall("fair in town", recency_bias=1.0)]
        assert told == [f"The fair of {year} was in town." for year in (2020, 2016, 2012)]


def test_what_hardly_has_to_do_with_it_does_not_go_first_for_being_newer(clock: HandClock) -> None:
    with treering.open(":memory:", clock=clock, embedder="none") as mem:
        mem.add("The lead of the harbour project is Ann.")
        clock.advance(days=400)
        for text in ("The lead is away.", *(f"Bus {number} is late." for number in range(10))):
            mem.add(text)
        found = mem.recall("Who is the lead of the harbour project?", recency_bias=1.0)
        assert [hit.memory.content[-5:] for hit in found] == [" Ann.", "away."]


@pytest.mark.parametrize("now", ["", " now", " right now", " at the moment", " these days"])
def test_what_holds_now_is_no_matter_of_when_it_was_said(clock: HandClock, now: str) -> None:
    with treering.open(":memory:", clock=clock, embedder="none") as mem:
        mem.add("The lead of the harbour project is Ann.")
        clock.advance(days=400)
        for text in ("The lead wrote.", *(f"Bus {number} is late." for number in range(10))):
            mem.add(text, at=clock.now)
        found = mem.recall(f"Who is the lead of the harbour project{now}?")
        assert [hit.memory.content[-5:] for hit in found] == [" Ann.", "rote."]


def test_a_second_hit_of_one_source_goes_behind_only_what_has_as_much_to_do_with_it(clock: HandClock) -> None:
    with treering.open(":memory:", clock=clock, embedder="turnfinder", extractor="reader") as mem:
        for said in ("I painted the shed.", "I moved to Porto today.", "I'm tired."):
            mem.remember(said, at=clock.advance(days=2), speaker="User", session=said)
        first, second = mem.recall("Where do I live?", limit=2)
        assert first.memory.source_id == second.memory.source_id


def test_what_it_cost_that_others_went_before_is_told_with_the_modifiers(clock: HandClock) -> None:
    with treering.open(":memory:", clock=clock, embedder="turnfinder") as mem:
        for text in ("I read Emma.", "I read Emma again.", "I read Persuasion.", "I read Ulysses."):
            mem.add(text, speaker="Ann", session="s", at=clock.advance(minutes=1))
        first, *others = mem.recall("Which books did Ann read?", explain=True)
        assert first.explanation is not None
        assert "spread" not in first.explanation.modifiers
        assert all(hit.explanation is not None and hit.explanation.modifiers["spread"] < 0 for hit in others)
        varied = mem.recall("Emma", explain=True, diversify=1.0)
        assert any(hit.explanation is not None and hit.explanation.modifiers.get("likeness", 0) < 0 for hit in varied)


@pytest.fixture
def herons(clock: HandClock) -> Iterator[Treering]:
    """The ten best by ponds, of which some have another turn; then those by rivers, each by itself."""
    said = [
        *((f"pond {number}", f"A heron stood at dusk by pond {number}.") for number in range(10)),
        *((f"pond {number}", f"The reeds were high by pond {number}.") for number in range(5)),
        *((f"river {number}", f"A crane, or it was a heron, flew at dusk over river {number}.") for number in range(5)),
    ]
    with treering.open(":memory:", clock=clock, embedder="none") as mem:
        for session, text in said:
            mem.add(text, session=session, at=clock.advance(minutes=1))
        yield mem


def test_up_to_twenty_stand_in_the_order_of_their_scores(herons: Treering) -> None:
    scores = [hit.score for hit in herons.recall("heron at dusk", limit=20)]
    assert len(scores) == 20
    assert scores == sorted(scores, reverse=True)


def test_of_more_the_turns_beside_the_best_come_before_other_sessions(herons: Treering) -> None:
    found = [hit.memory.content.split()[1] for hit in herons.recall("heron at dusk", limit=21)]
    assert found == ["heron"] * 10 + ["reeds"] * 5 + ["crane,"] * 5


def test_of_the_sessions_that_follow_one_good_turn_goes_before_many_poor_ones(herons: Treering) -> None:
    for number in range(4):
        herons.add(f"There was a heron by road {number}, in no hurry at all and all alone.", session="roads")
    found = [hit.memory.content.split()[-2] for hit in herons.recall("heron at dusk", limit=30)][15:]
    assert found[:6] == ["river"] * 5 + ["all"]


@pytest.mark.parametrize(
    ("signal", "part"), [("semantic", "neighbour"), ("semantic", "session"), ("keyword", "session_words")]
)
def test_in_a_list_company_counts_half(
    clock: HandClock, monkeypatch: pytest.MonkeyPatch, signal: str, part: str
) -> None:
    with treering.open(":memory:", clock=clock, embedder=Hashing()) as mem:
        for text in ("The old boats of Ann are blue.", "They lie in the bay.", "My cat is ill."):
            mem.add(text, session="s", at=clock.advance(minutes=1))

        def worth() -> float:
            told = {hit.memory.content: hit.explanation for hit in mem.recall("list boats of Ann", explain=True)}
            said = told["They lie in the bay."]
            assert said is not None
            return said.signals[signal].parts[part]

        half = worth()
        monkeypatch.setattr(fuse, "LIST_CONTEXT", 1.0)
        assert half > 0
        assert worth() == pytest.approx(2 * half, abs=0.001)
