"""What every extractor answers with: checked values, and who says I."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from treering.errors import InvalidRequest
from treering.ingest.extract.contract import Claim, Extracted, Heard
from treering.ingest.extract.none import AsItStands

SAID = datetime(2026, 2, 10, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("speaker", "owner", "name"),
    [(None, None, "User"), ("User", None, "User"), ("user", "Teun", "Teun"), ("Mireya", "Teun", "Mireya")],
)
def test_i_is_who_speaks_and_the_owner_where_nobody_is_named(speaker: str | None, owner: str | None, name: str) -> None:
    assert Heard(text="I sail", at=SAID, speaker=speaker, owner=owner).first_person == name


def test_without_an_extractor_a_text_is_one_statement_word_for_word() -> None:
    one, two = AsItStands().extract([Heard(text="hi!", at=SAID), Heard(text="I sail. I row.", at=SAID)])
    assert [item.content for item in (*one.extracted, *two.extracted)] == ["hi!", "I sail. I row."]
    assert two.extracted[0].span == (0, 14)


def test_a_claim_has_one_spelling_of_its_relation() -> None:
    assert Claim(subject="User", relation="works for", object="Google").relation == "WORKS_FOR"


@pytest.mark.parametrize("span", [(-1, 3), (4, 2)])
def test_a_span_that_is_no_stretch_of_the_text_is_refused(span: tuple[int, int]) -> None:
    with pytest.raises(InvalidRequest, match="span"):
        Extracted(content="I sail", span=span)


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="event_time"):
        Extracted(content="I sail", span=(0, 6), event_time=datetime(2026, 1, 1))  # noqa: DTZ001
