"""Is it time at all, in English? Checks of a match, so that "May I", "spring water" and "24/7" say nothing."""

from __future__ import annotations

from treering.language.when.doubting import STOPS, Doubts, MatchPlace
from treering.language.when.neighbours import (
    CLAUSE_GOES_ON,
    COUNTED_NOUNS,
    COUNTED_PEOPLE,
    DAY_EPITHETS,
    DAY_LEADS,
    FEAST_LEADS,
    FEAST_NAMES,
    FEAST_NOUNS,
    FINITE,
    HABIT,
    LENT_LEADS,
    LENT_TO,
    MODAL_TAIL,
    MONTH_LEADS,
    NUMBER_LEADS,
    OPENERS,
    PERSON_MONTHS,
    POSSESSIVES,
    SCORES,
    SEASON_LEADS,
    SEASON_THINGS,
    SPELT_JOINTS,
    TITLES,
    UNITS_ALONE,
    WISHES,
    WORDLIKE_DAYS,
    YEAR_LEADS,
)
from treering.language.when.tokens import TimeToken


def _person_or_verb(place: MatchPlace) -> bool:
    """ "May I", "march on", "told April", "June said"."""
    if not place.only("MONTHNAME") or place.last.text not in PERSON_MONTHS:
        return False
    if place.before == "the":
        return place.before_that not in MONTH_LEADS
    return place.before not in MONTH_LEADS or place.after in FINITE


def _person_acts(place: MatchPlace) -> bool:
    """ "since April left": a name and its verb, not a month."""
    words = place.words
    if len(words) != 2 or words[0].text not in ("since", "before", "after", "until"):
        return False
    return words[1].text in PERSON_MONTHS and place.after in FINITE


def _modal_may(place: MatchPlace) -> bool:
    """ "this may or may not", "what happens next may surprise you"."""
    last = place.last
    if last.text != "may" or last.capitalised:
        return False
    return bool(place.after) and place.after not in STOPS and place.after not in CLAUSE_GOES_ON - MODAL_TAIL


def _loose_season(place: MatchPlace) -> bool:
    """ "spring water", "fall apart", "a summer dress", "the fall of Rome"."""
    if not place.only("SEASON"):
        return False
    if place.before not in SEASON_LEADS or place.after in SEASON_THINGS:
        return True
    return place.first.text == "the" and place.after == "of"


def _wordlike_day(place: MatchPlace) -> bool:
    """ "the sun", "I sat", "they wed"."""
    if not place.only("DAYNAME") or place.last.text not in WORDLIKE_DAYS:
        return False
    return place.first.text == "the" or place.before not in DAY_LEADS


def _habit(place: MatchPlace) -> bool:
    """ "every Friday", "each summer"."""
    return place.before in HABIT


def _bare_year(place: MatchPlace) -> bool:
    """ "1500 people", "I read 1984", "in 1984 by George Orwell", "room 2014"."""
    words = place.words
    if len(words) != 1 or "DIGITS" not in words[0].classes:
        return False
    if place.before not in YEAR_LEADS or place.before_that in TITLES:
        return True
    if place.after in COUNTED_PEOPLE and place.before in ("for", "of", "to", ","):
        return True
    return _quoted(place) or (
        place.after == "by" and place.end + 1 < len(place.tokens) and place.tokens[place.end + 1].capitalised
    )


def _counted(place: MatchPlace) -> bool:
    """ "in 2019 dollars", "in 2000 years": a number of something."""
    if "DIGITS" not in place.last.classes or place.end == len(place.tokens):
        return False
    if len(place.words) > 1 and place.words[-2].text not in YEAR_LEADS:
        return False
    return place.after in COUNTED_NOUNS or "UNIT" in place.tokens[place.end].classes


def _quoted(place: MatchPlace) -> bool:
    quotes = "\"'*_"
    return bool(place.before) and place.before in quotes and bool(place.after) and place.after in quotes


def _spelt_year(place: MatchPlace) -> bool:
    """Years in words need a lead too: "two thousand people"."""
    if not all(_is_spelt(token) for token in place.words):
        return False
    return place.before not in YEAR_LEADS or place.after in COUNTED_NOUNS | COUNTED_PEOPLE


def _is_spelt(token: TimeToken) -> bool:
    return bool({"CARDINAL", "TENSWORD"} & token.classes.keys()) or token.text in SPELT_JOINTS


def _unit_alone(place: MatchPlace) -> bool:
    """ "the week" is this week only in "in the week." and the like; "player of the year" is none."""
    words = [token.text for token in place.words]
    if len(words) != 2 or words[0] not in ("the", "my", "our", "your") or words[1] not in UNITS_ALONE:
        return False
    return (
        words[1] == "day"
        or place.before not in ("in", "during", "for")
        or bool(place.after and place.after not in STOPS)
    )


