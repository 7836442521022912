"""Rules and a model read together: who is sure of what tells it."""

from __future__ import annotations

import pytest
from tests.ingest.seen import AT, Sees, contents, named, seen

import treering
from treering.ingest.extract.contract import Cue, Heard
from treering.ingest.extract.hybrid import Joined
from treering.ingest.extract.reader import SeenTurn
from treering.ingest.extract.rules import RulesExtractor
from treering.ingest.extract.statements import LONG
from treering.model.memory import Kind

PADDED = "I work at Bolt. " + "The wheel in the back room squeaks, whatever the weather is like outside. " * 3


def test_a_plain_sentence_is_told_in_the_words_of_rules() -> None:
    told = seen("I work at Bolt", beside_rules=True)
    assert contents(told) == ["User works at Bolt"]
    assert told.extractor == "hybrid"


def test_what_rules_know_nothing_of_is_told_as_it_was_said() -> None:
    assert contents(seen("somebody left the ladder with Ilse", beside_rules=True)) == [
        "User: somebody left the ladder with Ilse"
    ]


def test_in_a_long_turn_a_claim_of_rules_stands_with_the_statement_that_names_its_value() -> None:
    assert len(PADDED) > LONG
    told = seen(PADDED, beside_rules=True).extracted
    assert told[0].content == "User: I work at Bolt."
    claims = [[(claim.relation, claim.object) for claim in one.claims] for one in told]
    assert claims[0] == [("WORKS_FOR", "Bolt")]
    assert not any(claims[1:])


def test_a_state_that_rules_tell_by_itself_stands_behind_the_change_that_led_to_it() -> None:
    heard = Heard(text=PADDED.replace("I work at", "I joined"), at=AT)
    [ruled] = RulesExtractor().extract([heard])
    told = Joined(SeenTurn.of(heard, Sees([(heard.text, {})], {})), ruled.extracted).statements()
    first, second = told[0], told[1]
    assert (first.content, second.content) == ("User: I joined Bolt.", "User works at Bolt")
    assert second.kind is Kind.SEMANTIC
    assert first.span == second.span


def test_a_correction_that_rules_hear_is_heard_of_the_statement() -> None:
    told = seen("wait, no, the wheel in the far room squeaks", beside_rules=True).extracted
    assert [one.cue for one in told] == [Cue.CORRECTION]


MISSED = "We rehearse in hall Vesper, whoever comes."


def test_a_name_that_rules_miss_is_kept_with_its_kind() -> None:
    assert not any(named(one) for one in seen(MISSED, beside_rules=True).extracted)
    for kind, told in (("place", "place"), ("product", "object")):
        [one] = seen(MISSED, beside_rules=True, names={"Vesper": kind}).extracted
        assert named(one) == {"Vesper": told}


def test_what_is_written_small_or_part_of_a_known_name_is_no_further_name() -> None:
    [one] = seen(
        "our choir sings in the old hall with a theremin", beside_rules=True, names={"theremin": "product"}
    ).extracted
    assert "theremin" not in named(one)
    [one] = seen("Mireya Zelkova sings in Oslo", beside_rules=True, names={"Zelkova": "organization"}).extracted
    assert set(named(one)) == {"Mireya Zelkova", "Oslo"}


@pytest.mark.parametrize("beside_rules", [True, False])
def test_each_statement_has_the_names_in_its_own_words(beside_rules: bool) -> None:
    text = "We rehearse in hall Vesper on most days of the year\nthen we read Larkspur aloud until late"
    names = {"Vesper": "place", "Larkspur": "product"}
    told = seen(text, names=names, beside_rules=beside_rules).extracted
    assert [set(named(one)) for one in told] == [{"Vesper"}, {"Larkspur"}]


def test_what_is_told_of_oneself_is_found_from_the_owner_and_what_is_only_told_is_not() -> None:
    with treering.open(":memory:", embedder="none", judge="none", extractor="reader") as mem:
        for text in ("my bike was stolen", "the bus was late", "where do I find a bus?"):
            mem.remember(text)
        mem.remember("my boat was stolen", speaker="Ben")
        assert [one.content for one in mem.entity("User").memories] == ["User: my bike was stolen"]
