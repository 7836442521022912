"""Which plain attributes are stated? "my blood type is A positive", "rent is 900", "deadline for Orchid is April 15".

Any noun can be an attribute where its value is a number, a time or a code: what it is of becomes the subject, the
noun itself the relation, the rest the value. Some nouns are attributes whatever their value.
"""

from __future__ import annotations

import re

from treering.ingest.extract.contract import Claim, Stance
from treering.ingest.extract.rules import lexicon
from treering.ingest.extract.rules.clauses import numbers
from treering.ingest.extract.rules.lexicon import words
from treering.ingest.extract.rules.moods import Mood, Spoken
from treering.ingest.extract.rules.phrases import Phrase
from treering.ingest.extract.rules.times import times_of
from treering.model import limits

_RENAMED = {
    "BLOOD_TYPE": "HAS_BLOOD_TYPE",
    "BLOOD_GROUP": "HAS_BLOOD_TYPE",
    "DUE_DATE": "DEADLINE",
    "GO_LIVE": "DEADLINE",
    "LAUNCH": "DEADLINE",
    "LAUNCH_TARGET": "DEADLINE",
    "LAUNCH_DATE": "DEADLINE",
    "GO_LIVE_DATE": "DEADLINE",
    "NAME": "NAMED",
    "REAL_NAME": "NAMED",
    "FULL_NAME": "NAMED",
    "NICKNAME": "NAMED",
    "RELEASE_DATE": "DEADLINE",
    "MONTHLY_RENT": "RENT",
}
ATTRIBUTES = words(
    """
    blood type, blood group, rent, monthly rent, deadline, budget, budget cap, rate limit, salary, birthday,
    timezone, time zone, pronouns, password, code, combination, pin, address, phone number, number, email,
    email address, height, weight, age, size, shoe size, length, limit, price, cost, fee, topic, name,
    nickname, real name, full name, colour, color, favourite colour, favorite color, go-live, launch target,
    launch date, go-live date, due date, version, port, username, handle, title, major, capacity, mileage,
    timeout, interval, interest rate, deposit, quota, seat, gate, star sign, surname, middle name, release
    date, anniversary, nationality, dosage, dose, target, goal, personal best, pb, record, hourly rate,
    commute
    """
)
_A = r"(?P<A>\[[nc]\d+\](?: (?:for|of|on|at|in|with) \[[nctq]\d+\]| per \S+)*)"
_IS = re.compile(
    rf"^{_A} (?:is|was|will be|goes to|went to|goes up to|went up to|stays at|stays|slipped to|is set to|costs"
    rf"|cost|became) (?P<V>.+)$"
)
_DUE = re.compile(
    r"^(?P<A>\[[nc]\d+\]) (?:(?:has to|must|needs to|should) (?:be )?(?:due|done|finished|ready|submitted|shipped"
    r"|delivered|with|in|live|out|handed in|filed|paid)|is due)"
    r"(?: [a-z]+| \[[nc]\d+\])*? \[t(?P<T>\d+)\]"
)
_PUSHED = re.compile(
    r"(?:pushed|moved|shifted|delayed|postponed|changed|extended|set|brought|raised|lowered|increased|bumped|cut"
    r"|reduced|dropped)"
    r" (?:back |forward |up )?(?P<A>\[[nc]\d+\]) (?:back |forward |up |down )?to (?P<V>\S.*)$"
)
_NEW = re.compile(r"(?:^|, )(?P<A>\[c\d+\]) (?:is )?(?P<V>\[t\d+\])(?= |$)")
_WORTH = re.compile(r"^(?:~ ?|about |around |roughly |only )?[$€£]?\d|^\[[tq]\d+\]")
_STOPS = words(
    """
    but, because, so, per, incl, incl., a, and, now, until, btw, not, n't, though, instead, as, for, with,
    which, since, if, when, while
    """
)
_DASHES = frozenset(("-", "--", "–", "—"))  # noqa: RUF001
_PUNCTUATION = frozenset((",", ";", "!", "?", "(", ")", "…", ":"))
_INSTEAD = re.compile(r"(?:,? ?\bnot|instead of|rather than|,? ?\bwas|down from|up from)\s+([^,.;!?]{1,40})", re.I)
_PAID = re.compile(
    r"\d\s*(?:/|a |per )\s*(?:month|year|week|mo|kwh|hour|night|seat|user)|[$€£]\d|\d\s*(?:euros?|dollars|bucks"
    r"|quid|pounds)",
    re.I,
)
_LONG = re.compile(
    r"\b(?P<n>\d+|one|two|three|four|five|six)[- ]?(?P<unit>minute|hour|day|week|month|year)s?[- ](?P<thing>[a-z]+)$",
    re.I,
)
_UNITS = ((re.compile(r"(?:requests?|reqs?|calls)\s*/", re.I), "RATE_LIMIT"),)
_LONGEST_VALUE_CHARS = 60
_POINTING = frozenset(("this", "that", "these", "those"))
_ONE_OF_MANY = re.compile(r"(?:one|two|some|many|most|part|all|both|none) of\b", re.I)
"""No measure, though it begins like one: "the shop is one of my favourites"."""
_SOON = re.compile(
    r"(?:(?:later|earlier|late|early) )?(?:today|tomorrow|tonight|yesterday"
    r"|(?:next|this|last|the coming) (?:week|month|year|weekend|morning|afternoon|evening|night))",
    re.I,
)
"""What will mean another day tomorrow: "the bus was late today" gives no value of a bus."""


