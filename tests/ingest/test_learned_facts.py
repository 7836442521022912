"""Facts that a model has learned to see, beside those that rules read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import examples

import treering
from treering.ingest.extract import learned_facts
from treering.ingest.extract.contract import Claim, Extraction, Heard, Stance, Turn
from treering.ingest.extract.hybrid import HybridExtractor
from treering.ingest.extract.learned_facts import BORNE_OUT, LEAST, MOST, WeighedClaim
from treering.ingest.extract.reader import EMPTY
from treering.ingest.extract.rules import RulesExtractor
from treering.ingest.relate.decided import SURE
from treering.mind.judges import open_reader
from treering.mind.reading import AssertedFact, FactMood, FoundFact, Piece, Place, ReadMessage, ReadName

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)
TEXT = "Somebody left the ladder with Ilse"


class Told:
    """A reader that says what it is given."""

    name = "told"

    def __init__(self, facts: Sequence[FoundFact] = (), names: Sequence[ReadName] = (), belief: float = 0.0) -> None:
        self._facts, self._names, self._belief = tuple(facts), tuple(names), belief
        self.before: list[str] = []

    def read(self, text: str, speaker: str, before: str = "") -> ReadMessage:
        return ReadMessage((), self._names)

    def facts(self, text: str, speaker: str, before: str = "") -> tuple[FoundFact, ...]:
        self.before.append(before)
        return self._facts

    def beliefs(self, text: str, speaker: str, before: str, claims: Sequence[AssertedFact]) -> list[float]:
        return [self._belief] * len(claims)


def found(value: str, named: str = "", *, text: str = TEXT, place: Place = Place.TURN, **more: object) -> FoundFact:
    at, of = text.index(value), text.index(named)
    fact = FoundFact(
        value=(at, at + len(value)),
        value_score=0.99,
        relation="KEPT_BY",
        relation_score=0.9,
        mood=FactMood.SO,
        mood_score=0.95,
        place=place,
        subject=(of, of + len(named)),
        subject_score=0.95,
    )
    return replace(fact, **more)  # type: ignore[arg-type]


def piece(span: tuple[int, int]) -> Piece:
    return Piece(span, 0.9, FactMood.SO, 0.9, "OTHER", 0.9, "semantic", 0.9, 0.6)


def read(reader: object, text: str = TEXT, **more: object) -> Extraction:
    heard = Heard(text=text, at=AT, **more)  # type: ignore[arg-type]
    return HybridExtractor(RulesExtractor(), lambda: reader).extract([heard])[0]  # type: ignore[arg-type,return-value]


def claims(told: Extraction) -> list[tuple[str, str, str]]:
    return [(c.subject, c.relation, c.object) for one in told.extracted for c in one.claims]


class Worth(Told):
    """Says of the whole text what it is worth."""

    def __init__(self, worth: float) -> None:
        super().__init__()
        self._worth = worth

    def read(self, text: str, speaker: str, before: str = "") -> ReadMessage:
        return ReadMessage((replace(piece((0, len(text))), worth=self._worth),), ())


NAMED = [ReadName((TEXT.index("Ilse"), TEXT.index("Ilse") + 4), "person")]


def test_what_is_said_of_nothing_that_is_named_is_said_of_the_speaker() -> None:
    fact = found("Ilse", "ladder", place=Place.NOWHERE, relation="USES", relation_score=0.99)
    assert claims(read(Told([fact], NAMED))) == [("User", "USES", "Ilse")]
    assert claims(read(Told([fact], NAMED), speaker="Ravi")) == [("Ravi", "USES", "Ilse")]


def test_what_the_words_bear_out_is_likelier_than_what_they_do_not() -> None:
    told = [read(Told([found("Ilse", "ladder")], NAMED, belief)) for belief in (0.0, 2.0)]
    doubtful, sure = (claim.confidence for each in told for one in each.extracted for claim in one.claims)
    assert sure > doubtful + 0.02
    assert claims(read(Told([found("Ilse", "ladder")], NAMED, -3.0))) == []


def test_a_learned_fact_is_added_and_ends_nothing() -> None:
    told = read(Told([found("Ilse", "ladder")], NAMED))
    assert claims(told) == [("ladder", "KEPT_BY", "Ilse")]
    [claim] = [claim for one in told.extracted for claim in one.claims]
    assert MOST * LEAST <= claim.confidence <= MOST < SURE
    assert told.extractor == "hybrid"


@pytest.mark.parametrize(
    "fact",
    [
        found("Ilse", "ladder", mood=FactMood.WISH),
        found("Ilse", "ladder", mood=FactMood.JOKE),
        found("Ilse", "ladder", mood=FactMood.HEARSAY),
        found("Ilse", "ladder", relation="OTHER"),
        found("Ilse", "Ilse"),
    ],
    ids=["wish", "joke", "hearsay", "no relation", "of itself"],
)
def test_what_is_not_said_to_be_so_is_no_claim(fact: FoundFact) -> None:
    assert claims(read(Told([fact], NAMED))) == []


def test_what_has_ended_is_claimed_to_have_ended() -> None:
    told = read(Told([found("Ilse", "ladder", mood=FactMood.ENDED)], NAMED))
    assert [claim.stance for one in told.extracted for claim in one.claims] == [Stance.ENDS]


def test_the_speaker_is_a_subject_by_name() -> None:
    told = read(Told([found("Ilse", place=Place.SPEAKER)], NAMED), speaker="Ottokar")
    assert claims(told) == [("Ottokar", "KEPT_BY", "Ilse")]


def test_a_subject_may_stand_in_what_was_said_before() -> None:
    before = "User: the barn is full"
    at = before.index("barn")
    reader = Told([found("Ilse", place=Place.BEFORE, subject=(at, at + 4))], NAMED)
    told = read(reader, before=(Turn(None, "the barn is full", AT),))
    assert reader.before == [before]
    assert claims(told) == [("barn", "KEPT_BY", "Ilse")]


def test_a_pronoun_is_nobody() -> None:
    text = "She hands it to Ilse"
    told = read(Told([found("Ilse", "She", text=text)]), text)
    assert claims(told) == []


@pytest.mark.parametrize(
    ("described", "name", "subject"),
    [
        ("nephew Tariq", "Tariq", "Tariq"),
        ("Pedro's wife Anneke", "Anneke", "Anneke"),
        ("nephew Tariq", "Pedro", "nephew Tariq"),  # not known to be a name
        ("Cousin Edmund", "Edmund", "Cousin Edmund"),  # he may well be called that
        ("tide gauge", "gauge", "tide gauge"),
    ],
)
def test_who_is_described_and_named_goes_by_the_name(described: str, name: str, subject: str) -> None:
    text = f"Pedro gave {described} a shed by the gauge"
    named = [ReadName((text.index(name), text.index(name) + len(name)), "person")]
    told = read(Told([found("shed", described, text=text)], named), text)
    assert [one for one in claims(told) if one[1] == "KEPT_BY"] == [(subject, "KEPT_BY", "shed")]


@pytest.mark.parametrize("value", ["the", "by the", "to"])
def test_words_that_say_nothing_are_no_value(value: str) -> None:
    text = "The shed leans to and fro by the gauge"
    rules = claims(RulesExtractor().extract([Heard(text=text, at=AT)])[0])
    assert claims(read(Told([found(value, "shed", text=text)]), text)) == rules
    assert claims(read(Told([found("gauge", "shed", text=text)]), text)) != rules


def test_what_rules_claim_goes_before() -> None:
    text = "I live in Oslo and Ilse knows it"
    plain = claims(RulesExtractor().extract([Heard(text=text, at=AT)])[0])
    assert ("User", "LIVES_IN", "Oslo") in plain
    other = found("Ilse", place=Place.SPEAKER, relation="LIVES_IN", text=text)
    assert claims(read(Told([other], NAMED), text)) == plain


MAPLE = "I use Maple Studio every day"


@pytest.mark.parametrize(
    ("believed", "of_rules", "relation", "told", "sure"),
    [
        (9.0, 0.0, "USES", "USES Maple", True),  # both say so: as sure as rules are, by the likelier one's words
        (9.0, 0.0, "OWNS", "USES Maple Studio", True),  # it says otherwise, and yet bears out what rules say
        (9.0, -3.0, "OWNS", "OWNS Maple", False),  # it does not
        (-9.0, 0.0, "OWNS", "USES Maple Studio", True),
    ],
)
def test_of_claims_about_one_thing_the_likeliest_is_told(
    believed: float, of_rules: float, relation: str, told: str, sure: bool
) -> None:
    assert claims(RulesExtractor().extract([Heard(text=MAPLE, at=AT)])[0]) == [("User", "USES", "Maple Studio")]

    class Believes(Told):
        def beliefs(self, text: str, speaker: str, before: str, claims: Sequence[AssertedFact]) -> list[float]:
            return [believed if one.value == "Maple" else of_rules for one in claims]

    fact = found("Maple", "I", text=MAPLE, place=Place.SPEAKER, relation=relation, relation_score=0.99)
    (claim,) = (claim for one in read(Believes([fact]), MAPLE).extracted for claim in one.claims)
    assert f"{claim.relation} {claim.object}" == told
    assert (claim.confidence >= SURE) == sure


def test_code_and_documents_are_not_read_for_facts() -> None:
    reader = Told([found("Ilse", "ladder")], NAMED)
    read(reader, "def f():\n    return {'a': 1}\n\nfor x in range(3):\n    print(x)\n" + TEXT)
    read(reader, TEXT + "x " * 3000)
    read(reader, TEXT, speaker="assistant")
    assert reader.before == []


@pytest.mark.parametrize(("most", "clashes"), [(0.59, 1), (MOST, 0)])
def test_a_doubtful_fact_ends_nothing_and_clashes_only_where_it_is_likely(
    monkeypatch: pytest.MonkeyPatch, most: float, clashes: int
) -> None:
    monkeypatch.setattr(learned_facts, "MOST", most)
    with treering.open(":memory:", embedder="none", extractor="hybrid") as mem:
        mem.remember("I work for Brightwater.", at=AT)
        mem.remember("first week at Corvane done! badge photo is awful", at=AT.replace(month=6))
        held = {one.object: one for one in mem.facts(subject="User") if one.relation == "WORKS_FOR"}
        assert set(held) == {"Brightwater", "Corvane"}
        assert most * LEAST <= held["Corvane"].confidence < most
        assert len(mem.contradictions()) == clashes


@settings(max_examples=examples(60), deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    for fact in open_reader().facts(text, "User", text[:40]):
        start, end = fact.value
        assert 0 <= start < end <= len(text)
        assert fact.place is not Place.TURN or 0 <= fact.subject[0] < fact.subject[1] <= len(text)


def test_the_model_finds_facts_that_rules_do_not_know() -> None:
    texts = (
        "mum's carer is Philomena, mornings only",
        "redis upgraded to 7.4 in all regions",
        "Orsolya keeps the books",
    )
    with_model = HybridExtractor(RulesExtractor(), open_reader)
    heard = [Heard(text=text, at=AT) for text in texts]
    more = [len(claims(one)) for one in with_model.extract(heard)]
    less = [len(claims(one)) for one in RulesExtractor().extract(heard)]
    assert sum(more) > sum(less)


def test_of_two_subjects_of_a_value_the_likelier_one_is_claimed() -> None:
    likely, doubtful = found("Ilse", "ladder"), found("Ilse", "Somebody", subject_score=0.5)
    for both in ([likely, doubtful], [doubtful, likely]):
        assert claims(read(Told(both, NAMED))) == [("ladder", "KEPT_BY", "Ilse")]


def test_a_value_that_rules_claim_has_no_other_subject() -> None:
    text = "My sister Ana works at Bolt"
    plain = claims(RulesExtractor().extract([Heard(text=text, at=AT)])[0])
    assert ("Ana", "WORKS_FOR", "Bolt") in plain
    other = found("Bolt", text=text, place=Place.SPEAKER, relation="PURCHASED")
    at = text.index("Bolt")
    assert claims(read(Told([other], [ReadName((at, at + 4), "organization")]), text)) == plain


def sure_of(told: Extraction) -> dict[str, float]:
    return {claim.object: claim.confidence for one in told.extracted for claim in one.claims}


def test_what_rules_claim_is_a_guess_unless_the_model_bears_it_out(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "My sister Ana works at Bolt"
    fact = found("Bolt", "Ana", text=text, relation="WORKS_FOR")
    value = replace(fact, relation="VISITED")
    assert sure_of(read(Told([fact]), text))["Bolt"] >= SURE
    assert sure_of(read(Told(belief=-2.0), text))["Bolt"] <= MOST * BORNE_OUT
    monkeypatch.setattr(learned_facts, "BORNE_OUT", 1.0)
    seen = (Told(belief=-1.0), Told(), Told([value]), Told([fact]), Told([fact], belief=1.0))
    likely = [sure_of(read(one, text))["Bolt"] for one in seen]
    assert likely == sorted(set(likely))
    assert likely[-1] <= MOST


def test_a_state_that_is_only_worked_out_is_told_where_the_model_sees_it_too() -> None:
    text = "I joined Bolt"
    seen = found("Bolt", place=Place.SPEAKER, text=text, relation="WORKS_FOR")
    both = ["User joined Bolt", "User works at Bolt"]
    assert [one.content for one in read(Told([seen]), text).extracted] == both
    told = read(Told(belief=-2.0), text)
    assert [one.content for one in told.extracted] == both[:1]
    assert sure_of(told)["Bolt"] <= MOST


def test_an_end_that_rules_read_stands_whoever_sees_it() -> None:
    told = read(Told(), "I no longer work for Bolt")
    ends = [claim for one in told.extracted for claim in one.claims if claim.stance is Stance.ENDS]
    assert ends
    assert all(claim.confidence >= SURE for claim in ends)


@pytest.mark.parametrize(("worth", "kept"), [(EMPTY - 0.01, 0), (EMPTY, 1)])
def test_small_talk_makes_no_memory_where_the_model_is_sure(worth: float, kept: int) -> None:
    told = read(Worth(worth), "well, that went by in a flash")
    assert len(told.extracted) == kept
    assert [(one.span, one.why) for one in told.passed_over] == ([] if kept else [((0, 29), "small talk")])


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("I live in Ghent", {}),
        ("what is a good stew for six?", {}),
        ("saw a heron on Friday", {}),
        ("well now, that went by in a flash", {"speaker": "Ilse"}),
    ],
)
def test_a_fact_a_question_a_time_and_what_others_say_is_no_small_talk(text: str, more: dict[str, str]) -> None:
    assert len(read(Worth(0.0), text, **more).extracted) == 1


def test_small_talk_is_told_from_what_is_said_in_passing() -> None:
    with treering.open(":memory:", extractor="hybrid") as mem:
        assert mem.remember("ha, nicely put, you are on a roll").memories == ()
        assert len(mem.remember("my bike lives in the shed behind the bakery").memories) == 1


@pytest.mark.parametrize(
    ("claimed", "by_rules", "stays"),
    [
        (("User", "OWNS", "Maple"), False, False),  # the same in fewer words
        (("Ilse", "OWNS", "Maple"), False, True),  # of somebody else, and another thing perhaps
        (("Ilse", "OWNS", "Maple Studio"), False, False),  # of whom it is said is one guess or the other
        (("Ilse", "OWNS", "Maple Studio"), True, True),  # rules know of whom they speak
        (("User", "OWNS", "Maple"), True, False),
        (("User", "OWNS", "Map"), True, True),  # a part of a word is another
    ],
)
def test_what_gives_way_is_about_the_same_thing(claimed: tuple[str, str, str], by_rules: bool, stays: bool) -> None:
    def weighed(subject: str, relation: str, value: str, likely: float, by_rules: bool) -> WeighedClaim:
        return WeighedClaim(Claim(subject=subject, relation=relation, object=value), 0, likely, by_rules)

    likelier = weighed("User", "USES", "Maple Studio", 0.9, by_rules=False)
    one = weighed(*claimed, 0.6, by_rules)
    assert one.gives_way_to(likelier) != stays
    assert not weighed(*claimed, 0.6, by_rules=True).gives_way_to(weighed(*claimed, 0.9, by_rules=True))


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("We sold the barn in May 2025. The ladder is with Ilse now.", None),
        ("We sold the barn. The ladder went to Ilse in May 2025.", datetime(2025, 5, 1, tzinfo=UTC)),
    ],
)
def test_a_fact_begins_at_a_time_of_its_own_sentence(text: str, since: datetime | None) -> None:
    fact = found("Ilse", "ladder", text=text, mood=FactMood.BECAME)
    at = text.index("Ilse")
    told = read(Told([fact], [ReadName((at, at + 4), "person")]), text)
    assert [one.valid_from for each in told.extracted for one in each.claims if one.object == "Ilse"] == [since]
