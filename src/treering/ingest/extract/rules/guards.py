"""What may stand in a slot? Questions that a rule asks of a phrase beyond its shape, each under the name rules use."""

from __future__ import annotations

import re
from collections.abc import Callable

from treering.ingest.extract.rules import lexicon
from treering.ingest.extract.rules.bygone import is_over, is_to_come
from treering.ingest.extract.rules.lexicon import words
from treering.ingest.extract.rules.phrases import Phrase
from treering.language.gazetteer import PEOPLE, Listing, gazetteer
from treering.language.things import kind_of_noun


def _noun(phrase: Phrase) -> str:
    return phrase.noun.lower()


def _named(phrase: Phrase) -> bool:
    return phrase.sort == "n"


def _in(words: frozenset[str]) -> Callable[[Phrase], bool]:
    def asks(phrase: Phrase) -> bool:
        noun = _noun(phrase)
        if noun in words or lexicon.last_word(noun) in words:
            return True
        return not noun and phrase.name is not None and lexicon.last_word(phrase.name) in words

    return asks


def _place(phrase: Phrase) -> bool:
    """ "Oslo" and "the Noma restaurant", but not "the Noma party"."""
    if phrase.name and phrase.noun and not phrase.text.endswith((phrase.name, phrase.name + "'s")):
        return kind_of_noun(lexicon.last_word(phrase.noun)) in ("place", "organization") and not _in(lexicon.TEAMS)(
            phrase
        )
    return _named(phrase) and phrase.kind not in ("person", "technology")


def _sure_place(phrase: Phrase) -> bool:
    return _named(phrase) and phrase.kind == "place"


def _place_to_live(phrase: Phrase) -> bool:
    """A place, and no company or product that people move their work to: "we moved to Slack"."""
    return _place(phrase) and (phrase.kind not in ("organization", "object") or bool(phrase.noun))


_VISITED = re.compile(
    r"(?i)\b(?:hotel|hostel|inn|lodge|resort|airport|station|park|mall|caf[eé]|coffee|bar|pub|restaurant|diner|grill|pizz\w+"
    r"|gym|fitness|spa|hospital|clinic|museum|zoo|stadium|arena|theat\w+|cinema|beach|library|church|market|store|shop)\b"
)


def _workplace(phrase: Phrase) -> bool:
    if not _named(phrase) or _first_name(phrase) or _person_word(phrase):
        return False
    return bool(phrase.noun) or phrase.kind not in ("place", "person")


def _employer(phrase: Phrase) -> bool:
    """An organization that nobody is at unless they work there: no shop, inn or hall."""
    if not _organization(phrase) or _VISITED.search(phrase.text):
        return False
    return (phrase.name or "").lower() not in lexicon.VENUES


def _works_for(phrase: Phrase) -> bool:
    """Whom one can work for or at; "the Boston office" is no company by the name of Boston."""
    town = gazetteer().of(phrase.name or "") == {Listing.PLACE}
    if _first_name(phrase) or (phrase.kind == "person" and not phrase.noun):
        return False
    return _named(phrase) and not (town and lexicon.last_word(phrase.noun) in _OFFICES)


def _person(phrase: Phrase) -> bool:
    if phrase.sort == "i":
        return True
    if phrase.sort == "n":
        return phrase.kind in ("person", None) or lexicon.last_word(phrase.noun) in lexicon.KIN | lexicon.FRIENDS
    return lexicon.last_word(phrase.noun) in lexicon.KIN | lexicon.FRIENDS


def _not_person(phrase: Phrase) -> bool:
    return phrase.sort in "nc" and phrase.kind != "person" and not _person_word(phrase)


def _person_word(phrase: Phrase) -> bool:
    return lexicon.last_word(phrase.noun) in lexicon.KIN | lexicon.FRIENDS


def _role(phrase: Phrase) -> bool:
    return lexicon.is_role(phrase.noun or phrase.text)


def _drug(phrase: Phrase) -> bool:
    return lexicon.is_drug(phrase.label)


def _illness(phrase: Phrase) -> bool:
    low = phrase.label.lower()
    return low in lexicon.ILLNESSES or lexicon.last_word(low) in lexicon.ILLNESSES


