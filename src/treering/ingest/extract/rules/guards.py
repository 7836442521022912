"""What may stand in a slot? Questions that a rule asks of a phrase beyond its shape, each under the name rules use."""

from __future__ import annotations

import re
from collections.abc import Callable

from treering.ingest.extract.rules import lexicon
from treering.ingest.extract.rules.bygone import is_over, is_to_come
from treering.ingest.extract.rules.lexicon import words
from treering.ingest.extract.rules.phrases import Phrase
from treering.language.gazetteer import PEOPLE, Listing, gazetteer
from treering.language.things import FEMALE, MALE, kind_of_noun


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


def _thing(phrase: Phrase) -> bool:
    return phrase.sort in "nc" and phrase.kind not in ("person", "place") and not _person_word(phrase)


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


def _mine(phrase: Phrase) -> bool:
    return phrase.whose == ""


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


def _studies(phrase: Phrase) -> bool:
    return phrase.sort == "c" and not _in(frozenset(("job", "gig", "work", "dinner", "lunch")))(phrase)


def _school(phrase: Phrase) -> bool:
    return _named(phrase) and phrase.kind != "person"


def _university(phrase: Phrase) -> bool:
    return phrase.name is not None and phrase.name.lower() in lexicon.UNIVERSITIES


def _pairing(phrase: Phrase) -> bool:
    return _named(phrase) and phrase.kind in ("person", None, "organization", "object") and phrase.kind != "place"


def _system(phrase: Phrase) -> bool:
    """A thing that is made with tools: a service, a site, a project by its name."""
    if _named(phrase):
        return phrase.kind in ("project", "technology", None, "object", "concept") and not _person_word(phrase)
    return phrase.sort == "c" and _in(lexicon.SYSTEMS)(phrase)


_SCHOOLS = re.compile(
    r"(?i)\b(?:universit\w*|college|school|elementary|high|liceo|lycée|gymnasium|institut\w*|academy|polit\w+"
    r"|tech|montessori|kindergarten|uni|conservat\w+)\b"
)


_OFFICES = words("office, branch, site, campus, location, store, hq, headquarters, team, plant, warehouse, building")
_SPOUSES = words("husband, wife, spouse")
_TITLES = words("dr, dr., doctor, mr, mr., mrs, mrs., ms, ms., miss, mister, professor, prof, prof., sir, captain")
_NO_NAMES = words("team, gen, generation, type, size, class, group, capricorn, aquarius, libra, gemini, virgo, scorpio")
_SOMEONE = words("person, one, name, winner, answer, culprit")
_NO_SORT = words(
    """
    morning, night, evening, people, nice, whole, good, great, bad, better, worse, best, worst, new, old, young, older,
    younger, kind, happy, sad, changed, different, private, public, social, normal, busy, patient, strong, only, same,
    first, last, other, right, wrong, the, a, an, this, that, one, such
    """
)


def _bare_name(phrase: Phrase) -> bool:
    """A name by itself or after a title: neither "a Leo" nor "Team Edward"."""
    first = (phrase.name or "").lower().split()[:1]
    return _named(phrase) and not phrase.article and phrase.whose is None and not _NO_NAMES & set(first)


def _name_to_bear(phrase: Phrase) -> bool:
    return _bare_name(phrase) and phrase.kind == "person" and (not phrase.noun or phrase.noun.lower() in _TITLES)


