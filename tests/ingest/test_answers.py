"""A few words that answer a question are told with it; what answers none is told, or passed over, by itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from tests.ingest.seen import AT, Sees, claims, contents, found, named, read_by

import treering
from treering.ingest.extract.contract import Extraction, Heard, Stance, Turn
from treering.ingest.extract.importance import MINOR
from treering.ingest.extract.learned_facts import SURE
from treering.ingest.extract.reader import (
    ANSWER_WORDS,
    JUST_BEFORE,
    QUESTION_CHARS,
    WORTH,
    ReaderExtractor,
    question_before,
)
from treering.mind.judges import open_reader
from treering.mind.reading import FactMood

STILL = "Do you still live in Oslo?"
WHERE = "Where do you live?"


def asked(question: str = STILL, by: str | None = "assistant", ago: timedelta = timedelta(minutes=1)) -> Turn:
    return Turn(by, question, AT - ago)


def read(text: str, *before: Turn, speaker: str | None = None) -> Extraction:
    heard = Heard(text=text, at=AT, speaker=speaker, before=before)
    return ReaderExtractor(open_reader).extract([heard])[0]


def scripted(text: str, *before: Turn, **more: object) -> Extraction:
    return read_by(Sees([(text, more)]), text, before=before or (asked(),))


# an answer


@pytest.mark.parametrize("text", ["Yes", "no.", "I do", "not yet"])
def test_a_yes_or_no_is_told_with_its_question(text: str) -> None:
    told = scripted(text)
    assert contents(told) == [f'User, asked "{STILL}": {text}']
    assert [one.span for one in told.extracted] == [(0, len(text))]
    assert (claims(told), told.passed_over) == ([], ())


def test_it_is_told_of_who_answers() -> None:
    told = read_by(Sees(), "Yes", before=(asked(by="Ann"),), speaker="Ben")
    assert contents(told) == [f'Ben, asked "{STILL}": Yes']
    assert named(told.extracted[0]) == {"Ben": "person"}


def test_of_what_was_said_before_it_only_the_question_is_told() -> None:
    assert contents(scripted("Yes", asked(f"Nice. I see. {STILL}"))) == [f'User, asked "{STILL}": Yes']


def test_an_answer_of_several_sentences_is_one_statement() -> None:
    assert contents(scripted("Yes. Since Ilse came.")) == [f'User, asked "{STILL}": Yes. Since Ilse came.']


def test_its_times_and_names_are_read() -> None:
    text = "yes, since 3 May 2025, with Ilse"
    [one] = read_by(Sees([(text, {})], {"Ilse": "person"}), text, before=(asked(),)).extracted
    assert one.event_time == datetime(2025, 5, 3, tzinfo=UTC)
    assert named(one) == {"Ilse": "person"}


def test_who_reads_it_is_told_the_question() -> None:
    reader = Sees()
    read_by(reader, "Yes", before=(asked(),))
    assert reader.before == reader.before_facts == [f"assistant: {STILL}"]


def test_a_fact_that_an_answer_states_is_told_in_its_sentence() -> None:
    sees = Sees(facts=[found("Bergen", "Bergen", relation="LIVES_IN")], beliefs={"Bergen": 3.0})
    told = read_by(sees, "Bergen", before=(asked(WHERE),))
    assert contents(told) == ["User lives in Bergen"]
    assert [one.object for one in claims(told)] == ["Bergen"]


def test_an_answer_is_remembered_with_its_question() -> None:
    turns = [{"role": "assistant", "content": STILL}, {"role": "user", "content": "Nope, sold it"}]
    with treering.open(":memory:", embedder="none", judge="none", extractor="reader") as mem:
        mem.remember(messages=turns, session="s")
        assert f'User, asked "{STILL}": Nope, sold it' in [one.content for one in mem.list()]


# the fact that was asked about


def confirmed(text: str, of: str | None = "you", relation: str = "LIVES_IN", **more: object) -> Extraction:
    fact = found(STILL, "Oslo", None if of is None else "you", relation="LIVES_IN")
    answer = (text, {"relation": relation, "relation_score": SURE, **more})
    reader = Sees([answer], {}, (), {"Oslo": 30.0}, {STILL: [fact]})
    return read_by(reader, text, before=(asked(),))


@pytest.mark.parametrize("of", ["you", None])
@pytest.mark.parametrize(
    ("text", "mood", "stance"),
    [("Yes", FactMood.SO, Stance.HOLDS), ("No", FactMood.DENIED, Stance.ENDS), ("No", FactMood.ENDED, Stance.ENDS)],
)
def test_a_yes_says_that_what_was_asked_is_so_and_a_no_that_it_is_not(
    text: str, mood: FactMood, stance: Stance, of: str | None
) -> None:
    [one] = claims(confirmed(text, of, mood=mood))
    assert (one.subject, one.relation, one.object, one.stance) == ("User", "LIVES_IN", "Oslo", stance)
    assert one.confidence >= SURE


def test_a_yes_that_says_no_more_is_told_as_the_fact_and_all_else_with_its_question() -> None:
    assert contents(confirmed("Yes")) == ["User lives in Oslo"]
    assert contents(confirmed("No", mood=FactMood.DENIED)) == [f'User, asked "{STILL}": No']
    assert contents(confirmed("yes, sadly")) == [f'User, asked "{STILL}": yes, sadly']


@pytest.mark.parametrize(
    "more",
    [{"relation": "WORKS_FOR"}, {"relation_score": SURE - 0.01}, {"mood": FactMood.WISH}, {"mood": FactMood.HEARSAY}],
    ids=["of another relation", "hardly heard", "wished", "hearsay"],
)
def test_what_only_may_be_meant_confirms_nothing(more: dict[str, object]) -> None:
    assert claims(confirmed("Yes", **more)) == []  # type: ignore[arg-type]


def test_what_is_asked_of_somebody_else_is_no_fact_of_who_answers() -> None:
    question = "Does Tom still live in Oslo?"
    fact = found(question, "Oslo", "Tom", relation="LIVES_IN")
    reader = Sees([("Yes", {"relation": "LIVES_IN"})], {}, (), {"Oslo": 30.0}, {question: [fact]})
    assert claims(read_by(reader, "Yes", before=(asked(question),))) == []


@pytest.mark.parametrize(
    ("text", "question", "fact"),
    [
        ("Yes", STILL, "LIVES_IN Oslo holds"),
        ("no.", STILL, "LIVES_IN Oslo ends"),
        ("No", "Do you use Zed?", "USES Zed ends"),
    ],
)
def test_the_model_of_the_package_hears_a_plain_yes_and_no(text: str, question: str, fact: str) -> None:
    [one] = claims(read(text, asked(question)))
    assert f"{one.relation} {one.object} {one.stance}" == fact
    assert one.confidence >= SURE


@pytest.mark.parametrize(
    "question", ["Would you like to live in Oslo?", "Did you ever live in Oslo?", "Did you leave Nokia?"]
)
def test_a_yes_to_what_may_be_or_once_was_does_not_say_that_it_is_so(question: str) -> None:
    told = read("Yes", asked(question))
    assert [one for one in claims(told) if one.stance is Stance.HOLDS and one.confidence >= SURE] == []


# an answer that says nothing


@pytest.mark.parametrize("text", ["Yes please", "yes please!", "Sure", "ok"])
def test_a_nod_to_go_on_makes_nothing(text: str) -> None:
    told = read(text, asked("Shall I go on?"))
    assert told.extracted == ()
    assert [one.span for one in told.passed_over] == [(0, len(text))]


@pytest.mark.parametrize(
    ("text", "worth", "kept"),
    [("yes", WORTH, True), ("yes", WORTH - 0.01, False), ("the blue one", WORTH - 0.01, True)],
)
def test_small_talk_is_an_answer_where_the_model_says_that_it_says_something(
    text: str, worth: float, kept: bool
) -> None:
    told = scripted(text, worth=worth)
    assert contents(told) == ([f'User, asked "{STILL}": {text}'] if kept else [])
    assert [one.why for one in told.passed_over] == ([] if kept else ["acknowledgement"])
    assert all((one.importance == MINOR) == (worth < WORTH) for one in told.extracted)


@pytest.mark.parametrize("text", ["", "   ", "\n", "."])
def test_who_says_nothing_has_not_answered(text: str) -> None:
    told = read(text, asked())
    assert contents(told) == []
    assert [one.span for one in told.passed_over] == ([(0, len(text))] if text else [])


# no answer


@pytest.mark.parametrize(
    ("text", "turn", "answers"),
    [
        ("Yes", asked(ago=JUST_BEFORE), True),
        ("Yes", asked(ago=JUST_BEFORE + timedelta(seconds=1)), False),
        ("Yes", asked(by="Ann"), True),
        ("Yes", asked(by=None), False),
        ("Yes", asked(by="user"), False),  # the owner by another name
        ("Yes", asked("x" * (QUESTION_CHARS - 1) + "?"), True),
        ("Yes", asked("x" * QUESTION_CHARS + "?"), False),
        ("Yes", asked("You live in Oslo."), False),
        ("Yes", asked(f"{STILL} I forgot."), False),
        (" ".join(["so"] * ANSWER_WORDS), asked(), True),
        (" ".join(["so"] * (ANSWER_WORDS + 1)), asked(), False),
        ("Yes, and you?", asked(), False),
    ],
    ids=[
        "in time", "too late", "of somebody else", "of oneself", "of oneself by name", "short enough", "too long",
        "nothing asked", "something said behind it", "a few words", "many words", "asks itself",
    ],
)  # fmt: skip
def test_what_answers_and_what_does_not(text: str, turn: Turn, answers: bool) -> None:
    heard = Heard(text=text, at=AT, before=(turn,))
    assert (question_before(heard) is not None) == answers
    told = scripted(text, turn)
    assert any(", asked " in one for one in contents(told)) == answers


def test_only_what_was_asked_just_before_is_answered() -> None:
    told = scripted("Yes", asked(), Turn("assistant", "Take your time.", AT))
    assert contents(told) == []
    assert [one.why for one in told.passed_over] == ["acknowledgement"]


def test_with_nothing_before_it_a_yes_is_small_talk() -> None:
    told = read("Yes")
    assert contents(told) == []
    assert [one.why for one in told.passed_over] == ["acknowledgement"]


def test_a_person_who_asks_and_answers_by_name_answers_nobody() -> None:
    for speaker, answers in (("Ann", False), ("Ben", True)):
        heard = Heard(text="Yes", at=AT, speaker=speaker, before=(asked(by="Ann"),))
        assert (question_before(heard) is not None) == answers
