"""The reader and judge that come with the package: what their verdicts promise, whatever they were asked before."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import examples

from treering.errors import Corrupted, InvalidRequest
from treering.mind.batches import default_lanes
from treering.mind.judges import open_judge
from treering.mind.judging import AnswerRole, Asking, FoundStatement, Pair, Verdict
from treering.mind.turnreader import DIGESTS, LONGEST_CODED, MODEL, TurnReader
from treering.relations import table


@pytest.fixture(scope="module")
def reader() -> TurnReader:
    return TurnReader(lanes=2)


def verdict(reader: TurnReader, older: str, newer: str) -> Verdict:
    return reader.judge([Pair(f"User: {older}", f"User: {newer}")])[0].verdict


@pytest.mark.parametrize("value", ["penicillin", "walnuts", "latex", "cats"])
def test_an_opposite_is_no_repetition(reader: TurnReader, value: str) -> None:
    so, not_so = f"I am allergic to {value}.", f"I am not allergic to {value}."
    over = (Verdict.REPLACES, Verdict.ENDS)
    assert verdict(reader, so, not_so) in over
    assert verdict(reader, not_so, so) in over
    assert verdict(reader, so, so) is Verdict.SAME


@pytest.mark.parametrize("name", ["staging", "build", "mail", "backup"])
def test_a_state_gives_way_to_the_other_and_back_again(reader: TurnReader, name: str) -> None:
    up, down = f"The {name} server is up.", f"The {name} server is down."
    over = (Verdict.REPLACES, Verdict.ENDS)
    assert verdict(reader, up, down) in over
    assert verdict(reader, down, up) in over


def test_what_is_said_of_somebody_else_leaves_it_standing(reader: TurnReader) -> None:
    assert verdict(reader, "My sister lives in Oslo", "I moved to Bergen") is Verdict.NONE


def said(*texts: str) -> list[FoundStatement]:
    return [FoundStatement(text) for text in texts]


def test_a_statement_that_answers_is_told_from_one_that_does_not(reader: TurnReader) -> None:
    told = reader.roles("Where do I live?", said("User: I live in Bergen", "User: The milk is in the fridge"))
    assert told[0].of(AnswerRole.NOW, AnswerRole.OVER) > 0.5 > told[1].of(AnswerRole.NOW, AnswerRole.OVER)


def test_what_a_later_statement_outdates_is_told_from_what_stands(reader: TurnReader) -> None:
    told = reader.roles("Where do I live?", said("User: I live in Bergen", "User: Moved to Oslo last week"))
    assert [one.role for one in told] == [AnswerRole.OVER, AnswerRole.NOW]
    assert reader.roles("Where do I live?", []) == []


def test_of_a_turn_the_stretch_that_answers_is_told_from_the_others(reader: TurnReader) -> None:
    text = "User: The kids had a fever all night. I live in Bergen these days."
    cut = text.index("I live")
    told = reader.roles("Where do I live?", [FoundStatement(text, ((6, cut), (cut, len(text)), (900, 950)))])[
        0
    ].stretches
    assert told[1] > told[0]
    assert told[2] == 0


@pytest.mark.parametrize(
    ("question", "asks"),
    [("Where do I live?", Asking.NOW), ("Where did I work before?", Asking.PAST), ("When did I move?", Asking.WHEN)],
)
def test_a_question_is_about_now_then_or_when(reader: TurnReader, question: str, asks: Asking) -> None:
    assert reader.asking(question) is asks


def test_a_verdict_does_not_depend_on_what_was_judged_beside_it(reader: TurnReader) -> None:
    pairs = [Pair(f"User: I live in {a}", f"User: I moved to {b}") for a in ("Oslo", "Rome") for b in ("Bonn", "Lima")]
    together = reader.judge(pairs)
    alone = TurnReader(lanes=1)
    assert together == [alone.judge([pair])[0] for pair in pairs]


@settings(max_examples=examples(30), deadline=None)
@given(st.text(max_size=400), st.text(max_size=400))
def test_any_text_is_judged_and_read(reader: TurnReader, one: str, other: str) -> None:
    judged = reader.judge([Pair(one, other, other, one)])[0]
    assert 0 <= judged.score <= 1
    assert abs(sum(score for _, score in judged.scores) - 1) < 0.01
    assert len(reader.roles(one, said(other, one, ""))) == 3
    for piece in reader.read(one, "User", other).pieces:
        assert 0 <= piece.span[0] <= piece.span[1] <= len(one)


def test_the_pieces_of_a_message_hold_all_of_it(reader: TurnReader) -> None:
    text = "Moved the api to port 8081. Deploy with `make ship`, and please never run migrations on prod! " * 9
    covered = {place for piece in reader.read(text, "User").pieces for place in range(*piece.span)}
    assert [text[place] for place in range(len(text)) if place not in covered and text[place].isalnum()] == []


def test_weights_that_are_not_ours_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DIGESTS, MODEL, "0" * 64)
    with pytest.raises(Corrupted):
        TurnReader().asking("Where do I live?")


def test_a_judge_nobody_knows_is_refused_by_name() -> None:
    with pytest.raises(InvalidRequest, match="TREERING_JUDGE"):
        open_judge("solomon")


def test_no_more_is_read_at_once_than_there_are_cores(reader: TurnReader, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the runtime needed for the most that ever ran side by side it keeps for good."""
    session = reader._model.get()._upper
    run, lock, running, most = session._session.run, threading.Lock(), [0], [0]

    def counted(*given: object) -> object:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        try:
            return run(*given)
        finally:
            with lock:
                running[0] -= 1

    monkeypatch.setattr(session._session, "run", counted)
    with ThreadPoolExecutor(12) as several:
        asked = list(several.map(reader._asking_of, [f"Where does Ann live {number}?" for number in range(60)]))
    assert len(asked) == 60
    assert 1 <= most[0] <= default_lanes()