def attribute_claims(spoken: Spoken, before: Spoken | None = None) -> list[Claim]:
    """`before` is the clause before it in the same text: what its "it" is about."""
    if spoken.mood is not Mood.STATED:
        return []
    return (
        _age(spoken)
        or _of_it(spoken, before)
        or _due(spoken)
        or _plain(spoken)
        or _pushed(spoken)
        or _set_right(spoken)
        or _lengths(spoken)
        or _with_whom(spoken)
    )


def _age(spoken: Spoken) -> list[Claim]:
    found = re.match(r"^\[([in])(\d+)\] is (?:only )?(?:\[q(\d+)\]|(\d+))(?: years old| , | \.|$| and )", spoken.line)
    if found is None or {"when", "once", "until", "before", "if"} & set(spoken.clause.opening):
        return []
    who = spoken.clause.phrase(int(found[2]))
    value = spoken.clause.phrase(int(found[3])).text if found[3] else found[4]
    number = re.fullmatch(r"(\d{1,3})(?: years old)?", value)
    if number is None or not 0 < int(number[1]) < 120 or (found[1] == "n" and who.kind != "person" and not who.noun):
        return []
    return _made(spoken, who.label, "AGE", number[1], None)


def _of_it(spoken: Spoken, before: Spoken | None) -> list[Claim]:
    """ "my number changed, it's now 555-0192"."""
    found = re.match(r"^\[p\d+\] (?:is|was) (?P<V>.+)$", spoken.line)
    subject = before.clause.subject if before is not None else ()
    if found is None or len(subject) != 1 or subject[0].sort != "c" or spoken.clause.negations:
        return []
    value, instead = _value(spoken, found)
    noun = _attribute(subject[0], bool(_WORTH.match(found["V"]) or _WORTH.match(value)))
    if noun is None or not _WORTH.match(value):
        return []
    if subject[0].whose is not None:
        noun = (subject[0].full or subject[0].noun).lower()
    return _made(spoken, _of([subject[0]], noun, spoken), _relation(noun), value, instead)


def _due(spoken: Spoken) -> list[Claim]:
    found = _DUE.match(spoken.line)
    if found is None:
        return []
    phrase = spoken.clause.phrase(numbers(found["A"])[0])
    text = spoken.clause.reading.windows[int(found["T"])].text
    value = re.sub(r"^(?:by|before|until|on|till)\s+", "", text, flags=re.I)
    return _made(spoken, phrase.label, "DEADLINE", value, None)


def _plain(spoken: Spoken) -> list[Claim]:
    found = _IS.match(spoken.clause.full_line) or _IS.match(spoken.line)
    if found is None or spoken.clause.negations:
        return []
    phrases = [
        spoken.clause.phrase(int(mark)) for mark in re.findall(r"\[[nc](\d+)\]", re.sub(r" per \S+", "", found["A"]))
    ]
    value, instead = _value(spoken, found)
    measured = bool(_WORTH.match(found["V"]) or _WORTH.match(value))
    noun = _attribute(phrases[0], measured)
    if noun and phrases[0].whose is not None and len(phrases) == 1:
        noun = (phrases[0].full or phrases[0].noun).lower()
    if noun is None or not value or (not measured and _tag(spoken, found) in ("VBG", "IN", "RB", "TO")):
        return []
    pointing = phrases[0].article in _POINTING or _SOON.fullmatch(value)
    if _ONE_OF_MANY.match(value) or (pointing and noun not in ATTRIBUTES):
        return []
    if noun == "price" or (_PAID.search(spoken.clause.text) and noun not in ATTRIBUTES and measured):
        return _made(spoken, phrases[-1].label if "costs" in spoken.line else phrases[0].label, "COST", value, instead)
    return _made(spoken, _of(phrases, noun, spoken), _relation(noun), value, instead)


