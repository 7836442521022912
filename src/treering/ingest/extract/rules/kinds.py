"""Is a statement an episode, a lasting fact or a viewpoint, and how much does it matter? By stated rules only."""

from __future__ import annotations

import re
from collections.abc import Sequence

from treering.ingest.extract.contract import Claim, Cue
from treering.ingest.extract.importance import MINOR, by_claims
from treering.ingest.extract.rules import lexicon
from treering.ingest.extract.rules.attributes import ATTRIBUTES
from treering.ingest.extract.rules.engine import Found
from treering.ingest.extract.rules.moods import Mood, Spoken
from treering.ingest.extract.rules.phrases import Phrase
from treering.ingest.extract.rules.times import says_since, windows_in
from treering.language.when.window import Grain
from treering.model.memory import Kind

_TASTES = frozenset(("PREFERS", "LIKES", "DISLIKES"))
_ORDERS = re.compile(
    r"^(?:\[t\d+\] )?(?:\[i900\] )?(?:please )?(?:call \[i|answer|use|keep|stop|give \[i|send|remember|always"
    r"|avoid|write|be|speak|talk|respond|reply|no [a-z\[]|let|make|ping|tell \[i|remind)\b"
)
_ADDRESSED = re.compile(r"^\[i\d+\] (?:would like|want|need) \[y\d+\] to\b")
_WHEN_VALUE = re.compile(r"\d|day\b|noon|tomorrow|tonight|weekend", re.I)
_JUDGES = re.compile(
    r"\bfine by\b|\bswears? by\b|\bworth (?:it|every)\b|\b(?:too|so) (?:much|many|long|slow|loud|expensive)\b"
    r"|\bgood enough\b"
)
_HABITS = frozenset(("always", "every", "usually", "never", "often", "whenever"))
_CORRECTS = re.compile(
    r"\b(?:correction|i meant|i mean|scratch that|ignore (?:that|what i said)|my bad|wait,? no|wait,|oops"
    r"|typo|not true|misread|got (?:it|that|.{1,25} name) wrong|i was wrong|mistake|mixed up|wrong (?:ticket|row"
    r"|one)|turns out|all along|real (?:name|time)|"
    r"i said .{1,40}\bbut)\b",
    re.I,
)
_ACTUALLY = re.compile(
    r"(?:^|[.!?,;:()\u2013\u2014-]\s*|\b(?:no|wait|oh|but|well|so|because|it's|its|it is|it was|that's|that is"
    r"|that was)[\s,]+)actually\b|\bactually\s*[.!,]*$",
    re.I,
)
"""Where it corrects something; in the middle of a clause ("I actually like it") it is filler."""
_BESIDES = re.compile(r"\b(?:too|also|as well)\b", re.I)
SHORT_CHARS = 100
_CHANGED = re.compile(
    r"\b(?:no longer|anymore|any more|not happening|split up|lapsed|didn'?t renew|called off|fell through"
    r"|cancell?ed|no more"
    r"|as of (?:today|now|this|monday|tuesday|wednesday|thursday|friday|january|february|march|april|may|june"
    r"|july|august"
    r"|september|october|november|december)|from (?:now|today|here) on|switched|turned .{1,30} down)\b",
    re.I,
)
_TRYING = re.compile(
    r"\b(?:i'?m|i am|we'?re) (?:now )?(?:trying|working on|looking|struggling|building|implementing|hoping)\b"
    r"|\bcan you\b|\bhelp me\b",
    re.I,
)
_CHANGES = re.compile(
    r"\b(?:not happening|turned .{1,30} down|split up|lapsed|didn'?t renew|called off|fell through|cancell?ed|no"
    r" more|never mind|bumped|slipped|pushed|raised|went (?:up|down)|back on|as well|from (?:now|today)|departs"
    r"|moves? (?:to|off|from)|moved|now|no longer|anymore|any more|as of|from (?:now|today|here) on|these days"
    r"|(?-i:new|New(?! [A-Z]))"
    r"|switched|moved|went up|instead|not .{1,30} anymore|starting|effective|from today|replaced|changed|since"
    r" (?:monday|tuesday|wednesday|thursday|friday|last|yesterday))\b",
    re.I,
)


def kind_of(spoken: Sequence[Spoken], found: Sequence[Found], claims: Sequence[Claim]) -> Kind:
    moods = {one.mood for one in spoken}
    main = next((one for one in spoken if one.clause.has_verb), spoken[0])
    if any(claim.relation in _TASTES for claim in claims) and not any(one.rule.kind is Kind.EPISODE for one in found):
        return Kind.VIEWPOINT
    for one in found:
        if one.rule.kind is not None:
            return one.rule.kind
    if moods == {Mood.ASKED} or (main.mood is Mood.ASKED and not claims):
        return Kind.EPISODE
    if Mood.SUPPOSED in moods:
        return Kind.VIEWPOINT
    if (_ordered(main) and _leads(spoken, main)) or (_ordered(spoken[0]) and not claims):
        return Kind.VIEWPOINT
    if _is_appointment(spoken) and all(
        _WHEN_VALUE.search(claim.object) and claim.relation.replace("_", " ").lower() not in ATTRIBUTES | {"deadline"}
        for claim in claims
    ):
        return Kind.EPISODE
    if main.mood is Mood.PLANNED or (claims and all(claim.relation == "PLANNED" for claim in claims)):
        dated = any(w.start is not None for w in windows_in([main.clause]))
        return Kind.EPISODE if dated or "booked" in main.clause.words else Kind.VIEWPOINT
    if _measured_then(main):
        return Kind.EPISODE
    if claims:
        return Kind.SEMANTIC
    if _is_event(main):
        return Kind.EPISODE
    if any(_judges(one) for one in spoken):
        return Kind.VIEWPOINT
    return Kind.SEMANTIC


