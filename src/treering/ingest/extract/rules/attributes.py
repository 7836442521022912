"""Which plain attributes are stated? "my blood type is A positive", "rent is 900", "deadline for Orchid is April 15".

Any noun can be an attribute: what it is of becomes the subject, the noun itself the relation, the rest the value.
"""

from __future__ import annotations

import re
from datetime import datetime

from treering.ingest.extract.contract import Claim
from treering.ingest.extract.rules.clauses import numbers
from treering.ingest.extract.rules.moods import Mood, Spoken
from treering.ingest.extract.rules.phrases import Phrase
from treering.ingest.extract.rules.times import times_of
from treering.model import limits

# fmt: off
_RENAMED = {
    "BLOOD_TYPE": "HAS_BLOOD_TYPE", "BLOOD_GROUP": "HAS_BLOOD_TYPE", "DUE_DATE": "DEADLINE", "SUBMISSION_DEADLINE": "DEADLINE",
    "API_RATE_LIMIT": "RATE_LIMIT", "MONTHLY_RENT": "RENT", "NEW_DEADLINE": "DEADLINE", "DIETARY_RESTRICTION": "FOLLOWS_DIET",
    "GO_LIVE": "DEADLINE", "LAUNCH": "DEADLINE", "LAUNCH_TARGET": "DEADLINE", "LAUNCH_DATE": "DEADLINE", "GO_LIVE_DATE": "DEADLINE",
}
_ATTRIBUTES = frozenset((
    "blood type", "blood group", "rent", "deadline", "budget", "budget cap", "rate limit", "salary", "birthday", "timezone",
    "time zone", "pronouns", "password", "wifi password", "code", "parking code", "combination", "locker combination", "pin",
    "address", "phone number", "number", "email", "email address", "height", "weight", "age", "size", "shoe size", "speed",
    "sprint length", "length", "limit", "price", "cost", "fee", "topic", "name", "nickname", "real name", "full name", "license",
    "plate", "colour", "color", "favourite", "favorite", "go-live", "launch", "launch target", "due date", "version", "port",
    "username", "handle", "title", "job title", "major", "thesis", "capacity", "mileage", "resolution", "temperature",
    "timeout", "interval", "frequency", "duration", "rate", "interest rate", "mortgage", "deposit", "quota", "seat", "gate",
))
# fmt: on
_IS = re.compile(
    r"^(?P<A>\[[nc]\d+\](?: (?:for|of|on|at|per|in) \[[nctq]\d+\])*) (?:is|was|will be|goes to|went to|went up to|stays at|stays|moves to|slipped to|pushed to) (?P<V>.+)$"
)
_NOUN_OF = re.compile(r"\[[nc](\d+)\]")
_DUE = re.compile(
    r"^(?P<A>\[[nc]\d+\]) (?:has to be \S+|must be \S+|is due|needs to be \S+|has to be|is due by)(?: [a-z]+)*(?: \[[nc]\d+\])?(?: [a-z]+)* \[t(?P<T>\d+)\]"
)
_NEW = re.compile(r"(?:^|, )(?P<A>\[c\d+\]) (?:is )?\[t(?P<T>\d+)\]")
_INSTEAD = re.compile(r"(?:,? ?not|instead of|rather than|was)\s+([^,.;!?]{1,40})", re.I)


def attribute_claims(spoken: Spoken) -> list[Claim]:
    if spoken.mood is not Mood.STATED or ("never" in spoken.clause.negations and False):
        return []
    return _due(spoken) or _plain(spoken)


def _due(spoken: Spoken) -> list[Claim]:
    found = _DUE.match(spoken.line)
    if found is None:
        return []
    phrase = spoken.clause.phrase(numbers(found["A"])[0])
    value = _time_words(spoken, int(found["T"]))
    return _made(spoken, phrase.label, "DEADLINE", value, None) if value else []


def _plain(spoken: Spoken) -> list[Claim]:
    found = _IS.match(spoken.line)
    if found is None:
        return []
    marks = _NOUN_OF.findall(found["A"])
    first = spoken.clause.phrase(int(marks[0]))
    noun = _attribute(first)
    if noun is None:
        return []
    others = [spoken.clause.phrase(int(mark)) for mark in marks[1:]]
    subject = _of(first, noun, others, spoken)
    value, instead = _value(spoken, found)
    relation = re.sub(r"[^A-Z0-9]+", "_", noun.upper()).strip("_")
    relation = _RENAMED.get(relation, relation)
    if not relation or not relation.isascii() or not relation[0].isalpha() or not value:
        return []
    return _made(spoken, subject, relation, value, instead)


def _attribute(phrase: Phrase) -> str | None:
    noun = phrase.noun.lower()
    words = noun.split()
    for k in range(len(words)):
        tail = " ".join(words[k:])
        if tail in _ATTRIBUTES:
            return tail
    return None


def _of(phrase: Phrase, attribute: str, others: list[Phrase], spoken: Spoken) -> str:
    """ "deadline for the Orchid migration" is Orchid's, "sprint length" is the sprint's, "my rent" is mine."""
    if phrase.whose:
        return phrase.whose
    front = phrase.noun[: len(phrase.noun) - len(attribute)].strip()
    if others:
        return others[0].label
    if phrase.whose == "":
        return spoken.clause.reading.me
    if phrase.name and phrase.sort == "n":
        return phrase.name
    return front or spoken.clause.reading.me


def _value(spoken: Spoken, found: re.Match[str]) -> tuple[str, str | None]:
    start = spoken.clause.token_at(spoken.offset + found.start("V"))
    doc = spoken.clause.reading.doc
    end = start
    while end < spoken.clause.end and doc[end].text not in (",", ";", "!", "?", "(", ")", "…") and doc[end].lower_ not in (
        "but", "because", "so", "per", "incl", "incl.", "a", "and", "now", "until", "btw", "not", "n't", "though", "instead",
    ):  # fmt: skip
        if doc[end].text == "." and end + 1 >= spoken.clause.end:
            break
        end += 1
    value = spoken.clause.reading.text(start, end).strip(" .\"'`")
    rest = spoken.clause.reading.text(end, spoken.clause.end) if end < spoken.clause.end else ""
    instead = _INSTEAD.search(rest)
    return value[:80], instead[1].strip() if instead else None


def _time_words(spoken: Spoken, number: int) -> str:
    text = spoken.clause.reading.windows[number].text
    return re.sub(r"^(?:by|before|until|on|till)\s+", "", text, flags=re.I)


def _made(spoken: Spoken, subject: str, relation: str, value: str, instead: str | None) -> list[Claim]:
    if not 0 < len(subject) <= limits.NAME_CHARS or not 0 < len(value) <= limits.NAME_CHARS or subject == value:
        return []
    since: datetime | None = times_of(spoken.clause, False, False).start
    return [Claim(subject=subject, relation=relation, object=value, valid_from=since, instead_of=instead)]
