"""Names that a model sees beside those of the rules."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.ingest.test_learned_facts import Told

from treering.ingest.extract.contract import Heard
from treering.ingest.extract.learned_facts import WithLearnedFacts
from treering.ingest.extract.rules import RulesExtractor
from treering.mind.reading import ReadName

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)
TEXT = "our choir sings in room Zelkova with a theremin every week"


def names(text: str, *seen: tuple[str, str], **more: str) -> dict[str, str | None]:
    read = [ReadName((text.index(name), text.index(name) + len(name)), kind) for name, kind in seen]
    heard = Heard(text=text, at=AT, **more)  # type: ignore[arg-type]
    extractor = WithLearnedFacts(RulesExtractor(), lambda: Told((), read))  # type: ignore[arg-type,return-value]
    return {one.name: one.kind for each in extractor.extract([heard])[0].extracted for one in each.entities}


def rules(text: str) -> dict[str, str | None]:
    found = RulesExtractor().extract([Heard(text=text, at=AT)])[0].extracted
    return {one.name: one.kind for each in found for one in each.entities}


MISSED = "We rehearse in hall Vesper."


def test_a_name_that_rules_miss_is_kept_with_its_kind() -> None:
    assert rules(MISSED) == {}
    assert names(MISSED, ("Vesper", "place")) == {"Vesper": "place"}
    assert names(MISSED, ("Vesper", "product")) == {"Vesper": "object"}


@pytest.mark.parametrize("seen", [("theremin", "product"), ("our", "person")])
def test_what_is_written_small_is_none(seen: tuple[str, str]) -> None:
    assert names(TEXT, seen) == rules(TEXT)


def test_what_touches_a_name_of_the_rules_is_that_name() -> None:
    text = "Mireya Zelkova sings in Oslo"
    known = rules(text)
    assert known
    for name in known:
        assert names(text, (name.split()[0], "organization")) == known


def test_what_others_say_is_named_by_rules_alone() -> None:
    assert names(MISSED, ("Vesper", "place"), speaker="Ravi") == names(MISSED, speaker="Ravi")


def test_each_statement_has_the_names_in_its_own_words() -> None:
    text = "We rehearse in hall Vesper. Finished Larkspur last night, loved it."
    read = [ReadName((text.index(one), text.index(one) + len(one)), "place") for one in ("Vesper", "Larkspur")]
    extractor = WithLearnedFacts(RulesExtractor(), lambda: Told((), read))  # type: ignore[arg-type,return-value]
    told = extractor.extract([Heard(text=text, at=AT)])[0].extracted
    assert sorted(mention.name for one in told for mention in one.entities) == ["Larkspur", "Vesper"]
    assert all(mention.name in one.content for one in told for mention in one.entities)


def test_a_name_said_twice_is_in_both_statements() -> None:
    text = "We rehearse in hall Vesper. My sister Ilse lives in Oslo. Finished in hall Vesper last night, loved it."
    places = [text.index("Vesper"), text.rindex("Vesper")]
    read = [ReadName((at, at + 6), "place") for at in places]
    extractor = WithLearnedFacts(RulesExtractor(), lambda: Told((), read))  # type: ignore[arg-type,return-value]
    told = [one for one in extractor.extract([Heard(text=text, at=AT)])[0].extracted if "Vesper" in one.content]
    assert len(told) == 2
    assert all("Vesper" in [mention.name for mention in one.entities] for one in told)