def _language(phrase: Phrase) -> bool:
    return phrase.label.lower() in lexicon.LANGUAGES or lexicon.last_word(phrase.text) in lexicon.LANGUAGES


def _service(phrase: Phrase) -> bool:
    low = phrase.label.lower()
    return low in lexicon.SERVICES or low.split(" ")[0] in lexicon.SERVICES


def _so_now(phrase: Phrase) -> bool:
    """Somebody's, and neither a former nor a future one."""
    return phrase.whose is not None and not is_over(phrase) and not is_to_come(phrase)


def _tool(phrase: Phrase) -> bool:
    if phrase.sort == "c" and (phrase.article in ("this", "that", "these", "those") or _in(lexicon.INTANGIBLE)(phrase)):
        return False
    return phrase.sort in "nc" and phrase.kind not in ("person", "place") and not _person_word(phrase)


def _named_tool(phrase: Phrase) -> bool:
    return _named(phrase) and phrase.kind not in ("person", "place")


def _pet(phrase: Phrase) -> bool:
    return _in(lexicon.PETS)(phrase) or (phrase.sort == "n" and phrase.noun.lower() in ("one", "second one"))


def _somebody(phrase: Phrase) -> bool:
    return _person(phrase) or (phrase.sort in "np" and phrase.kind in ("person", None))


def _organization(phrase: Phrase) -> bool:
    return _named(phrase) and phrase.kind not in ("person", "place") and not _first_name(phrase)


def _first_name(phrase: Phrase) -> bool:
    """A name by itself that is known for people, and for nothing else."""
    listed = gazetteer().of(phrase.name or "")
    return bool(listed) and listed <= PEOPLE and not phrase.noun


def _owned(phrase: Phrase) -> bool:
    if phrase.kind in ("person", "place", "organization") and not _pet(phrase) and not phrase.noun:
        return False
    if _service(phrase) or _illness(phrase) or _person_word(phrase):
        return False
    return _named(phrase) or _pet(phrase) or _in(lexicon.DEVICES)(phrase) or _in(lexicon.GOODS)(phrase)


def _gadget(phrase: Phrase) -> bool:
    return (_named(phrase) and phrase.kind in ("object", "technology") and not _service(phrase)) or _in(
        lexicon.DEVICES | lexicon.GOODS
    )(phrase)


def _good(phrase: Phrase) -> bool:
    if phrase.kind in ("person", "place", "organization") or _person_word(phrase) or phrase.sort not in "nc":
        return False
    return not _in(lexicon.DWELLINGS | lexicon.USED_UP | lexicon.INTANGIBLE | lexicon.CONSUMED)(phrase)


def _school(phrase: Phrase) -> bool:
    return _named(phrase) and phrase.kind != "person"


def _pairing(phrase: Phrase) -> bool:
    return _named(phrase) and phrase.kind in ("person", None, "organization", "object") and phrase.kind != "place"


def _system(phrase: Phrase) -> bool:
    """A thing that is made with tools: a service, a site, a project by its name."""
    if _named(phrase):
        return phrase.kind in ("project", "technology", None, "object", "concept") and not _person_word(phrase)
    return phrase.sort == "c" and _in(lexicon.SYSTEMS)(phrase)


_OFFICES = words("office, branch, site, campus, location, store, hq, headquarters, team, plant, warehouse, building")
_TITLES = words("dr, dr., doctor, mr, mr., mrs, mrs., ms, ms., miss, mister, professor, prof, prof., sir, captain")
_NO_NAMES = words("team, gen, generation, type, size, class, group, capricorn, aquarius, libra, gemini, virgo, scorpio")


def _bare_name(phrase: Phrase) -> bool:
    """A name by itself or after a title: neither "a Leo" nor "Team Edward"."""
    first = (phrase.name or "").lower().split()[:1]
    return _named(phrase) and not phrase.article and phrase.whose is None and not _NO_NAMES & set(first)


def _name_to_bear(phrase: Phrase) -> bool:
    return _bare_name(phrase) and phrase.kind == "person" and (not phrase.noun or phrase.noun.lower() in _TITLES)


def _may_employ(phrase: Phrase) -> bool:
    """A company, and neither a tool nor what people subscribe to."""
    listed = gazetteer().of(phrase.name or "")
    known = phrase.kind == "organization" or listed & {Listing.SERVICE, Listing.BRAND, Listing.ORGANIZATION}
    used = Listing.TECHNOLOGY in listed or _service(phrase) or (phrase.name or "").lower() in lexicon.COMMUNITIES
    return _workplace(phrase) and bool(known) and not used


