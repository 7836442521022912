"""Facts that a model has learned to see: what is claimed, of whom, and how surely."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import examples
from tests.ingest.seen import (
    ALWAYS,
    AT,
    NAMED,
    NEVER,
    TEXT,
    Sees,
    claims,
    contents,
    facts,
    found,
    kept,
    read_by,
    read_with,
)

import treering
from treering.ingest.extract import learned_facts
from treering.ingest.extract.contract import Claim, Heard, Stance, Turn
from treering.ingest.extract.learned_facts import MOST, LikelyClaim
from treering.ingest.extract.reader import EMPTY, ReaderExtractor
from treering.mind.judges import open_reader
from treering.mind.reading import FactMood, FoundFact, Place


@pytest.fixture(autouse=True)
def whatever_people_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is worth a fact is tested in `test_sure_facts`."""
    monkeypatch.setattr(learned_facts, "WORTH", 0.0)


# of whom, and what


def test_what_is_said_of_nothing_that_is_named_is_said_of_the_speaker() -> None:
    fact = kept(place=Place.NOWHERE)
    assert facts(read_with(fact)) == [("User", "KEPT_BY", "Ilse")]
    assert facts(read_with(fact, speaker="Ravi")) == [("Ravi", "KEPT_BY", "Ilse")]


@pytest.mark.parametrize(
    "fact",
    [
        kept(mood=FactMood.WISH),
        kept(mood=FactMood.JOKE),
        kept(mood=FactMood.HEARSAY),
        kept(mood=FactMood.HYPOTHETICAL),
        kept(mood=FactMood.QUESTION),
        kept(mood=FactMood.CANCELLED),
        kept(relation="OTHER"),
        kept("Ilse"),
    ],
    ids=["wish", "joke", "hearsay", "supposed", "asked", "called off", "no relation", "of itself"],
)
def test_what_is_not_said_to_be_so_is_no_claim(likely: pytest.MonkeyPatch, fact: FoundFact) -> None:
    assert facts(read_with(fact)) == []


@pytest.mark.parametrize("mood", [FactMood.ENDED, FactMood.PAST, FactMood.DENIED])
def test_what_has_ended_is_claimed_to_have_ended(likely: pytest.MonkeyPatch, mood: FactMood) -> None:
    assert [one.stance for one in claims(read_with(kept(mood=mood)))] == [Stance.ENDS]
    assert [one.stance for one in claims(read_with(kept()))] == [Stance.HOLDS]


def test_what_is_planned_is_claimed_as_intended(likely: pytest.MonkeyPatch) -> None:
    assert facts(read_with(kept(mood=FactMood.PLAN))) == [("ladder", "PLANNED", "Ilse")]


def test_the_speaker_is_a_subject_by_name() -> None:
    assert facts(read_with(kept(None), speaker="Ottokar")) == [("Ottokar", "KEPT_BY", "Ilse")]


@pytest.mark.parametrize(("owner", "subject"), [(None, "User"), ("Teun", "Teun")])
def test_user_is_the_owner_by_name_where_it_is_known(owner: str | None, subject: str) -> None:
    text = "the User left the ladder with Ilse"
    assert facts(read_with(kept("User", text=text), text=text, owner=owner)) == [(subject, "KEPT_BY", "Ilse")]


def test_a_subject_may_stand_in_what_was_said_before() -> None:
    before = "User: the barn is full"
    at = before.index("barn")
    reader = Sees(names=NAMED, facts=[kept(None, place=Place.BEFORE, subject=(at, at + 4))])
    told = read_by(reader, TEXT, before=(Turn(None, "the barn is full", AT),))
    assert reader.before_facts == [before]
    assert facts(told) == [("barn", "KEPT_BY", "Ilse")]


@pytest.mark.parametrize(
    ("text", "before", "alone"),
    [
        ("I live in Oslo", "I like tea.", True),
        ("She lives in Oslo", "Ana called.", False),
        ("I live there too", "Ana is in Oslo.", False),
        ("in Oslo since May", "Ana moved.", False),  # nobody says something of themselves
        ("I live in Oslo", "Where do you live?", False),
        ("sorry, I meant Oslo", "I live in Rome.", False),
    ],
    ids=["for itself", "a pronoun", "a pointer", "of nobody", "an answer", "a correction"],
)
def test_what_speaks_for_itself_is_read_by_itself(text: str, before: str, alone: bool) -> None:
    reader = Sees()
    read_by(reader, text, before=(Turn("Ben", before, AT),))
    assert reader.before_facts == ["" if alone else f"Ben: {before}"]


@pytest.mark.parametrize("pronoun", ["She", "They", "You", "We"])
def test_a_pronoun_is_nobody(pronoun: str) -> None:
    text = f"{pronoun} gave it to Ilse"
    assert facts(read_with(kept(pronoun, text=text), text=text)) == []


