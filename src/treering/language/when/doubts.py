"""Is it time at all, in English? Checks of a match, so that "May I", "spring water" and "24/7" say nothing."""

from __future__ import annotations

from treering.language.listed import listed
from treering.language.when.doubting import STOPS, Doubts, MatchPlace
from treering.language.when.tokens import TimeToken

_LEADS = listed(
    "in of since by until till til during before after through throughout for last next this early late mid around "
    "about between every from to and or"
)
"""Words that lead to a time, so that a doubtful one after them may be believed."""
_MONTH_LEADS = _LEADS - listed("from to and or about every")
_SEASON_LEADS = (_LEADS | listed("over all this that")) - listed("to about for and or every")
_DAY_LEADS = _LEADS | listed("on , (")
_NUMBER_LEADS = (_DAY_LEADS | listed("starting beginning")) - listed("to in of this about")
_YEAR_LEADS = (
    _LEADS | listed("year circa back ( , on to from late early mid since spring summer autumn fall winter")
) - listed("about and or every this next last")
_PERSON_MONTHS = listed("april may june august march mar jan jun")
_WORDLIKE_DAYS = listed("sun sat wed mon")
_FINITE = listed("said says told asked was is has had left went got came will would can could thinks loves likes")
_HABIT = listed("every each any per most alternate")
_POSSESSIVES = listed("my your his her its our their")
_CLAUSE_GOES_ON = listed(
    "and but with at in from to for because we i he she they you it when so then or if as until since before after by "
    "the my our his her their who where about on"
)
_WISHES = listed("happy merry good nice great lovely wonderful")
_OPENERS = listed("on in at during for over the by (") | frozenset("\"'")
_MODAL_TAIL = listed("be have not or also well need want result cause help i you we he she it they the")
_SEASON_THINGS = listed(
    "water waters roll rolls onion onions board loaded mattress mattresses cleaning steel clip chicken green coil "
    "apart asleep off down behind short victim flat guy leaf leaves squash sports coat dress dresses jacket "
    "jackets job jobs camp camps school tire tires clothes sale olympics games"
)
_FEAST_NOUNS = listed(
    "tree trees card cards carol carols egg eggs island bunny costume costumes song songs movie movies music lights "
    "sweater sweaters present presents gift gifts decoration decorations cookie cookies stocking stockings ornament "
    "tradition traditions magic ornaments lily lilies pudding cake list spirit theme themed carolers jumper jumpers"
)
_FEAST_NAMES = listed("christmas xmas easter halloween thanksgiving hanukkah chanukah passover valentines day eve year")
_FEAST_LEADS = listed("on at last next this since until before after by")
_LENT_LEADS = _FEAST_LEADS | listed("for in during of over through every about")
_LENT_TO = listed("me him us them you it a an the some money")
_COUNTED_NOUNS = listed(
    "percent dollars euros pounds km miles meters metres feet calories words rows items units points copies votes "
    "bytes mb gb kb hz mhz rpm mah ml mg kg times steps pages reviews followers"
)
_COUNTED_PEOPLE = listed("people users men women children")
_TITLES = listed(
    "book novel movie film album song version v model room flight route highway chapter page line nokia windows"
)
_SCORES = listed("a an got scored score about only")
_UNITS_ALONE = listed("week month quarter year day decade hour century morning afternoon evening night")
_DAY_EPITHETS = listed("casual freaky tgi girl man bloody ruby")
_SPELT_JOINTS = listed("hundred thousand and oh o")


def _person_or_verb(place: MatchPlace) -> bool:
    """ "May I", "march on", "told April", "June said"."""
    if not place.only("MONTHNAME") or place.last.text not in _PERSON_MONTHS:
        return False
    if place.before == "the":
        return place.before_that not in _MONTH_LEADS
    return place.before not in _MONTH_LEADS or place.after in _FINITE


def _person_acts(place: MatchPlace) -> bool:
    """ "since April left": a name and its verb, not a month."""
    words = place.words
    if len(words) != 2 or words[0].text not in ("since", "before", "after", "until"):
        return False
    return words[1].text in _PERSON_MONTHS and place.after in _FINITE


def _modal_may(place: MatchPlace) -> bool:
    """ "this may or may not", "what happens next may surprise you"."""
    last = place.last
    if last.text != "may" or last.capitalised:
        return False
    return bool(place.after) and place.after not in STOPS and place.after not in _CLAUSE_GOES_ON - _MODAL_TAIL


def _loose_season(place: MatchPlace) -> bool:
    """ "spring water", "fall apart", "a summer dress", "the fall of Rome"."""
    if not place.only("SEASON"):
        return False
    if place.before not in _SEASON_LEADS or place.after in _SEASON_THINGS:
        return True
    return place.first.text == "the" and place.after == "of"