def test_relations_have_the_names_by_which_they_were_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that is new in the table has no number of its own in the model."""
    reader = TurnReader(lanes=1)
    heads, said = reader._model.get().heads, "Maria supervises Tom at the Bergen office"
    plain = [one.relation for one in reader.read(said, "User").pieces]
    assert len(heads["relations"]) == len(heads["relation.weight"])
    assert {str(one) for one in heads["relations"]} <= {*table(), "OTHER"}
    monkeypatch.setitem(heads, "relations", np.char.add("ONCE_", heads["relations"]))
    assert [one.relation for one in reader.read(said, "User").pieces] == [f"ONCE_{one}" for one in plain]


def test_a_text_that_was_coded_before_has_the_same_word_pieces(reader: TurnReader) -> None:
    loaded = reader._model.get()
    texts = ["User: I live in Bergen.", "", "User: Zürich isn't far", "User: I live in Bergen."]
    for text in texts * 2:
        assert loaded.coded(text) == loaded._coded_text(text)


def test_what_is_read_does_not_hang_on_what_was_coded_before() -> None:
    told = [("I moved to Oslo.", ""), ("I moved to Oslo.", "Ana: Where to?"), ("Where to?", "User: I moved to Oslo.")]
    anew = [TurnReader(lanes=1).facts(text, "User", before) for text, before in told]
    reader = TurnReader(lanes=1)
    for _ in range(2):
        assert [reader.facts(text, "User", before) for text, before in told] == anew


def test_word_pieces_of_a_long_text_do_not_stay_in_memory(reader: TurnReader) -> None:
    loaded = reader._model.get()
    before = loaded._coded_lately.cache_info().currsize
    loaded.coded("word " * LONGEST_CODED)
    assert loaded._coded_lately.cache_info().currsize == before


def test_how_a_word_is_written_reaches_what_facts_are_read_from(reader: TurnReader) -> None:
    """The word pieces are the same."""
    [(_, small)], [(_, large)] = (list(reader.states(text, "User")) for text in ("we like boulder", "we like Boulder"))
    assert small.shape == large.shape
    assert not np.allclose(small, large, atol=0.01)