def _tag(spoken: Spoken, found: re.Match[str]) -> str:
    """What the value begins with."""
    first = found["V"].split(" ")[0]
    for token in spoken.clause.reading.words[spoken.clause.start : spoken.clause.end]:
        if token.lower_ == first:
            return spoken.clause.reading.tags[token.i]
    return ""


def _pushed(spoken: Spoken) -> list[Claim]:
    """ "they pushed go-live to April 14"; "new deadline May 9", said of what the clause before is about."""
    found = _PUSHED.search(spoken.line) or _NEW.search(spoken.line)
    if found is None:
        return []
    value, instead = _value(spoken, found)
    if not _WORTH.match(found["V"]) and not _WORTH.match(value):
        return []
    phrase = spoken.clause.phrase(numbers(found["A"])[0])
    noun = _attribute(phrase, False)
    for unit, relation in _UNITS:
        if noun is None and unit.search(value):
            return _made(spoken, phrase.label, relation, value, instead)
    if noun is None:
        return []
    return _made(spoken, _of([phrase], noun, spoken), _relation(noun), value, instead)


def _set_right(spoken: Spoken) -> list[Claim]:
    """ "it's A negative not A positive": which attribute it is of is known only where the old value is."""
    found = re.match(r"^(?:\[p\d+\] )(?:is|was) (?P<V>.+)$", spoken.line)
    if found is None or not spoken.clause.words & {"not", "n't"}:
        return []
    value, instead = _value(spoken, found)
    value = re.sub(r"^(?:always|really|actually|just|still|only)\s+", "", value)
    if instead is None or not value or len(value.split()) > 4:
        return []
    relation = _relation_of_old(spoken, instead)
    of = re.search(r" for \[[nc](\d+)\]", spoken.line)
    subject = spoken.clause.phrase(int(of[1])).label if of else spoken.clause.reading.me
    return _made(spoken, subject, relation, value, instead) if relation else []


def _relation_of_old(spoken: Spoken, old: str) -> str | None:
    """Of what the old value was said just before: "my blood type is A positive"."""
    for turn in reversed(spoken.clause.reading.heard.before):
        said = re.search(rf"([a-z]+(?: [a-z]+)?) (?:is|was|=) {re.escape(old)}", turn.text, re.I)
        if said:
            noun = re.sub(r"^(?:my|our|the|his|her)\s+", "", said[1], flags=re.I).lower()
            return _relation(noun)
    return None


def _lengths(spoken: Spoken) -> list[Claim]:
    """ "we're on 2 week sprints": how long a thing is, said in front of it."""
    for number in re.findall(r"(?:is on|is doing|trying|has|on|run|runs|running|doing) \[[cq](\d+)\]", spoken.line):
        found = _LONG.search(spoken.clause.phrase(int(number)).text)
        if found:
            thing = found["thing"].removesuffix("s")
            return _made(spoken, thing, "LENGTH", f"{found['n']} {found['unit']}", None)
    return []


def _with_whom(spoken: Spoken) -> list[Claim]:
    """ "physio is with Mr. Sow": whom one sees for something."""
    found = re.match(r"^\[c(\d+)\] is (?:with|by) \[n(\d+)\]", spoken.line)
    if found is None:
        return []
    what, whom = spoken.clause.phrase(int(found[1])), spoken.clause.phrase(int(found[2]))
    if what.whose or lexicon.last_word(what.noun) in lexicon.KIN | lexicon.PETS or not what.noun:
        return []
    return _made(spoken, spoken.clause.reading.me, _relation(what.noun), whom.label, None)