def test_who_says_i_is_who_speaks_and_in_another_turn_may_be_anybody() -> None:
    text, before = "I gave it to Ilse", "Ravi: I am late"
    at = before.index("I am")
    said_before = kept(None, text=text, place=Place.BEFORE, subject=(at, at + 1))
    assert facts(read_with(kept("I", text=text), text=text)) == [("User", "KEPT_BY", "Ilse")]
    assert facts(read_with(said_before, text=text, before=(Turn("Ravi", "I am late", AT),))) == []


@pytest.mark.parametrize(
    ("described", "name", "subject"),
    [
        ("nephew Tariq", "Tariq", "Tariq"),
        ("Pedro's wife Anneke", "Anneke", "Anneke"),
        ("nephew Tariq", "Pedro", "Tariq"),  # written large is enough
        ("Cousin Edmund", "Edmund", "Cousin Edmund"),  # he may well be called that
        ("tide gauge", "gauge", "tide gauge"),
    ],
)
def test_who_is_described_and_named_goes_by_the_name(described: str, name: str, subject: str) -> None:
    text = f"Pedro gave {described} a shed by the gauge"
    reader = Sees(names={name: "person"}, facts=[kept(described, text=text, value="shed")])
    assert facts(read_by(reader, text)) == [(subject, "KEPT_BY", "shed")]


@pytest.mark.parametrize("value", ["the", "by the", "to"])
def test_words_that_say_nothing_are_no_value(likely: pytest.MonkeyPatch, value: str) -> None:
    text = "The shed leans to and fro by the gauge"
    assert facts(read_with(kept("shed", text=text, value=value), text=text)) == []
    assert facts(read_with(kept("shed", text=text, value="gauge"), text=text)) == [("shed", "KEPT_BY", "gauge")]


def test_a_sentence_is_no_value(likely: pytest.MonkeyPatch) -> None:
    text = "Ilse says one two three four five six seven eight nine"
    for words, held in ((8, 1), (9, 0)):
        value = " ".join(text.split()[2 : 2 + words])
        assert len(facts(read_with(kept("Ilse", text=text, value=value), text=text))) == held


@pytest.mark.parametrize("sign", ["'", "\u2019"])
def test_a_value_keeps_its_possessive_and_a_subject_drops_it(likely: pytest.MonkeyPatch, sign: str) -> None:
    text = f"Ana{sign}s boy goes to St Brendan{sign}s, the twins{sign} school"
    fact = kept(f"Ana{sign}s", text=text, value=f"St Brendan{sign}s")
    assert facts(read_with(fact, text=text)) == [("Ana", "KEPT_BY", f"St Brendan{sign}s")]
    assert facts(read_with(kept(f"twins{sign}", text=text, value="school"), text=text)) == [
        ("twins", "KEPT_BY", "school")
    ]


def test_articles_and_signs_are_no_part_of_a_thing(likely: pytest.MonkeyPatch) -> None:
    text = "Ilse keeps (the barn), she says"
    assert facts(read_with(kept("Ilse", text=text, value="(the barn)"), text=text)) == [("Ilse", "KEPT_BY", "barn")]


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("We sold the barn in May 2025. The ladder is with Ilse now.", None),
        ("We sold the barn. The ladder went to Ilse in May 2025.", datetime(2025, 5, 1, tzinfo=UTC)),
    ],
)
def test_a_fact_begins_at_a_time_of_its_own_sentence(text: str, since: datetime | None) -> None:
    told = read_with(kept(text=text, mood=FactMood.BECAME), text=text)
    assert [one.valid_from for one in claims(told) if one.object == "Ilse"] == [since]


def test_in_a_long_turn_a_claim_stands_with_the_statement_that_names_its_value() -> None:
    text = "I work at Bolt. " + "The wheel in the back room squeaks, whatever the weather is like outside. " * 3
    told = read_with(found(text, "Bolt", relation="WORKS_FOR"), text=text)
    assert len(told.extracted) == 4
    assert [bool(one.claims) for one in told.extracted] == [True, False, False, False]


# of claims about one thing the likeliest


MAPLE = "I use Maple Studio every day"


@pytest.mark.parametrize(
    ("of_maple", "of_maple_studio", "told"),
    [(ALWAYS, 0.0, "OWNS Maple"), (0.0, ALWAYS, "USES Maple Studio"), (NEVER, 0.0, "USES Maple Studio")],
)
def test_of_claims_about_one_thing_the_likeliest_is_told(of_maple: float, of_maple_studio: float, told: str) -> None:
    both = [found(MAPLE, "Maple", relation="OWNS"), found(MAPLE, "Maple Studio")]
    for some in (both, both[::-1]):
        reader = Sees((), {}, some, {"Maple": of_maple, "Maple Studio": of_maple_studio})
        assert [f"{one.relation} {one.object}" for one in claims(read_by(reader, MAPLE))] == [told]