GUARDS: dict[str, Callable[[Phrase], bool]] = {
    "place": _place,
    "surely a place": _sure_place,
    "place to live": _place_to_live,
    "workplace": _workplace,
    "person": _person,
    "named person": lambda p: _named(p) and p.kind in ("person", None),
    "no person": _not_person,
    "role": _role,
    "tool": _tool,
    "named tool": _named_tool,
    "named": _named,
    "drug": _drug,
    "illness": _illness,
    "language": _language,
    "service": _service,
    "diet": _in(lexicon.DIETS),
    "my device": lambda p: (p.whose == "" or p.article in ("", "the")) and _in(lexicon.DEVICES)(p),
    "team": lambda p: _in(lexicon.TEAMS)(p) and p.text.lower() != "board",
    "my partner": lambda p: p.whose is not None and lexicon.is_partner(p.noun),
    "boss": lambda p: _so_now(p) and _in(lexicon.BOSSES)(p),
    "couple": _in(frozenset(("thing", "couple", "item", "pair"))),
    "not me": lambda p: p.sort != "i",
    "listed service": lambda p: _service(p) and (bool(re.search(r"\d", p.text)) or p.article == ""),
    "fan": _in(frozenset(("fan", "lover", "friend", "enthusiast", "admirer"))),
    "employer": _employer,
    "workplace to join": lambda p: _workplace(p) and (p.name or "").lower() not in lexicon.COMMUNITIES,
    "may employ": _may_employ,
    "whom to work for": _works_for,
    "role with its article": lambda p: p.article in ("a", "an", "the") and p.whose is None and _role(p),
    "surely a person": lambda p: p.kind == "person",
    "extension": lambda p: p.sort in "nc" and p.whose is None and _in(lexicon.EXTENSIONS)(p),
    "a product": lambda p: _named(p) and p.kind in ("technology", "object", "project", None) and not _person_word(p),
    "no office": lambda p: not _in(_OFFICES)(p),
    "whom": lambda p: _person(p) or (p.sort == "n" and p.kind != "place"),
    "place-bound": lambda p: (
        p.sort in "nc" and p.kind not in ("person", "technology") and not _person_word(p) and p.whose is None
    ),
    "spot": lambda p: (
        p.kind == "place"
        or _in(
            words(
                """
    room, floor, building, office, shed, drawer, basement, attic, garage, hall, cupboard
    """
            )
        )(p)
        or p.sort == "q"
    ),
    "any role": lambda p: p.sort in "nc" and not _person_word(p) and not _in(lexicon.TEAMS)(p),
    "an organization": _organization,
    "somebody": _somebody,
    "named pet": lambda p: _named(p) and _pet(p),
    "managed": _in(lexicon.MANAGED),
    "school": _school,
    "role for a living": lambda p: (
        _role(p) and p.whose is None and p.noun.lower() not in ("boss", "guy") and not _in(lexicon.BESIDE_WORK)(p)
    ),
    "role of nobody": lambda p: _role(p) and p.whose is None and p.noun.lower() not in ("boss", "guy"),
    "known as a person": lambda p: _named(p) and (p.kind == "person" or _first_name(p)),
    "date": _pairing,
    "I alone": lambda p: p.text.lower() not in ("we", "us"),
    "no pronoun": lambda p: p.sort != "p",
    "name to bear": _name_to_bear,
    "name to go by": lambda p: _bare_name(p) and p.kind in ("person", None),
    "a system": _system,
    "user of tools": lambda p: p.sort in "inc" and p.kind != "place",
    "a technology": lambda p: p.kind == "technology" or (p.kind is None and _named(p)),
    "owned": _owned,
    "good": _good,
    "gadget": _gadget,
    "maybe a pet": lambda p: _named(p) and p.kind in ("person", "object", None) and (not p.noun or _pet(p)),
    "named thing": lambda p: _named(p) and p.kind not in ("person", "place"),
    "liked": lambda p: p.sort in "nc" and p.kind != "person",
    "consumed": _in(lexicon.CONSUMED),
}
