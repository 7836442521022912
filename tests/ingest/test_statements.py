"""Where one statement ends and the next begins, as the model sees it and as words join."""

from __future__ import annotations

import pytest
from tests.ingest.seen import Sees, clauses, contents, found, read_by, seen, wholes

from treering.ingest.extract import learned_facts
from treering.ingest.extract.facts_told import CERTAIN
from treering.ingest.extract.learned_facts import SURE
from treering.mind.reading import FactMood, FoundFact
from treering.model.memory import Kind

KILN = "The kiln stands in Marrow Lane. Odile services it twice a year."
LATER = " The wheel squeaks all day, whatever Ravi does about it." * 3


def test_what_is_said_in_a_short_turn_stays_together() -> None:
    [whole] = wholes(seen(KILN, [(KILN[:31], {}), (KILN[32:], {})]))
    assert whole.content == f"User: {KILN}"


def kiln(relation: str, value: str) -> FoundFact:
    return found(KILN, value, "kiln", relation=relation)


@pytest.mark.parametrize(
    ("some", "likely", "apart"),
    [
        ([kiln("STORED_AT", "Marrow Lane"), kiln("OWNED_BY", "Odile")], 0.9, True),
        ([kiln("STORED_AT", "Marrow Lane"), kiln("OWNED_BY", "Odile")], SURE, True),
        ([kiln("STORED_AT", "Marrow Lane"), kiln("OWNED_BY", "Odile")], SURE - 0.01, False),
        ([kiln("STORED_AT", "Marrow Lane")], 0.9, False),
    ],
    ids=["surer", "sure", "guesses", "one"],
)
def test_sentences_that_each_state_a_fact_stand_apart(
    monkeypatch: pytest.MonkeyPatch, some: list[FoundFact], likely: float, apart: bool
) -> None:
    monkeypatch.setattr(learned_facts, "_likely", lambda *_: likely)
    told = [one.content for one in wholes(read_by(Sees(names={"Odile": "person"}, facts=some), KILN))]
    assert told == ([f"User: {KILN[:31]}", f"User: {KILN[32:]}"] if apart else [f"User: {KILN}"])


def test_two_facts_of_one_sentence_stay_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned_facts, "_likely", lambda *_: CERTAIN - 0.01)
    text = "my office is in Marrow Lane and I share it with Ravi"
    some = [found(text, value, relation="LOCATED_IN") for value in ("Marrow Lane", "Ravi")]
    reader = Sees([(text[:27], {}), (text[28:], {})], {"Ravi": "person"}, some)
    [whole] = wholes(read_by(reader, text))
    assert whole.content == f"User: {text}"
    assert len(whole.claims) == 2


OFFICE = "my office is in Marrow Lane and I share it with Ravi"
PIECES = [(OFFICE[:27], {}), (OFFICE[28:], {})]


def test_each_clause_of_a_statement_is_told_by_itself_too() -> None:
    told = seen(OFFICE, PIECES)
    assert contents(told)[0] == f"User: {OFFICE}"
    assert clauses(told) == ["User: my office is in Marrow Lane", "User: I share it with Ravi"]
    assert [OFFICE[slice(*one.span)] for one in told.extracted[1:]] == ["my office is in Marrow Lane", OFFICE[32:]]
    assert not any(one.claims for one in told.extracted[1:])  # what it states, the statement does


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("my office is in Marrow Lane because Ravi has the key to it", []),
        ("my office is in Marrow Lane and Ravi too", []),
        ("my office is in Marrow Lane and Ravi has it, but", ["my office is in Marrow Lane", "Ravi has it"]),
        ("my office is in Marrow Lane. And where is yours, Ravi?", ["my office is in Marrow Lane."]),
    ],
    ids=["leans", "few words", "joins at its end", "asks"],
)
def test_a_clause_says_something_without_the_others(text: str, apart: list[str]) -> None:
    assert clauses(seen(text, [(text[:27], {}), (text[28:], {})])) == [f"User: {one}" for one in apart]


@pytest.mark.parametrize("mood", [FactMood.HEARSAY, FactMood.JOKE, FactMood.HYPOTHETICAL])
def test_what_is_doubtful_is_not_told_twice(mood: FactMood) -> None:
    assert clauses(seen(OFFICE, [PIECES[0], (OFFICE[28:], {"mood": mood})])) == ["User: my office is in Marrow Lane"]
    assert clauses(seen(OFFICE, [(words, {"mood": mood}) for words, _ in PIECES])) == []


def test_what_says_little_is_not_told_twice() -> None:
    assert clauses(seen(OFFICE, [PIECES[0], (OFFICE[28:], {"worth": 0.4})])) == ["User: my office is in Marrow Lane"]


def test_talk_among_others_and_answers_have_no_clauses_told_apart() -> None:
    assert clauses(seen(OFFICE, PIECES, speaker="Zoe", beside=frozenset(("Ben",)))) == []
    assert clauses(seen("in Oslo, and Ravi in Rome", before=("Where do you two live?",))) == []


