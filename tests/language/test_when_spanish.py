"""What is of Spanish alone in the reading of times, seen from Wednesday 15 May 2024 at ten in the morning."""

from __future__ import annotations

import pytest
from tests.language.test_when_languages import windows, words

from treering.language.languages import Tongue
from treering.language.which import language_of

HABITS = [
    "Cada 3 de mayo hacemos fiesta",
    "Todos los veranos vamos a la costa",
    "Cada dos semanas voy",
    "Los sábados juego",
]


@pytest.mark.parametrize("said", HABITS)
def test_what_comes_round_is_no_date(said: str) -> None:
    assert windows(said) == "-"


def test_a_date_in_figures_has_its_day_first_in_spanish_and_its_month_first_in_english() -> None:
    assert windows("Nos vimos el 03/04/2021") == "2021-04-03 to 2021-04-04 day"
    assert windows("We met on 03/04/2021") == "2021-03-04 to 2021-03-05 day"


def test_accents_may_be_left_out() -> None:
    assert windows("el sabado pasado vino mi hermano") == windows("el sábado pasado vino mi hermano") != "-"


ENGLISH_WITH_SPANISH_IN_IT = [
    "We flew to Las Vegas and El Paso on May 3",
    "Maria de la Cruz called yesterday",
    "I will do it mañana, or next Friday",
    "Los Angeles, May 2024",
    "The Cinco de Mayo party was last year",
    "extra mayo on the burger last Tuesday",
    "José, André and René came on Monday",
    "hay fever since April",
    "a soy latte at 5pm",
]


@pytest.mark.parametrize("said", ENGLISH_WITH_SPANISH_IN_IT)
def test_english_with_spanish_names_in_it_stays_english(said: str) -> None:
    assert language_of(said) is Tongue.ENGLISH
    assert windows(said) != "-"


@pytest.mark.parametrize(
    ("spanish", "english"), [("Septiembre", "September"), ("marzo", "March"), ("el lunes", "Monday")]
)
def test_a_text_that_is_nothing_but_the_time_looks_ahead_as_in_english(spanish: str, english: str) -> None:
    assert windows(spanish) == windows(english) != "-"


def test_a_long_dash_stands_between_two_years_as_a_short_one_does() -> None:
    assert words("Trabajé allí de 2010\u20132015") == "de 2010\u20132015"
    assert windows("Trabajé allí de 2010\u20132015") == windows("Trabajé allí de 2010-2015")