def test_of_two_subjects_of_a_value_the_likelier_one_is_claimed() -> None:
    likely, doubtful = kept(), kept("Somebody", subject_score=0.5)
    for both in ([likely, doubtful], [doubtful, likely]):
        assert facts(read_with(*both)) == [("ladder", "KEPT_BY", "Ilse")]


@pytest.mark.parametrize(
    ("subject", "value", "one_thing"),
    [
        ("User", "Maple Studio", True),
        ("User", "maple", True),  # the same in fewer words
        ("User", "the Maple Studio", True),
        ("Ilse", "Maple Studio", True),  # of whom it is said is one guess or the other
        ("Ilse", "Maple", False),  # of somebody else, and another thing perhaps
        ("User", "Map", False),  # a part of a word is another
        ("User", "Oak Studio", False),
    ],
)
def test_what_is_about_one_thing(subject: str, value: str, one_thing: bool) -> None:
    def likely(subject: str, relation: str, value: str) -> LikelyClaim:
        return LikelyClaim(Claim(subject=subject, relation=relation, object=value), FactMood.SO, 0.9)

    one, other = likely("User", "USES", "Maple Studio"), likely(subject, "OWNS", value)
    assert one.is_of_the_same_thing(other) == other.is_of_the_same_thing(one) == one_thing


# what is not read, and what is read at all


def test_code_and_documents_are_not_read_for_facts() -> None:
    reader = Sees(names=NAMED, facts=[kept()])
    read_by(reader, "def f():\n    return {'a': 1}\n\nfor x in range(3):\n    print(x)\n" + TEXT)
    read_by(reader, TEXT + "x " * 3000)
    read_by(reader, TEXT, speaker="assistant")
    assert reader.before_facts == []


@settings(max_examples=examples(60), deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    for fact in open_reader().facts(text, "User", text[:40]):
        start, end = fact.value
        assert 0 <= start < end <= len(text)
        assert fact.place is not Place.TURN or 0 <= fact.subject[0] < fact.subject[1] <= len(text)


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I live in Oslo", "User LIVES_IN Oslo holds"),
        ("I no longer work for Bolt", "User WORKS_FOR Bolt ends"),
        ("I'm allergic to walnuts", "User ALLERGIC_TO walnuts holds"),
        ("My sister Ana works at Bolt", "Ana WORKS_FOR Bolt holds"),
        ("redis upgraded to 7.4 in all regions", "redis VERSION 7.4 holds"),
    ],
)
def test_the_model_of_the_package_is_sure_of_a_plain_sentence(text: str, fact: str) -> None:
    [told] = ReaderExtractor(open_reader).extract([Heard(text=text, at=AT)])
    sure = [f"{one.subject} {one.relation} {one.object} {one.stance}" for one in claims(told) if one.confidence > MOST]
    assert fact in sure


# small talk


@pytest.mark.parametrize(("worth", "kept"), [(EMPTY - 0.01, 0), (EMPTY, 1)])
def test_small_talk_makes_no_memory_where_the_model_is_sure(worth: float, kept: int) -> None:
    text = "well, that went by in a flash"
    told = read_by(Sees([(text, {"worth": worth})]), text)
    assert len(told.extracted) == kept
    assert [(one.span, one.why) for one in told.passed_over] == ([] if kept else [((0, 29), "small talk")])


@pytest.mark.parametrize(
    ("text", "value", "more"),
    [
        ("I live in Ghent", "Ghent", {}),
        ("what is a good stew for six?", None, {}),
        ("saw a heron on Friday", None, {}),
        ("well now, that went by in a flash", None, {"speaker": "Ilse"}),
    ],
)
def test_a_fact_a_question_a_time_and_what_others_say_is_no_small_talk(
    text: str, value: str | None, more: dict[str, str]
) -> None:
    some = [found(text, value, relation="LIVES_IN")] if value else []
    assert len(read_by(Sees([(text, {"worth": 0.0})], {}, some), text, **more).extracted) == 1


def test_small_talk_is_told_from_what_is_said_in_passing() -> None:
    with treering.open(":memory:", extractor="reader") as mem:
        assert mem.remember("ha, nicely put, you are on a roll").memories == ()
        assert len(mem.remember("my bike lives in the shed behind the bakery").memories) == 1


# what is asked states nothing


@pytest.mark.parametrize("text", ["do I use Zed?", "I use Zed, no?"])
def test_what_is_asked_is_told_as_a_question_and_never_as_a_fact(likely: pytest.MonkeyPatch, text: str) -> None:
    assert contents(read_with(found(text, "Zed"), text=text)) == [f"User asked: {text}"]
    assert claims(read_with(found(text, "Zed", mood=FactMood.QUESTION), text=text)) == []