def test_a_clause_that_is_told_in_the_words_of_its_fact_is_not_told_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned_facts, "_likely", lambda *_: CERTAIN)
    some = [found(OFFICE, "Marrow Lane", relation="LIVES_IN"), found(OFFICE, "Ravi", relation="KNOWS")]
    told = read_by(Sees(PIECES, {"Ravi": "person"}, some), OFFICE)
    assert clauses(told) == []
    assert len(told.extracted) == 3


def test_what_is_certain_in_a_statement_of_several_facts_is_told_by_itself_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where only one is, it stays in the statement; and so do all in talk of people among themselves."""
    text = "I work at Stripe on payments and use Neovim for it all"
    monkeypatch.setattr(learned_facts, "likely_right", lambda loud: CERTAIN - 0.01 * (loud["value"] < 3))
    monkeypatch.setattr(learned_facts, "likely_listed", lambda _: 1.0)

    def told(neovim: float, **more: object) -> list[tuple[str, int]]:
        """Each memory with how many facts it states."""
        some = [found(text, "Stripe", relation="WORKS_FOR"), found(text, "Neovim", value_score=neovim)]
        read = read_by(Sees([(text, {})], facts=some), text, **more)
        return [(one.content, len(one.claims)) for one in read.extracted]

    assert told(0.99) == [(f"User: {text}", 0), ("User works at Stripe", 1), ("User uses Neovim", 1)]
    assert told(0.8) == [(f"User: {text}", 2)]
    some = [found(text, "Stripe", relation="WORKS_FOR"), found(text, "Neovim")]
    read = read_by(Sees([(text[:28], {}), (text[29:], {})], facts=some), text)
    assert [text[slice(*one.span)] for one in read.extracted] == [text, text[:28], text[29:]]  # each rests on its words
    assert told(0.99, speaker="Zoe", beside=frozenset(("Ben",))) == [(f"Zoe: {text}", 2)]


def test_what_is_told_by_itself_is_of_the_kind_of_its_relation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned_facts, "likely_right", lambda _: CERTAIN)
    monkeypatch.setattr(learned_facts, "likely_listed", lambda _: 1.0)
    text = "I use Neovim, love tea, saw Rome and plan a trip to Oslo"
    of = {"Neovim": "USES", "tea": "LIKES", "Rome": "VISITED", "trip to Oslo": "PLANNED"}
    some = [found(text, value, relation=relation) for value, relation in of.items()]
    read = read_by(Sees([(text, {})], facts=some), text)
    kinds = {one.claims[0].object: one.kind for one in read.extracted if one.claims}
    assert kinds == {
        "Neovim": Kind.SEMANTIC, "tea": Kind.VIEWPOINT, "Rome": Kind.EPISODE, "trip to Oslo": Kind.EPISODE,
    }  # fmt: skip


def test_a_clause_of_a_long_turn_is_cut_off_where_the_model_sees_it_begin_and_words_join() -> None:
    text = "my office is on the fourth floor now and I share it with Ravi." + LATER
    cut, end = text.index("and I"), text.index(LATER)
    assert contents(seen(text, [(text[:cut], {}), (text[cut:end], {})]))[:2] == [
        "User: my office is on the fourth floor now",
        "User: and I share it with Ravi.",
    ]


def test_nothing_is_cut_between_words_that_do_not_join() -> None:
    text = "my office is on the fourth floor beside the lift shaft of Ravi." + LATER
    cut, end = text.index("beside"), text.index(LATER)
    assert contents(seen(text, [(text[:cut], {}), (text[cut:end], {})]))[0] == f"User: {text[:end]}"


def test_lines_and_what_is_said_in_a_long_turn_are_statements_each() -> None:
    lines = "kiln: Odile services it on Saturdays\nwheel: squeaks again since Ravi left"
    assert len(contents(seen(lines))) == 2
    long = "The kiln was serviced by Odile. The wheel squeaks all day. " * 4
    assert len(contents(seen(long))) == 8


def test_a_few_words_that_name_nobody_stay_with_what_they_follow() -> None:
    text = "The wheel in the back room squeaks again. Loud as anything."
    assert contents(seen(text)) == [f"User: {text}"]
    lines = "The wheel in the back room squeaks again\nso loud now\nRavi oils it"
    assert len(contents(seen(lines, names={"Ravi": "person"}))) == 2


def test_small_talk_between_statements_is_passed_over_by_name() -> None:
    text = "Hello! The wheel in the back room squeaks. Thanks a lot!"
    told = seen(text)
    assert contents(told) == ["User: The wheel in the back room squeaks."]
    assert [text[slice(*one.span)].strip() for one in told.passed_over] == ["Hello!", "Thanks a lot!"]
    assert all(one.why for one in told.passed_over)
