"""Ids are version 7 UUIDs that sort as they were minted and never meet."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import examples

from treering.model import limits
from treering.model.ids import mint
from treering.model.time import to_micros

NOW = datetime(2026, 2, 10, 12, 0, 0, 123456, tzinfo=UTC)


@settings(max_examples=examples(50))
@given(st.datetimes(min_value=datetime(1970, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001
def test_an_id_is_a_version_7_uuid_of_its_millisecond(now: datetime) -> None:
    fresh = mint(now)
    for _ in range(3):
        text = fresh()
        one = UUID(text)
        assert (one.version, one.variant) == (7, "specified in RFC 4122")
        assert one.int >> 80 == to_micros(now) // 1000
        assert str(one) == text
        assert limits.uuid(text, "id") == text


def test_ids_of_one_mint_sort_in_the_order_they_were_minted() -> None:
    fresh = mint(NOW)
    ids = [fresh() for _ in range(50_000)]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)


def test_ids_of_many_mints_at_one_instant_never_meet() -> None:
    ids = [mint(NOW)() for _ in range(20_000)]
    assert len(set(ids)) == len(ids)


def test_a_clock_before_1970_still_gives_ids() -> None:
    one = UUID(mint(datetime(1900, 1, 1, tzinfo=UTC))())
    assert (one.version, one.int >> 80) == (7, 0)


@pytest.mark.parametrize(
    "wrong", ["", "x", "019B796E-2038-73CA-9339-DF6437CC7943", "019b796e203873ca9339df6437cc7943", 7]
)
def test_what_is_not_an_id_in_our_spelling_is_refused(wrong: object) -> None:
    with pytest.raises(limits.InvalidRequest, match="is not an id"):
        limits.uuid(wrong, "id")