def _judges(one: Spoken) -> bool:
    said = one.clause.words & lexicon.OPINIONS
    reading = one.clause.reading
    if said == {"like"}:
        places = range(one.clause.start, one.clause.end)
        return any(reading.words[i].lower_ == "like" and reading.tags[i].startswith("VB") for i in places)
    return bool(said) or _JUDGES.search(one.line) is not None


def _leads(spoken: Sequence[Spoken], main: Spoken) -> bool:
    """Whether nothing of weight is said before it."""
    before = [one.clause for one in spoken[: list(spoken).index(main)]]
    return not any(
        p.sort in "nc" for clause in before for p in clause.reading.phrases if clause.start <= p.start < clause.end
    )


def _measured_then(one: Spoken) -> bool:
    """ "blood pressure this morning was 148": a state on one day is an episode."""
    days = [w for w in windows_in([one.clause]) if w.grain <= Grain.DAY and w.start is not None and w.end is not None]
    return " was " in one.line and any(w.start is not None and w.start <= one.clause.reading.at for w in days)


def _ordered(one: Spoken) -> bool:
    if one.mood is Mood.ASKED:
        return False
    return bool(_ADDRESSED.match(one.line)) or (bool(_ORDERS.match(one.line)) and not one.clause.said_subject)


def _is_event(one: Spoken) -> bool:
    """Told in the past, or as something done: "had dinner", "has handed in his notice"."""
    if one.clause.words & _HABITS and not windows_in([one.clause]):
        return False
    for i in range(one.clause.start, one.clause.end):
        if one.clause.reading.in_quotes[i]:
            continue
        token = one.clause.reading.words[i]
        if one.clause.reading.tags[i] == "VBD":
            return token.lemma_ not in ("be", "know", "like", "love", "want", "need") or token.lower_ == "had"
        if one.clause.reading.tags[i] == "VBN" and i not in one.clause.reading.phrase_at:
            return "has" in one.line and "been" not in one.line
        if one.clause.reading.tags[i] in ("VBZ", "VBP", "MD") and token.lemma_ not in ("have",):
            return False
    return False


def _is_appointment(spoken: Sequence[Spoken]) -> bool:
    windows = windows_in([one.clause for one in spoken])
    at = spoken[0].clause.reading.at
    planned = any(one.mood is Mood.PLANNED for one in spoken)
    return not planned and any(
        w.start is not None and w.end is not None and w.end.date() >= at.date() and (w.end - w.start).days <= 2
        for w in windows
        if not says_since(w)
    )


def importance_of(spoken: Sequence[Spoken], claims: Sequence[Claim], asked: bool) -> float:
    """Minor is what is only asked, and what anybody does on any day: "I had soup", "took the bus home"."""
    if not claims and (asked or all(_is_everyday(one) for one in spoken)):
        return MINOR
    return by_claims(claims, spoken[0].clause.reading.me)


def _is_everyday(one: Spoken) -> bool:
    """Whether it tells of what has happened, and everything in it is of every day: one word that is not makes it
    worth as much as anything else."""
    clause, reading = one.clause, one.clause.reading
    if one.mood is not Mood.STATED or clause.negations or not clause.has_verb or clause.words & lexicon.OPINIONS:
        return False
    spoken_of = [p for p in reading.phrases if clause.start <= p.start < clause.end]
    verbs = [i for i in range(clause.start, clause.end) if reading.tags[i].startswith("VB")]
    tags = {reading.tags[i] for i in range(clause.start, clause.end)}
    return (
        bool(tags & {"VBD", "VBN", "VBG"})
        and "MD" not in tags
        and all(p.sort == "i" or (p.sort == "c" and _of_every_day(p)) for p in spoken_of)
        and any(p.sort == "c" for p in spoken_of)
        and all(reading.words[i].lemma_ in lexicon.EVERYDAY_ACTS for i in verbs if i not in reading.phrase_at)
    )


def _of_every_day(phrase: Phrase) -> bool:
    return not phrase.whose and lexicon.last_word(phrase.noun.lower()) in lexicon.EVERYDAY | lexicon.CONSUMED


def cue_of(text: str, found: Sequence[Found], claims: bool) -> Cue | None:
    """A correction says so. A change is one of a fact, or is said in words that are said of nothing else."""
    if _CORRECTS.search(text) or (_ACTUALLY.search(text) and not _BESIDES.search(text)):
        return Cue.CORRECTION
    if any(one.cue is Cue.CHANGE for one in found) or _CHANGED.search(text):
        return Cue.CHANGE
    return (
        Cue.CHANGE
        if _CHANGES.search(text) and (claims or len(text) <= SHORT_CHARS) and not _TRYING.search(text)
        else None
    )
