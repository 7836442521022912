"""Points, periods and moments: only aware times travel, and none loses a microsecond."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.errors import InvalidRequest
from treering.model.time import (
    MICROSECOND,
    Moment,
    Period,
    from_micros,
    must_be_utc,
    system_clock,
    to_micros,
    to_text,
    utc,
    utc_or_none,
)

points = st.datetimes(timezones=st.just(UTC))
NOON = datetime(2026, 2, 10, 12, tzinfo=UTC)


@given(points)
def test_a_point_survives_text_and_microseconds_unchanged(point: datetime) -> None:
    assert utc(to_text(point)) == point
    assert from_micros(to_micros(point)) == point
    assert to_text(point).endswith("Z")
    must_be_utc(from_micros(to_micros(point)), "x")


@given(points, points)
def test_microseconds_and_text_keep_the_order_of_points(one: datetime, two: datetime) -> None:
    assert (to_micros(one) < to_micros(two)) == (one < two)


@given(st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1)), st.integers(-1439, 1439))  # noqa: DTZ001
def test_any_offset_is_brought_to_utc(naive: datetime, minutes: int) -> None:
    zone = timezone(timedelta(minutes=minutes))
    aware = naive.replace(tzinfo=zone)
    assert utc(aware) == aware
    assert utc(aware).tzinfo is UTC
    assert utc(aware.isoformat()) == aware


@pytest.mark.parametrize("value", [datetime(2026, 2, 10, 9), "2026-02-10T09:00:00", "2026-02-10 09:00"])  # noqa: DTZ001
def test_a_naive_time_is_refused_with_how_to_write_it(value: object) -> None:
    with pytest.raises(InvalidRequest, match=r"^at: .*has no time zone; write it with its offset, such as 2026-02-10T"):
        utc(value, "at")


@pytest.mark.parametrize(
    ("text", "micros"),
    [
        ("2026-02-10T12:00:00Z", 0),
        ("2026-02-10T12:00:00z", 0),
        ("2026-02-10T12:00Z", 0),
        ("2026-02-10 12:00:00Z", 0),
        (" 2026-02-10T12:00:00Z ", 0),
        ("2026-02-10T13:00:00+01:00", 0),
        ("2026-02-10T13:00:00+0100", 0),
        ("2026-02-10T12:00:00.000001Z", 1),
        ("2026-02-10T12:00:00.1Z", 100_000),
        ("2026-02-10T12:00:00.999999Z", 999_999),
    ],
)
def test_iso_text_is_read_in_its_spellings(text: str, micros: int) -> None:
    assert utc(text) == NOON + micros * MICROSECOND


def test_a_bare_date_is_its_midnight_in_utc() -> None:
    assert utc("2026-02-10") == datetime(2026, 2, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        "tomorrow",
        "",
        "2026-02",
        "10/02/2026",
        "2026-02-10T12:00:00.1234567Z",
        "2026-W07-2",
        1770724800,
        None,
        b"x",
        True,
    ],
)
def test_what_is_not_a_time_is_refused_by_name(value: object) -> None:
    with pytest.raises(InvalidRequest, match=r"^since: .* is not an? (ISO 8601 )?time"):
        utc(value, "since")


@pytest.mark.parametrize("value", ["2026-02-30T00:00:00Z", "2026-02-10T25:00:00Z", "0000-01-01", "2026-13-01"])
def test_a_time_that_does_not_exist_is_refused(value: str) -> None:
    with pytest.raises(InvalidRequest, match="not a time that exists"):
        utc(value)


def test_years_outside_one_to_9999_are_refused_and_the_last_instant_is_not() -> None:
    zone = timezone(timedelta(hours=1))
    for value in (datetime(1, 1, 1, tzinfo=zone), datetime(9999, 12, 31, 23, 30, tzinfo=timezone(-timedelta(hours=1)))):
        with pytest.raises(InvalidRequest, match="outside the years 1 to 9999"):
            utc(value)
        with pytest.raises(InvalidRequest):
            utc(value.isoformat())
    last = datetime.max.replace(tzinfo=UTC)
    assert utc(to_text(last)) == last


def test_nothing_is_read_as_nothing() -> None:
    assert utc_or_none(None) is None
    assert utc_or_none("2026-02-10T12:00:00Z") == NOON


def test_microseconds_are_written_only_where_there_are_any() -> None:
    assert to_text(NOON) == "2026-02-10T12:00:00Z"
    assert to_text(NOON + MICROSECOND) == "2026-02-10T12:00:00.000001Z"


def test_inside_only_utc_itself_is_accepted() -> None:
    must_be_utc(NOON, "x")
    for value in (
        NOON.astimezone(timezone(timedelta(hours=1))),
        NOON.replace(tzinfo=None),
        "2026-02-10T12:00:00Z",
        None,
    ):
        with pytest.raises(InvalidRequest, match=r"x: .* is not an aware UTC datetime"):
            must_be_utc(value, "x")
    must_be_utc(system_clock(), "clock")


@given(points, st.timedeltas(timedelta(0), timedelta(days=9)), points)
def test_a_period_holds_its_start_and_not_its_end(start: datetime, length: timedelta, point: datetime) -> None:
    try:
        end = start + length
    except OverflowError:
        return
    period = Period(start, end)
    assert period.holds(point) == (start <= point < end)
    assert period.holds(start) == (length > timedelta(0))
    assert not period.holds(end)
    assert period.empty == (length == timedelta(0))


def test_open_ends_hold_everything_on_their_side() -> None:
    assert Period(None, None).holds(NOON)
    assert Period(None, NOON).holds(NOON - MICROSECOND)
    assert not Period(None, NOON).holds(NOON)
    assert Period(NOON, None).holds(datetime.max.replace(tzinfo=UTC))
    assert not Period(None, None).empty
    assert str(Period(None, NOON)) == "[…, 2026-02-10T12:00:00Z)"


def test_a_period_cannot_end_before_it_begins() -> None:
    with pytest.raises(InvalidRequest, match=r"cannot end .* before it begins"):
        Period(NOON, NOON - MICROSECOND)


def test_a_moment_knows_what_was_recorded_by_then_inclusive() -> None:
    moment = Moment(NOON, NOON)
    assert moment.knows(NOON)
    assert not moment.knows(NOON + MICROSECOND)
    assert Moment(NOON).knows(datetime.max.replace(tzinfo=UTC))
    with pytest.raises(InvalidRequest, match="as_of"):
        Moment(NOON.replace(tzinfo=None))
    with pytest.raises(InvalidRequest, match="known_at"):
        Moment(NOON, NOON.replace(tzinfo=None))


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        ((1, 3), (2, 4), True),
        ((1, 4), (2, 3), True),
        ((1, 2), (2, 3), False),
        ((1, 2), (3, 4), False),
        ((None, 2), (1, None), True),
        ((None, 2), (2, None), False),
        ((None, None), (1, 2), True),
        ((2, 2), (1, 3), False),
    ],
)
def test_two_periods_meet_where_both_hold_at_some_moment(
    one: tuple[int | None, int | None], other: tuple[int | None, int | None], meet: bool
) -> None:
    first, second = (Period(*(day and datetime(2026, 1, day, tzinfo=UTC) for day in ends)) for ends in (one, other))
    assert first.meets(second) is second.meets(first) is meet
