"""What a sentence says about time, read on Wednesday 15 May 2024 at ten in the morning."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from treering.errors import InvalidRequest
from treering.language.when import Grain, Window, when

NOW = "2024-05-15T10:00:00Z"


def short(point: datetime | None) -> str:
    if point is None:
        return "…"
    return point.isoformat()[: 10 if (point.hour, point.minute) == (0, 0) else 16]


def read(sentence: str, reference: str = NOW) -> list[tuple[str, str, str]]:
    return [(window.text, short(window.start), short(window.end)) for window in when(sentence, reference)]


YEARS_AND_MONTHS = [
    ("We opened the shop in March 2025", "March 2025", "2025-03-01", "2025-04-01"),
    ("She was hired back in 2019", "2019", "2019-01-01", "2020-01-01"),
    ("The year 2008 was hard", "The year 2008", "2008-01-01", "2009-01-01"),
    ("He was born in nineteen eighty six", "nineteen eighty six", "1986-01-01", "1987-01-01"),
    ("It was built in two thousand and five", "two thousand and five", "2005-01-01", "2006-01-01"),
    ("Class of '98", "'98", "1998-01-01", "1999-01-01"),
    ("Pompeii fell in 79 AD", "79 AD", "0079-01-01", "0080-01-01"),
    ("I left in Nov. 2020", "Nov. 2020", "2020-11-01", "2020-12-01"),
    ("We shipped it in 2011, August", "2011, August", "2011-08-01", "2011-09-01"),
    ("Sales of 2021/07 were low", "2021/07", "2021-07-01", "2021-08-01"),
    ("Q3 went well", "Q3", "2023-07-01", "2023-10-01"),
    ("I was ill in Q1 2021", "Q1 2021", "2021-01-01", "2021-04-01"),
    ("Numbers for 2015q2 are in", "2015q2", "2015-04-01", "2015-07-01"),
    ("We grew in the second half of 2020", "the second half of 2020", "2020-07-01", "2021-01-01"),
    ("I lived in Rome in the nineties", "the nineties", "1990-01-01", "2000-01-01"),
    ("Songs of the 1960's", "the 1960's", "1960-01-01", "1970-01-01"),
    ("Films of the '80s", "the '80s", "1980-01-01", "1990-01-01"),
    ("They met in the early 2020s", "the early 2020s", "2020-01-01", "2024-01-01"),
    ("Painted in the 17th century", "the 17th century", "1600-01-01", "1700-01-01"),
    ("Trains came in the 1800s", "the 1800s", "1800-01-01", "1900-01-01"),
    ("The 2017/18 season was ours", "2017/18", "2017-01-01", "2019-01-01"),
]
SEASONS = [
    ("What did I do last summer?", "last summer", "2023-06-01", "2023-09-01"),
    ("I graduated in the spring of 2012", "the spring of 2012", "2012-03-01", "2012-06-01"),
    ("We had snow this winter", "this winter", "2023-12-01", "2024-03-01"),
    ("Winter 2020 was mild", "Winter 2020", "2020-12-01", "2021-03-01"),
    ("We met the summer before last", "the summer before last", "2022-06-01", "2022-09-01"),
]
WRITTEN_DATES = [
    ("I met her on 3/4/2021", "3/4/2021", "2021-03-04", "2021-03-05"),
    ("I met her on 23/4/2021", "23/4/2021", "2021-04-23", "2021-04-24"),
    ("I met her on 2021-03-04", "2021-03-04", "2021-03-04", "2021-03-05"),
    ("I met her on 04.03.2021", "04.03.2021", "2021-04-03", "2021-04-04"),
    ("I met her on 20210304", "20210304", "2021-03-04", "2021-03-05"),
    ("I met her on the 4th of March", "the 4th of March", "2024-03-04", "2024-03-05"),
    ("I met her on March 4th '21", "March 4th '21", "2021-03-04", "2021-03-05"),
    ("I met her on Mar 4", "Mar 4", "2024-03-04", "2024-03-05"),
    ("I met her on 4 March 2021", "4 March 2021", "2021-03-04", "2021-03-05"),
    ("I met her on March the fourth, 2021", "March the fourth, 2021", "2021-03-04", "2021-03-05"),
    ("I met her on 09-Jun-2013", "09-Jun-2013", "2013-06-09", "2013-06-10"),
    ("I met her on 27-Jun-81", "27-Jun-81", "1981-06-27", "1981-06-28"),
    ("I met her on Thursday, 4 March 2021", "Thursday, 4 March 2021", "2021-03-04", "2021-03-05"),
    ("I met her on Nov7", "Nov7", "2023-11-07", "2023-11-08"),
    ("I met her on the twenty-first of April", "the twenty-first of April", "2024-04-21", "2024-04-22"),
    ("I met her on 4/25", "4/25", "2024-04-25", "2024-04-26"),
    ("I met her on the 3rd", "the 3rd", "2024-05-03", "2024-05-04"),
    ("I met her on Friday the 3rd", "Friday the 3rd", "2024-05-03", "2024-05-04"),
    ("I met her on the 20th of last month", "the 20th of last month", "2024-04-20", "2024-04-21"),
    ("Dated 3/4/35", "3/4/35", "2035-03-04", "2035-03-05"),
    ("Dated 3/4/55", "3/4/55", "1955-03-04", "1955-03-05"),
    ("Logged at 2021-03-04T10:15:00Z", "2021-03-04T10:15:00Z", "2021-03-04T10:15", "2021-03-04T10:16"),
]
DAYS_AND_WEEKDAYS = [
    ("I called him yesterday", "yesterday", "2024-05-14", "2024-05-15"),
    ("I called him the day before yesterday", "the day before yesterday", "2024-05-13", "2024-05-14"),
    ("Yesterday's talk was fine", "Yesterday's", "2024-05-14", "2024-05-15"),
    ("I will call the day after tomorrow", "the day after tomorrow", "2024-05-17", "2024-05-18"),
    ("We met last Monday", "last Monday", "2024-05-13", "2024-05-14"),
    ("We met this past Monday", "this past Monday", "2024-05-13", "2024-05-14"),
    ("We meet this Friday", "this Friday", "2024-05-17", "2024-05-18"),
    ("We meet next Friday", "next Friday", "2024-05-24", "2024-05-25"),
    ("We meet this coming Monday", "this coming Monday", "2024-05-20", "2024-05-21"),
    ("We talked on Tuesday of last week", "Tuesday of last week", "2024-05-07", "2024-05-08"),
    ("We met two Fridays ago", "two Fridays ago", "2024-05-03", "2024-05-04"),
    ("We meet the Friday after next", "the Friday after next", "2024-05-24", "2024-05-25"),
    ("We met three weeks ago on Friday", "three weeks ago on Friday", "2024-04-26", "2024-04-27"),
    ("We met last weekend", "last weekend", "2024-05-11", "2024-05-13"),
    ("We met the weekend of 7 June 2025", "the weekend of 7 June 2025", "2025-06-07", "2025-06-09"),
]
UNITS_WITHIN_UNITS = [
    ("I was away last week", "last week", "2024-05-06", "2024-05-13"),
    ("I was away the week before last", "the week before last", "2024-04-29", "2024-05-06"),
    ("I was away last month", "last month", "2024-04-01", "2024-05-01"),
    ("I was away last quarter", "last quarter", "2024-01-01", "2024-04-01"),
    ("I was away the first week of October", "the first week of October", "2023-10-02", "2023-10-09"),
    ("I was away the last week of May 2019", "the last week of May 2019", "2019-05-27", "2019-06-03"),
    ("I was away in week 7", "week 7", "2024-02-12", "2024-02-19"),
    ("I was away the first two weeks of 2018", "the first two weeks of 2018", "2018-01-01", "2018-01-15"),
    ("I was away the last two days of June 2020", "the last two days of June 2020", "2020-06-29", "2020-07-01"),
    ("It was the last Friday in October", "the last Friday in October", "2023-10-27", "2023-10-28"),
    ("It was the third Wednesday of last month", "the third Wednesday of last month", "2024-04-17", "2024-04-18"),
    ("I was away the week of the 7th", "the week of the 7th", "2024-05-06", "2024-05-13"),
    ("I was away the third quarter of 2020", "the third quarter of 2020", "2020-07-01", "2020-10-01"),
]
PARTS = [
    ("It broke at the end of last year", "the end of last year", "2023-09-01", "2024-01-01"),
    ("It broke in mid-April", "mid-April", "2024-04-11", "2024-04-21"),
    ("It broke at the beginning of April", "the beginning of April", "2024-04-01", "2024-04-11"),
    ("It broke at the end of April", "the end of April", "2024-04-21", "2024-05-01"),
    ("It broke in early April", "early April", "2024-04-01", "2024-04-16"),
    ("It broke in late April", "late April", "2024-04-16", "2024-05-01"),
    ("It broke in mid 1992", "mid 1992", "1992-05-01", "1992-09-01"),
    ("It broke in the late nineties", "the late nineties", "1997-01-01", "2000-01-01"),
    ("It broke in the mid-20th century", "the mid-20th century", "1933-01-01", "1967-01-01"),
    ("It broke at the end of Q4 2019", "the end of Q4 2019", "2019-12-01", "2020-01-01"),
    ("It broke in the middle of last week", "the middle of last week", "2024-05-07", "2024-05-11"),
    ("It broke at the end of last week", "the end of last week", "2024-05-10", "2024-05-13"),
    ("It broke at the beginning of 2003", "the beginning of 2003", "2003-01-01", "2003-05-01"),
    ("It broke late last year", "late last year", "2023-07-01", "2024-01-01"),
    ("It broke early last week", "early last week", "2024-05-06", "2024-05-09"),
    ("It broke earlier this month", "earlier this month", "2024-05-01", "2024-05-15T10:00"),
    ("It will break later this year", "later this year", "2024-05-15", "2025-01-01"),
    ("It will rain for the rest of the week", "the rest of the week", "2024-05-15", "2024-05-20"),
]
DISTANCES = [
    ("I moved two weeks ago", "two weeks ago", "2024-05-01", "2024-05-02"),
    ("I moved about three months ago", "about three months ago", "2024-02-15", "2024-02-16"),
    ("I moved two years ago", "two years ago", "2022-05-01", "2022-06-01"),
    ("I moved a year and a half ago", "a year and a half ago", "2022-11-15", "2022-11-16"),
    ("I moved a month and 21 days ago", "a month and 21 days ago", "2024-03-25", "2024-03-26"),
    ("I moved a fortnight ago", "a fortnight ago", "2024-05-01", "2024-05-02"),
    ("I called half an hour ago", "half an hour ago", "2024-05-15T09:30", "2024-05-15T09:31"),
    ("I will move in three days", "in three days", "2024-05-18", "2024-05-19"),
    ("I will move in two weeks' time", "in two weeks' time", "2024-05-29", "2024-05-30"),
    ("I will move two weeks from now", "two weeks from now", "2024-05-29", "2024-05-30"),
    ("I will move a week from Friday", "a week from Friday", "2024-05-24", "2024-05-25"),
    ("He was born three years before 2020", "three years before 2020", "2017-01-01", "2018-01-01"),
    ("We left two weeks after Christmas", "two weeks after Christmas", "2024-01-08", "2024-01-09"),
    ("We left three days before June 2020", "three days before June 2020", "2020-05-29", "2020-05-30"),
    ("We left two weeks before the end of April", "two weeks before the end of April", "2024-04-17", "2024-04-18"),
    ("We left the day after Christmas", "the day after Christmas", "2023-12-26", "2023-12-27"),
    ("We left the week before Easter", "the week before Easter", "2024-03-18", "2024-03-25"),
    ("We left the Friday before Christmas", "the Friday before Christmas", "2023-12-22", "2023-12-23"),
]
ROLLING = [
    ("I slept badly the past 3 months", "the past 3 months", "2024-02-15", "2024-05-15T10:00"),
    ("I ran a lot over the last two weeks", "the last two weeks", "2024-05-01", "2024-05-15T10:00"),
    ("I ran a lot in the past year", "the past year", "2023-05-15", "2024-05-15T10:00"),
    ("What fell in the last 24 hours", "the last 24 hours", "2024-05-14T10:00", "2024-05-15T10:00"),
    ("Sales of the last two quarters", "the last two quarters", "2023-10-01", "2024-04-01"),
    ("I will run in the next three days", "the next three days", "2024-05-16", "2024-05-19"),
    ("I will be back within two hours", "within two hours", "2024-05-15T10:00", "2024-05-15T12:00"),
    ("Sales of last two months", "last two months", "2024-03-01", "2024-05-01"),
    ("I slept badly for last two months", "for last two months", "2024-03-15", "2024-05-15T10:00"),
    ("Sales of the last quarter", "the last quarter", "2024-01-01", "2024-04-01"),
    ("I ran a lot in the last month", "the last month", "2024-04-15", "2024-05-15T10:00"),
    ("I saw her earlier today", "earlier today", "2024-05-15", "2024-05-15T10:00"),
    ("What have I done recently?", "recently", "2024-04-15", "2024-05-15T10:00"),
    ("What have I done lately?", "lately", "2024-04-15", "2024-05-15T10:00"),
    ("I saw him the other day", "the other day", "2024-05-08", "2024-05-15T10:00"),
]
HOURS = [
    ("We ate out yesterday evening", "yesterday evening", "2024-05-14T18:00", "2024-05-14T22:00"),
    ("It rained this morning", "this morning", "2024-05-15T05:00", "2024-05-15T12:00"),
    ("It will rain tonight", "tonight", "2024-05-15T18:00", "2024-05-16T04:00"),
    ("It rained last night", "last night", "2024-05-14T18:00", "2024-05-15T04:00"),
    ("We spoke at midnight last night", "at midnight last night", "2024-05-15", "2024-05-15T01:00"),
    ("We spoke last night at around 11", "last night at around 11", "2024-05-14T23:00", "2024-05-15"),
    ("We spoke this morning at 9", "this morning at 9", "2024-05-15T09:00", "2024-05-15T10:00"),
    ("We spoke yesterday at 8.30pm", "yesterday at 8.30pm", "2024-05-14T20:30", "2024-05-14T20:31"),
    ("We spoke at half past six yesterday", "at half past six yesterday", "2024-05-14T18:30", "2024-05-14T18:31"),
    ("We spoke yesterday at 6", "yesterday at 6", "2024-05-14T18:00", "2024-05-14T19:00"),
    ("We spoke yesterday at 7", "yesterday at 7", "2024-05-14T07:00", "2024-05-14T08:00"),
    ("We spoke yesterday at quarter to nine", "yesterday at quarter to nine", "2024-05-14T08:45", "2024-05-14T08:46"),
    ("We spoke yesterday at 12am", "yesterday at 12am", "2024-05-14", "2024-05-14T01:00"),
    ("We spoke yesterday from 11 to 1pm", "yesterday from 11 to 1pm", "2024-05-14T11:00", "2024-05-14T13:00"),
    (
        "We spoke yesterday from 9:30am for 2 hours",
        "yesterday from 9:30am for 2 hours",
        "2024-05-14T09:30",
        "2024-05-14T11:30",
    ),
    ("We spoke on Monday at noon", "Monday at noon", "2024-05-13T12:00", "2024-05-13T13:00"),
    (
        "We will speak tomorrow between 2 and 4:30pm",
        "tomorrow between 2 and 4:30pm",
        "2024-05-16T14:00",
        "2024-05-16T16:30",
    ),
    ("We spoke at 5pm", "at 5pm", "2024-05-15T17:00", "2024-05-15T18:00"),
    ("We spoke on Friday night", "Friday night", "2024-05-10T20:00", "2024-05-11T04:00"),
    ("We spoke the night before Christmas", "the night before Christmas", "2023-12-24T20:00", "2023-12-25T04:00"),
    ("We speak right now", "right now", "2024-05-15T10:00", "2024-05-15T10:01"),
]
RANGES = [
    ("What did we do between May and July?", "between May and July", "2023-05-01", "2023-08-01"),
    ("From 3 to 7 June I was in Oslo", "From 3 to 7 June", "2023-06-03", "2023-06-08"),
    ("I was in Oslo July 8-11", "July 8-11", "2023-07-08", "2023-07-12"),
    ("I was in Oslo June 5-9, 2023", "June 5-9, 2023", "2023-06-05", "2023-06-10"),
    ("I was in Oslo from Oct to Jan 8th, 2012", "from Oct to Jan 8th, 2012", "2011-10-01", "2012-01-09"),
    ("I was in Oslo from 1990 until 2000", "from 1990 until 2000", "1990-01-01", "2001-01-01"),
    ("I was in Oslo 1998\u20132003", "1998\u20132003", "1998-01-01", "2004-01-01"),
    ("I was in Oslo from last Monday until yesterday", "from last Monday until yesterday", "2024-05-13", "2024-05-15"),
    (
        "I was in Oslo from the middle of 2010 to the end of 2012",
        "from the middle of 2010 to the end of 2012",
        "2010-07-02",
        "2013-01-01",
    ),
    ("I was there for five years, from 2010 to 2015.", "for five years, from 2010 to 2015", "2010-01-01", "2016-01-01"),
    ("I will be away from 6 to 19 this month", "from 6 to 19 this month", "2024-05-06", "2024-05-20"),
    ("I will be away 18 December for 10 days", "18 December for 10 days", "2024-12-18", "2024-12-28"),
    ("May 2023 to present", "May 2023 to present", "2023-05-01", "2024-05-16"),
]
OPEN_ENDS = [
    ("Where did I live before 2020?", "before 2020", "…", "2020-01-01"),
    ("After last Christmas we stopped", "After last Christmas", "2023-12-25", "…"),
    ("We moved after 2016", "after 2016", "2017-01-01", "…"),
    ("I'm on leave until Friday", "until Friday", "…", "2024-05-18"),
    ("I've known her since 2015", "since 2015", "2015-01-01", "…"),
    ("I've been ill since Monday", "since Monday", "2024-05-13", "…"),
    ("It must be done by the end of this month", "by the end of this month", "…", "2024-06-01"),
    ("From March onwards I worked alone", "From March onwards", "2024-03-01", "…"),
    ("Anything more than two weeks ago", "more than two weeks ago", "…", "2024-05-01T10:00"),
    ("I was there in 2016 or earlier", "2016 or earlier", "…", "2017-01-01"),
    ("pre-2010 cars", "pre-2010", "…", "2010-01-01"),
]
ALL = (
    YEARS_AND_MONTHS + SEASONS + WRITTEN_DATES + DAYS_AND_WEEKDAYS + UNITS_WITHIN_UNITS + PARTS + DISTANCES + ROLLING
    + HOURS + RANGES + OPEN_ENDS
)  # fmt: skip


@pytest.mark.parametrize(("sentence", "text", "start", "end"), ALL, ids=[row[0] for row in ALL])
def test_reading(sentence: str, text: str, start: str, end: str) -> None:
    assert read(sentence) == [(text, start, end)]


def test_several_windows_come_in_the_order_of_the_text() -> None:
    assert read("I joined in Mar 2018, left in Nov 2020 and came back last week") == [
        ("Mar 2018", "2018-03-01", "2018-04-01"),
        ("Nov 2020", "2020-11-01", "2020-12-01"),
        ("last week", "2024-05-06", "2024-05-13"),
    ]


def test_each_sentence_has_its_own_direction() -> None:
    assert read("We had a picnic on Tuesday. On Saturday we are going hiking.") == [
        ("Tuesday", "2024-05-14", "2024-05-15"),
        ("Saturday", "2024-05-18", "2024-05-19"),
    ]


def test_a_window_knows_how_finely_it_was_named() -> None:
    grains = {
        "in 2019": Grain.YEAR,
        "in March 2019": Grain.MONTH,
        "in Q1 2019": Grain.QUARTER,
        "in the nineties": Grain.DECADE,
        "last week": Grain.WEEK,
        "yesterday": Grain.DAY,
        "yesterday evening": Grain.HOUR,
        "yesterday at 5:30pm": Grain.MINUTE,
    }
    assert {text: when(text, NOW)[0].grain for text in grains} == grains


def test_a_window_is_a_readable_value() -> None:
    (window,) = when("I moved in March 2021", NOW)
    assert (
        repr(window) == "Window([2021-03-01T00:00:00Z, 2021-04-01T00:00:00Z), 'March 2021', span=(11, 21), grain=month)"
    )
    assert window.to_dict() == {
        "start": "2021-03-01T00:00:00Z",
        "end": "2021-04-01T00:00:00Z",
        "text": "March 2021",
        "span": [11, 21],
        "grain": "month",
    }
    assert window.period.holds(datetime(2021, 3, 31, 23, tzinfo=UTC))
    assert window == Window(window.start, window.end, "March 2021", (11, 21), Grain.MONTH)


def test_an_open_window_says_so() -> None:
    (window,) = when("before 2020", NOW)
    assert window.start is None
    assert window.to_dict()["start"] is None
    assert repr(window).startswith("Window([…, 2020-01-01T00:00:00Z)")


def test_the_day_is_that_of_the_references_own_zone() -> None:
    evening = datetime(2024, 5, 15, 23, tzinfo=timezone(timedelta(hours=-5)))
    (window,) = when("I saw her today", evening)
    assert (window.start, window.end) == (
        datetime(2024, 5, 15, 5, tzinfo=UTC),
        datetime(2024, 5, 16, 5, tzinfo=UTC),
    )
    assert when("I saw her today", "2024-05-15T23:00:00-05:00") == [window]


def test_a_day_on_which_the_clocks_go_back_has_25_hours() -> None:
    (window,) = when("I slept long yesterday", datetime(2024, 11, 4, 9, tzinfo=ZoneInfo("America/New_York")))
    assert window.start is not None
    assert window.end is not None
    assert window.end - window.start == timedelta(hours=25)


@pytest.mark.parametrize("reference", ["2024-05-15T10:00:00", "soon", 3, None])
def test_a_reference_without_a_zone_or_sense_is_refused(reference: object) -> None:
    with pytest.raises(InvalidRequest, match="reference"):
        when("today", reference)  # type: ignore[arg-type]


def test_what_is_not_text_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="text"):
        when(None, NOW)  # type: ignore[arg-type]


def test_an_item_of_a_list_is_no_end_of_a_range() -> None:
    plan = "Free times:\n- Monday, June 10, 2024\n- Thursday, June 13, 2024"
    assert [text for text, _, _ in read(plan)] == ["Monday, June 10, 2024", "Thursday, June 13, 2024"]


def test_a_wrapped_line_is_read_on() -> None:
    assert [text for text, _, _ in read("We moved two\nweeks ago")] == ["two\nweeks ago"]


def test_a_naive_datetime_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="no time zone"):
        when("today", datetime.fromisoformat("2024-05-15T10:00:00"))


def test_times_beyond_the_calendar_are_left_out() -> None:
    assert when("It will end in 2000 centuries", "9999-12-30T00:00:00Z") == []
    assert when("2000 years ago", "0500-01-01T00:00:00Z") == []
