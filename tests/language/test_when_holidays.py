"""Feasts fall on the days that calendars print for them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from treering.language.when import islamic, when
from treering.language.when.holidays import easter, orthodox_easter
from treering.language.when.moon import chinese_new_year

NOW = "2024-05-15T10:00:00Z"

FEASTS = [
    ("Easter 2011", "2011-04-24"),
    ("Easter 2024", "2024-03-31"),
    ("Easter 2038", "2038-04-25"),
    ("Good Friday 2023", "2023-04-07"),
    ("Ash Wednesday 2024", "2024-02-14"),
    ("Pentecost 2017", "2017-06-04"),
    ("orthodox Easter 2021", "2021-05-02"),
    ("Orthodox Good Friday 2023", "2023-04-14"),
    ("Thanksgiving 2019", "2019-11-28"),
    ("Black Friday 2018", "2018-11-23"),
    ("Cyber Monday 2020", "2020-11-30"),
    ("Memorial Day 2023", "2023-05-29"),
    ("Labor Day 2016", "2016-09-05"),
    ("Mother's Day 2024", "2024-05-12"),
    ("mothers day 2024", "2024-05-12"),
    ("Father's Day 2024", "2024-06-16"),
    ("MLK Day 2015", "2015-01-19"),
    ("Martin Luther King Jr. Day 2015", "2015-01-19"),
    ("Presidents' Day 2023", "2023-02-20"),
    ("Columbus Day 2022", "2022-10-10"),
    ("Election Day 2016", "2016-11-08"),
    ("Victoria Day 2023", "2023-05-22"),
    ("Valentine's Day 2020", "2020-02-14"),
    ("St. Patrick's Day 2020", "2020-03-17"),
    ("New Year's Eve 2019", "2019-12-31"),
    ("Halloween 2021", "2021-10-31"),
    ("Boxing Day 2021", "2021-12-26"),
    ("Juneteenth 2022", "2022-06-19"),
    ("the 4th of July 2022", "2022-07-04"),
    ("King's Day 2025", "2025-04-26"),
    ("Rosh Hashanah 2023", "2023-09-15"),
    ("Yom Kippur 2025", "2025-10-01"),
    ("Passover 2024", "2024-04-22"),
    ("Hanukkah 2021", "2021-11-28"),
    ("Purim 2024", "2024-03-23"),
    ("Chinese New Year 2023", "2023-01-22"),
    ("Ramadan 2024", "2024-03-11"),
    ("Eid al-Fitr 2021", "2021-05-13"),
    ("Eid ul-Adha 2019", "2019-08-11"),
]


@pytest.mark.parametrize(("text", "start"), FEASTS)
def test_feast(text: str, start: str) -> None:
    (window,) = when(text, NOW)
    assert window.text == text
    assert str(window.start)[:10] == start


def test_feasts_have_weekends_weeks_and_neighbours() -> None:
    texts = ("Labor Day weekend 2016", "the weekend of Thanksgiving 2021")
    found = {text: str(when(text, NOW)[0].period) for text in texts}
    assert found == {
        "Labor Day weekend 2016": "[2016-09-03T00:00:00Z, 2016-09-06T00:00:00Z)",
        "the weekend of Thanksgiving 2021": "[2021-11-25T00:00:00Z, 2021-11-29T00:00:00Z)",
    }


def test_easter_is_always_a_sunday_between_its_bounds() -> None:
    for year in range(1900, 2200):
        assert easter(year).weekday() == 6
        assert (3, 22) <= (easter(year).month, easter(year).day) <= (4, 25)
        assert orthodox_easter(year).weekday() == 6
        assert orthodox_easter(year) >= easter(year)


NEW_YEARS = {
    1966: "01-21", 1985: "02-20", 1990: "01-27", 2000: "02-05", 2010: "02-14", 2015: "02-19", 2020: "01-25",
    2021: "02-12", 2022: "02-01", 2024: "02-10", 2025: "01-29", 2026: "02-17", 2030: "02-03", 2033: "01-31",
    2034: "02-19",
}  # fmt: skip


@pytest.mark.parametrize(("year", "date"), NEW_YEARS.items())
def test_chinese_new_year(year: int, date: str) -> None:
    assert chinese_new_year(year).strftime("%m-%d") == date


RAMADANS = {
    2010: "08-11", 2012: "07-20", 2014: "06-28", 2016: "06-06", 2017: "05-27", 2019: "05-06", 2020: "04-24",
    2021: "04-13", 2022: "04-02", 2023: "03-23", 2025: "03-01",
}  # fmt: skip


@pytest.mark.parametrize(("year", "date"), RAMADANS.items())
def test_ramadan_by_umm_al_qura(year: int, date: str) -> None:
    assert islamic.in_year(year, islamic.RAMADAN, 1).strftime("%m-%d") == date


def test_lunar_months_have_29_or_30_days() -> None:
    starts = [islamic.month_start(1400 * 12 + n) for n in range(600)]
    assert {(after - before).days for before, after in pairwise(starts)} == {29, 30}


def test_what_is_not_computed_is_not_guessed() -> None:
    with pytest.raises(ValueError, match="not computed"):
        chinese_new_year(1700)
    with pytest.raises(ValueError, match="not computed"):
        islamic.in_year(1700, islamic.RAMADAN, 1)