def _attribute(phrase: Phrase, measured: bool) -> str | None:
    """The noun that is the attribute, in its shortest known form; any noun where its value is a measure."""
    words = (phrase.full or phrase.noun).lower().split()
    if phrase.sort == "n" and not words:
        return "price" if measured and phrase.kind in ("organization", "technology", "object", None) else None
    for k in range(len(words) - 1, -1, -1):
        for tail in (" ".join(words[k:]),):
            if tail in ATTRIBUTES and (k == 0 or " ".join(words[k - 1 :]) not in ATTRIBUTES):
                return tail
    if not measured or phrase.sort != "c" or len(words) > 3:
        return None
    last = words[-1] if words else ""
    if last in (
        "day",
        "time",
        "thing",
        "one",
        "way",
        "week",
        "year",
        "month",
        "part",
        "rest",
        "problem",
        "idea",
        "plan",
    ):
        return None
    if last in lexicon.KIN | lexicon.FRIENDS | lexicon.PETS | lexicon.DWELLINGS or lexicon.is_role(last):
        return None
    return " ".join(words)


def _relation(noun: str) -> str:
    relation = re.sub(r"[^A-Z0-9]+", "_", noun.upper()).strip("_")
    return _RENAMED.get(relation, relation)


def _of(phrases: list[Phrase], attribute: str, spoken: Spoken) -> str:
    """ "deadline for the Orchid migration" is Orchid's, "sprint length" is the sprint's, "my rent" is mine."""
    first = phrases[0]
    if first.whose:
        return first.whose
    if len(phrases) > 1:
        return phrases[1].label
    front = first.noun[: -len(attribute)].strip() if first.noun.lower().endswith(attribute) else ""
    if first.whose == "":
        return spoken.clause.reading.me
    if first.name:
        return first.name
    return front or _before(spoken) or spoken.clause.reading.me


def _before(spoken: Spoken) -> str | None:
    """What the words before the clause are about: "the Orchid migration slipped, new deadline May 9"."""
    if " is " in spoken.line:
        return None
    earlier = [p for p in spoken.clause.reading.phrases if p.start < spoken.clause.end and p.sort == "n"]
    return earlier[0].label if earlier else None


def _value(spoken: Spoken, found: re.Match[str]) -> tuple[str, str | None]:
    clause, said = spoken.clause, spoken.clause.reading.words
    line_at = found.start("V") + (spoken.offset if found.string == spoken.line else 0)
    start = (
        clause.token_at(line_at)
        if found.string != clause.full_line or clause.line == clause.full_line
        else _token(clause.text, found, spoken)
    )
    end = start
    while end < clause.end and said[end].text not in _PUNCTUATION and not (end > start and said[end].lower_ in _STOPS):
        if said[end].text == "." and end + 1 >= clause.end:
            break
        if end > start and end in clause.reading.time_at and start not in clause.reading.time_at:
            break
        if end > start and said[end].text in _DASHES and said[end - 1].whitespace_:
            break
        end += 1
    value = re.sub(r"^(?:on|at|in|by)\s+", "", clause.reading.text(start, end).strip(" .\"'`"), flags=re.I)
    rest = clause.reading.text(end, clause.end) if end < clause.end else ""
    instead = _INSTEAD.search(rest)
    return value[:_LONGEST_VALUE_CHARS], instead[1].strip() if instead else None


def _token(text: str, found: re.Match[str], spoken: Spoken) -> int:
    """Where the value begins when the line that matched is not the clause's own."""
    words = len(found["V"].split())
    clause = spoken.clause
    kept = [token for place, token in clause.places]
    return kept[-words] if 0 < words <= len(kept) else clause.start


def _made(spoken: Spoken, subject: str, relation: str, value: str, instead: str | None) -> list[Claim]:
    if not 0 < len(subject) <= limits.NAME_CHARS or not value or subject == value:
        return []
    if not relation.isascii() or not re.fullmatch(r"[A-Z][A-Z0-9_]{0,40}", relation):
        return []
    times = times_of(spoken.clause, change=False, past=False)
    start = times.start if str(value) not in _window_texts(spoken) else None
    return [
        Claim(
            subject=subject, relation=relation, object=value, stance=Stance.HOLDS, valid_from=start, instead_of=instead
        )
    ]


def _window_texts(spoken: Spoken) -> set[str]:
    return {re.sub(r"^(?:by|from|on|until|till)\s+", "", w.text) for w in spoken.clause.reading.windows}