def _sort_of_person(phrase: Phrase) -> bool:
    """Who likes something is called after it: "a cat person", but not "a kind person"."""
    said = phrase.text.lower().split()
    return len(said) > 1 and said[-1] == "person" and said[-2] not in _NO_SORT


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
    "thing": _thing,
    "tool": _tool,
    "named tool": _named_tool,
    "named": _named,
    "drug": _drug,
    "illness": _illness,
    "language": _language,
    "service": _service,
    "diet": _in(lexicon.DIETS),
    "ingredient": _in(lexicon.INGREDIENTS),
    "mine": _mine,
    "dwelling": _in(lexicon.DWELLINGS),
    "someone's dwelling": lambda p: p.whose is not None and _in(lexicon.DWELLINGS)(p),
    "device": _in(lexicon.DEVICES),
    "my device": lambda p: (p.whose == "" or p.article in ("", "the")) and _in(lexicon.DEVICES)(p),
    "team": lambda p: _in(lexicon.TEAMS)(p) and p.text.lower() != "board",
    "club": _in(lexicon.TEAMS - {"party", "board", "committee", "gang"}),
    "pet": _pet,
    "partner": lambda p: lexicon.is_partner(p.noun),
    "my partner": lambda p: p.whose is not None and lexicon.is_partner(p.noun),
    "child": lambda p: p.whose is not None and _in(lexicon.CHILDREN)(p),
    "boss": lambda p: _so_now(p) and _in(lexicon.BOSSES)(p),
    "supervisor": _in(lexicon.SUPERVISORS),
    "couple": _in(frozenset(("thing", "couple", "item", "pair"))),
    "spouse": lambda p: _so_now(p) and lexicon.is_partner(p.noun) and _in(_SPOUSES)(p),
    "not me": lambda p: p.sort != "i",
    "personal system": lambda p: (
        p.sort == "c"
        and _in(
            words(
                """
    mail, email, emails, notes, calendar, photos, backups, passwords, tasks, contacts, music
    """
            )
        )(p)
    ),
    "company": lambda p: (
        _named(p)
        and (p.kind == "organization" or _in(frozenset(("company", "startup", "firm", "agency", "studio")))(p))
        and not _in(lexicon.TEAMS)(p)
    ),
    "favourite": lambda p: bool(re.match(r"(?i)(?:\S+ )?favou?rite\b", p.text)),
    "baby of theirs": lambda p: _named(p) and _in(lexicon.CHILDREN)(p),
    "listed service": lambda p: _service(p) and (bool(re.search(r"\d", p.text)) or p.article == ""),
    "fan": _in(frozenset(("fan", "lover", "friend", "enthusiast", "admirer"))),
    "friend": _in(lexicon.FRIENDS),
    "the common": lambda p: p.sort == "c" and p.article == "the",
    "owner": lambda p: p.sort == "i" or (_named(p) and p.kind in ("person", None)),
    "a common system": lambda p: p.sort == "c" and _in(lexicon.SYSTEMS)(p),
    "everything": lambda p: p.noun.lower() in ("everything", "everyone", "everybody", "it all", "all of it"),
    "common": lambda p: p.sort == "c",
    "part": _in(frozenset(("part", "subsidiary", "division", "branch", "unit"))),
    "job": lambda p: _in(lexicon.JOBS)(p) and not is_over(p),
    "no job": lambda p: not _in(lexicon.JOBS)(p),
    "one's job": lambda p: _so_now(p) and _in(frozenset(("job", "position")))(p),
    "job or offer": _in(lexicon.JOBS | {"offer"}),
    "pastime": lambda p: _role(p) and p.whose is None and _in(lexicon.PASTIMES)(p),
    "volunteer": _in(frozenset(("volunteer", "volunteers"))),
    "learner": lambda p: p.sort == "c" and _in(lexicon.LEARNERS)(p),
    "employer": _employer,
    "may employ": _may_employ,
    "somebody else": lambda p: p.sort != "i" and _person(p),
    "workplace to join": lambda p: _workplace(p) and (p.name or "").lower() not in lexicon.COMMUNITIES,
    "whom to work for": _works_for,
    "no office": lambda p: not _in(_OFFICES)(p),
    "whom": lambda p: _person(p) or (p.sort == "n" and p.kind != "place"),
    "lease": _in(frozenset(("lease", "contract", "tenancy", "mortgage"))),
    "home": lambda p: p.noun.lower() in ("home", "home base", "base", "hometown", "new home", "new city"),
    "own dwelling": lambda p: p.text.lower().startswith(("own ", "my own ", "our own ")) and _in(lexicon.DWELLINGS)(p),
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
    "workplace or place": _named,
    "any role": lambda p: p.sort in "nc" and not _person_word(p) and not _in(lexicon.TEAMS)(p),
    "an organization": _organization,
    "work thing of mine": lambda p: p.whose == "" and _so_now(p) and _in(lexicon.WORK_THINGS)(p),
    "last day": lambda p: p.text.lower().endswith("last day"),
    "plain role": lambda p: p.sort == "c" and (_role(p) or p.noun.lower() in ("treasurer", "member", "chair")),
    "no place": lambda p: p.kind != "place",
    "not a place": lambda p: p.sort in "nc" and p.kind not in ("place", "person"),
    "bank": lambda p: p.sort == "n",
    "somebody": _somebody,
    "role of some": lambda p: (
        _role(p)
        and (p.whose is not None or p.article in ("", "the"))
        and p.noun.lower() not in lexicon.SUPERVISORS | lexicon.BOSSES
    ),
    "bin": _in(
        frozenset(("bin", "trash", "recycling", "charity", "scrapyard", "landfill", "dump", "goodwill", "ebay"))
    ),
    "somebody of mine": lambda p: (
        p.sort == "c" and p.whose is not None and _person_word(p) and not _in(lexicon.PARTNERS | lexicon.CHILDREN)(p)
    ),
    "notice": _in(frozenset(("notice", "notice period"))),
    "named pet": lambda p: _named(p) and _pet(p),
    "charge": lambda p: (
        bool(p.whose) and p.noun.lower() in ("baby", "job", "responsibility", "turf", "call", "domain", "project")
    ),
    "certificate": lambda p: (
        _named(p) and lexicon.last_word(p.noun) in ("cert", "certificate", "certification", "exam", "badge")
    ),
    "pain of mine": lambda p: (
        (p.whose == "" or p.article == "the") and (_illness(p) or p.noun.lower().endswith((" pain", "ache", "aches")))
    ),
    "role of ours": lambda p: _role(p) and (p.whose == "" or p.article in ("", "the")),
    "field": lambda p: p.noun.lower() in lexicon.FIELDS,
    "managed": _in(lexicon.MANAGED),
    "business": _in(lexicon.BUSINESSES),
    "school": _school,
    "studies": _studies,
    "degree": _in(
        words(
            """
    bachelor, bachelors, bachelor's, master, masters, master's, phd, doctorate, degree, mba, diploma,
    course, grade, year, semester, studies, postdoc, bsc, msc, ba, ma, engineering, law, medicine, physics,
    nursing, linguistics, economics, kindergarten, school, science, biology, chemistry, history, philosophy,
    maths, architecture, psychology, term
    """
        )
    ),
    "surely a school": lambda p: _named(p) and bool(_SCHOOLS.search(f"{p.name} {p.noun}")),
    "school to go to": lambda p: _named(p) and (bool(_SCHOOLS.search(f"{p.name} {p.noun}")) or _university(p)),
    "surely an organization": lambda p: (
        p.kind == "organization" and not re.search(r"(?i)hotel|hostel|inn\b|lodge", p.text)
    ),
    "role with its article": lambda p: p.article in ("a", "an", "the") and p.whose is None and _role(p),
    "bare role": lambda p: p.sort == "c" and p.whose is None and p.article in ("", "a", "an") and _role(p),
    "role of nobody": lambda p: _role(p) and p.whose is None and p.noun.lower() not in ("boss", "guy"),
    "surely a person": lambda p: p.kind == "person",
    "known as a person": lambda p: _named(p) and (p.kind == "person" or _first_name(p)),
    "date": _pairing,
    "whom to see": lambda p: _pairing(p) and p.kind in ("person", None) and lexicon.last_word(p.noun) not in _TITLES,
    "I alone": lambda p: p.text.lower() not in ("we", "us"),
    "no pronoun": lambda p: p.sort != "p",
    "name to bear": _name_to_bear,
    "name to go by": lambda p: _bare_name(p) and p.kind in ("person", None),
    "baby": lambda p: p.sort == "p" or _in(lexicon.CHILDREN)(p),
    "people": lambda p: _person(p) or p.sort in "np",
    "my friend": _in(lexicon.FRIENDS),
    "parent company": _in(frozenset(("parent company", "parent", "owner"))),
    "a system": _system,
    "tool on": lambda p: _named(p) and p.kind not in ("person", "place") and not _service(p),
    "user of tools": lambda p: p.sort in "inc" and p.kind != "place",
    "a technology": lambda p: p.kind == "technology" or (p.kind is None and _named(p)),
    "subscribed": lambda p: (
        _service(p)
        or (_named(p) and p.kind in ("technology", "object", "organization", None))
        or _in(frozenset(("subscription", "membership", "plan")))(p)
    ),
    "owned": _owned,
    "good": _good,
    "gadget": _gadget,
    "named or me": lambda p: p.sort in "in",
    "work": lambda p: p.sort == "c" and p.whose is None and p.noun != "" and not _in(FEMALE | MALE | _SOMEONE)(p),
    "maybe a pet": lambda p: _named(p) and p.kind in ("person", "object", None) and (not p.noun or _pet(p)),
    "named thing": lambda p: _named(p) and p.kind not in ("person", "place"),
    "a work": _in(lexicon.WORKS),
    "extension": lambda p: p.sort in "nc" and p.whose is None and _in(lexicon.EXTENSIONS)(p),
    "a product": lambda p: _named(p) and p.kind in ("technology", "object", "project", None) and not _person_word(p),
    "sort of person": _sort_of_person,
    "liked": lambda p: p.sort in "nc" and p.kind != "person",
    "consumed": _in(lexicon.CONSUMED),
    "food": _in(lexicon.FOODS),
}