def _wordlike_day(place: MatchPlace) -> bool:
    """ "the sun", "I sat", "they wed"."""
    if not place.only("DAYNAME") or place.last.text not in _WORDLIKE_DAYS:
        return False
    return place.first.text == "the" or place.before not in _DAY_LEADS


def _habit(place: MatchPlace) -> bool:
    """ "every Friday", "each summer"."""
    return place.before in _HABIT


def _bare_year(place: MatchPlace) -> bool:
    """ "1500 people", "I read 1984", "in 1984 by George Orwell", "room 2014"."""
    words = place.words
    if len(words) != 1 or "DIGITS" not in words[0].classes:
        return False
    if place.before not in _YEAR_LEADS or place.before_that in _TITLES:
        return True
    if place.after in _COUNTED_PEOPLE and place.before in ("for", "of", "to", ","):
        return True
    return _quoted(place) or (
        place.after == "by" and place.end + 1 < len(place.tokens) and place.tokens[place.end + 1].capitalised
    )


def _counted(place: MatchPlace) -> bool:
    """ "in 2019 dollars", "in 2000 years": a number of something."""
    if "DIGITS" not in place.last.classes or place.end == len(place.tokens):
        return False
    if len(place.words) > 1 and place.words[-2].text not in _YEAR_LEADS:
        return False
    return place.after in _COUNTED_NOUNS or "UNIT" in place.tokens[place.end].classes


def _quoted(place: MatchPlace) -> bool:
    quotes = "\"'*_"
    return bool(place.before) and place.before in quotes and bool(place.after) and place.after in quotes


def _spelt_year(place: MatchPlace) -> bool:
    """Years in words need a lead too: "two thousand people"."""
    if not all(_is_spelt(token) for token in place.words):
        return False
    return place.before not in _YEAR_LEADS or place.after in _COUNTED_NOUNS | _COUNTED_PEOPLE


def _is_spelt(token: TimeToken) -> bool:
    return bool({"CARDINAL", "TENSWORD"} & token.classes.keys()) or token.text in _SPELT_JOINTS


def _unit_alone(place: MatchPlace) -> bool:
    """ "the week" is this week only in "in the week." and the like; "player of the year" is none."""
    words = [token.text for token in place.words]
    if len(words) != 2 or words[0] not in ("the", "my", "our", "your") or words[1] not in _UNITS_ALONE:
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
    if lead not in _NUMBER_LEADS:
        return number - 1 == place.start
    plain = "DIGITS" in words[-1].classes or "CARDINAL" in words[-1].classes
    return bool(place.after) and place.after not in STOPS and (plain or place.after not in _CLAUSE_GOES_ON)


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
        return place.before in _TITLES
    if (words[0].text, words[2].text) == ("24", "7"):
        return True
    padded = words[1].text == "/" and (len(words[0].text) == len(words[2].text) == 2 or _only_a_date(words))
    if place.before in _TITLES | _SCORES or place.after in _COUNTED_NOUNS:
        return True
    return not padded and place.before not in ("on", "since", "until", "by", "dated", "before", "after")


def _only_a_date(words: list[TimeToken]) -> bool:
    """ "7/23": one can only be the day; a part of a whole would rather be 7/8."""
    return max(int(words[0].text), int(words[2].text)) > 12


def _feast_thing(place: MatchPlace) -> bool:
    """ "the Christmas tree", "Easter eggs", "a Valentine's Day card": the thing, not the day."""
    if place.after not in _FEAST_NOUNS or place.last.text not in _FEAST_NAMES:
        return False
    return place.before not in _FEAST_LEADS


def _lent_out(place: MatchPlace) -> bool:
    """ "I lent my drill to Greg", "Lent him a book": a verb, unless the season is led to."""
    if place.end - place.start != 1 or place.last.text != "lent" or place.before in _LENT_LEADS:
        return False
    return not place.last.capitalised or place.after in _POSSESSIVES | _LENT_TO


def _own_decade(place: MatchPlace) -> bool:
    """ "in her thirties", "tens of people"."""
    if "TENSNAME" not in place.last.classes and place.last.text != "s":
        return False
    if place.before in _POSSESSIVES or place.after == "of":
        return True
    return len(place.words) == 1 and (place.last.text == "tens" or place.before not in ("in", "of", "from"))


def _wish(place: MatchPlace) -> bool:
    """ "Happy New Year", "have a great weekend"."""
    return place.before in _WISHES and (place.before_that not in ("a", "the") or place.last.text == "weekend")


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
    return place.before in _DAY_EPITHETS or place.after == "addams"


DOUBTS = Doubts(
    openers=_OPENERS,
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