def _day_number(place: MatchPlace) -> bool:
    """ "on the 4th" is a day; "on the 4th floor", "the second one" and "for the first time" are not."""
    number = place.end
    while number > place.start and _is_number(place.tokens[number - 1]):
        number -= 1
    words = place.tokens[number - 1 : place.end]
    if number == place.end or number <= place.start or words[0].text != "the":
        return False
    lead = place.tokens[number - 2].text if number > 1 else ""
    if lead not in NUMBER_LEADS:
        return number - 1 == place.start
    plain = "DIGITS" in words[-1].classes or "CARDINAL" in words[-1].classes
    return bool(place.after) and place.after not in STOPS and (plain or place.after not in CLAUSE_GOES_ON)


def _is_number(token: TimeToken) -> bool:
    return token.text == "-" or bool(
        {"DIGITS", "DIGITORDINAL", "ORDINALWORD", "CARDINAL", "TENSWORD"} & token.classes.keys()
    )


def _fraction(place: MatchPlace) -> bool:
    """ "3/4 cup", "a 9/10 rating", "won 2-1", "24/7", "version 4.22": figures without a year need a lead."""
    words = place.words
    if len(words) != 3 or "DIGITS" not in words[0].classes or "DIGITS" not in words[2].classes:
        return False
    if max(len(words[0].text), len(words[2].text)) > 2:
        return place.before in TITLES
    if (words[0].text, words[2].text) == ("24", "7"):
        return True
    padded = words[1].text == "/" and (len(words[0].text) == len(words[2].text) == 2 or _only_a_date(words))
    if place.before in TITLES | SCORES or place.after in COUNTED_NOUNS:
        return True
    return not padded and place.before not in ("on", "since", "until", "by", "dated", "before", "after")


def _only_a_date(words: list[TimeToken]) -> bool:
    """ "7/23": one can only be the day; a part of a whole would rather be 7/8."""
    return max(int(words[0].text), int(words[2].text)) > 12


def _feast_thing(place: MatchPlace) -> bool:
    """ "the Christmas tree", "Easter eggs", "a Valentine's Day card": the thing, not the day."""
    if place.after not in FEAST_NOUNS or place.last.text not in FEAST_NAMES:
        return False
    return place.before not in FEAST_LEADS


def _lent_out(place: MatchPlace) -> bool:
    """ "I lent my drill to Greg", "Lent him a book": a verb, unless the season is led to."""
    if place.end - place.start != 1 or place.last.text != "lent" or place.before in LENT_LEADS:
        return False
    return not place.last.capitalised or place.after in POSSESSIVES | LENT_TO


def _own_decade(place: MatchPlace) -> bool:
    """ "in her thirties", "tens of people"."""
    if "TENSNAME" not in place.last.classes and place.last.text != "s":
        return False
    if place.before in POSSESSIVES or place.after == "of":
        return True
    return len(place.words) == 1 and (place.last.text == "tens" or place.before not in ("in", "of", "from"))


def _wish(place: MatchPlace) -> bool:
    """ "Happy New Year", "have a great weekend"."""
    return place.before in WISHES and (place.before_that not in ("a", "the") or place.last.text == "weekend")


def _summing_up(place: MatchPlace) -> bool:
    """ "at the end of the day, it is your choice"."""
    words = [token.text for token in place.words]
    led = "at" in (place.before, place.before_that)
    return words[-4:] == ["end", "of", "the", "day"] and led and place.after == ","


def _dangling_side(place: MatchPlace) -> bool:
    """ "on Friday and after": with more words behind it, "after" belongs to them."""
    words = place.words
    if len(words) < 3 or words[-2].text not in ("and", "or"):
        return False
    return words[-1].text in ("after", "before") and bool(place.after) and place.after not in STOPS


def _to_date(place: MatchPlace) -> bool:
    """ "up to date", "to date her"."""
    words = [token.text for token in place.words]
    return words == ["to", "date"] and (place.before == "up" or bool(place.after and place.after not in STOPS))


def _late_nights(place: MatchPlace) -> bool:
    """ "a lot of late nights"."""
    return place.words[-1].text == "late" and place.after not in STOPS and bool(place.after)


def _idle_now(place: MatchPlace) -> bool:
    """ "now and then", "now that"."""
    return place.end - place.start == 1 and place.last.text == "now" and place.after in ("that", "and")


def _a_moment(place: MatchPlace) -> bool:
    """ "in a second", "in a minute": not yet, rather than sixty seconds."""
    words = [token.text for token in place.words]
    return words[:2] == ["in", "a"] and words[-1] in ("second", "sec", "minute", "min", "moment")


def _name_of_day(place: MatchPlace) -> bool:
    """ "Wednesday Addams", "casual Friday", "TGI Friday's"."""
    if not place.only("DAYNAME"):
        return False
    return place.before in DAY_EPITHETS or place.after == "addams"


DOUBTS = Doubts(
    openers=OPENERS,
    articles=frozenset(("the", ".")),
    checks=(
        _person_or_verb,
        _person_acts,
        _modal_may,
        _loose_season,
        _wordlike_day,
        _habit,
        _bare_year,
        _counted,
        _spelt_year,
        _unit_alone,
        _day_number,
        _fraction,
        _feast_thing,
        _lent_out,
        _own_decade,
        _wish,
        _summing_up,
        _dangling_side,
        _to_date,
        _late_nights,
        _idle_now,
        _a_moment,
        _name_of_day,
    ),
)
