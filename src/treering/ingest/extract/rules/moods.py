"""Is it said as a fact? Plans, guesses, suppositions, questions, jokes and what others said are none.

One table a mood, of words on a clause's line. A lead such as "turns out" or "I think" is taken off the line, so that
rules see the fact itself, and decides whether it is believed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from treering.ingest.extract.rules.clauses import Clause
from treering.ingest.extract.rules.lexicon import words


class Mood(StrEnum):
    STATED = "stated"
    PLANNED = "planned"
    GUESSED = "guessed"
    SUPPOSED = "supposed"
    ASKED = "asked"
    REPORTED = "reported"
    JOKED = "joked"
    TOLD_TO = "told to"  # an instruction to whoever listens
    NOT_SO = "not so"  # told as what nearly was, or was only dreamt


UNREAL = frozenset((Mood.SUPPOSED, Mood.JOKED, Mood.NOT_SO))
"""What is not so at all."""


_PH = r"\[[incpy]\d+\]"
_LEADS: tuple[tuple[str, Mood], ...] = (
    (r"(?:it )?turns out (?:that )?", Mood.STATED),
    (
        r"\[i\d+\] (?:found out|learned|realized|realised|noticed|discovered|forgot to say|should mention"
        r"|remember)(?: that)? (?=\[)",
        Mood.STATED,
    ),
    (r"(?:did \[[iy]\d+\] (?:tell|know|mention) )(?:\[[iy]\d+\] )?(?:that )?(?=\[)", Mood.STATED),
    (r"(?:so \[y\d+\] know|for (?:the|your) records?|for \[c\d+\]|\[c\d+\] for \[[yi]\d+\]) ?,? ?", Mood.STATED),
    (
        r"(?:remind \[i\d+\](?! (?:what|how|when|why|who|where|which|to))|remember|note that"
        r"|keep in mind) (?:that )?,? ?",
        Mood.STATED,
    ),
    (r"\[i\d+\] (?:think|guess|believe|suspect|reckon|assume|feel like|doubt)(?: that)? (?=\[)", Mood.GUESSED),
    (
        r"(?:sure|fairly sure|seems|seems like|looks like|sounds like|rumour has it|rumor has it)(?: that)? (?=\[)",
        Mood.GUESSED,
    ),
    (rf"(?:\[i\d+\] )?(?:heard|read|saw)(?: from {_PH})? that ", Mood.REPORTED),
    (r"(?:\[i\d+\] )?heard (?=\[)", Mood.REPORTED),
    (rf"according to {_PH} ,? ?", Mood.REPORTED),
    (
        rf"{_PH} (?:says|say|said|claims|claimed|thinks|reckons|swears|mentioned|texted|wrote|reports|heard"
        rf"|insists|told {_PH})(?: that)? (?=\[)",
        Mood.REPORTED,
    ),
)
_LEAD = tuple((re.compile("^" + pattern), mood) for pattern, mood in _LEADS)
_ONLY_SOURCE = re.compile(
    rf"^(?:\[i900\] )?(?:according to {_PH}|(?:as )?{_PH} (?:says|said|claims|told {_PH}|reckons)|apparently"
    rf"|allegedly|supposedly) ?,?$"
)
_GUESS_WORDS = words(
    """
    might, apparently, maybe, maaaybe, perhaps, probably, possibly, supposedly, allegedly, rumour, rumor,
    rumours
    """
)
_PLAN = re.compile(
    r"\b(?:(?:is|was) )?(?:going to (?!\[)|planning|plan to|plans to|thinking (?:of|about)|considering|consider"
    r"|hoping|hope to|want to|want go|wants to|would like to"
    r"|would love to|intend to|intends to|looking (?:at|to|into)|leaning towards?|saving (?:up )?for|dreaming of"
    r"|about to|trying to|need to|needs to|should|might|will)\b"
)
_WAITS = re.compile(
    rf"^{_PH} is (?:joining|starting|leaving|quitting|moving|switching|becoming|taking|retiring|resigning)\b.*"
    r" (?:when|once|if|unless|provided|assuming) \["
)
"""What comes once something else has: "I'm joining Nokia when my visa is here"."""
_SUPPOSING = frozenset(("if", "suppose", "imagine", "unless"))
_INVENTED = re.compile(
    r"^(?:(?:so|and|but|ok|okay|well|now)\b[\s,]*)*"
    r"(?:(?:let'?s|let us) (?:say|assume|pretend|suppose|imagine)\b|say,? (?=\w+ \w+s\b)|pretend\b|assum(?:e|ing)\b"
    r"|hypothetically\b|in theory\b|once upon a time\b|(?:for )?(?:example|instance)\s*[,:]|e\.?g\.?[\s,:]"
    r"|in (?:my|our|the|a|an|this|that|his|her|their|one)(?: \w+){0,2} (?:novel|story|book|movie|film|screenplay|script"
    r"|comic|dream|nightmare|fanfic|fairy tale|tale|scenario|example|thought experiment)"
    r"(?=\s*[,:]| (?:i|we|that|there|he|she|by)\b| (?-i:[A-Z])))",
    re.I,
)
"""A sentence that begins so tells of nothing that is so."""
_DREAMT = re.compile(
    r"\b(?:dreamed|dreamt|pretended|imagined|fantasi[sz]ed"
    r"|(?:had|have) an? (?:\w+ )?(?:dream|nightmare)(?= (?:that|about|where|in|of|i)\b|\s*[,.!]|$))"
)
_NEARLY = words("almost, nearly")
_AS_GOOD_AS = words("finish, complete, graduate, do, be")
"""What is almost done is going on."""
_TURNS = frozenset(("but", "because", "cos", "so", "although", "though", "while", "whereas"))
"""Behind these a sentence may say something else in another mood."""
_JOKES = re.compile(
    r"just kidding|\bjk\b|april fool|check the date|not really lol|\bi wish\b|in my dreams"
    r"|\b(?:i'm|i am|we're|he's|she's) basically (?:an?|the|my|their)\b",
    re.I,
)
_ASKING = re.compile(
    rf"^(?:what|when|where|who|whom|whose|which|why|how|(?:can|could|will|would|should|may|might|do) {_PH}"
    r"|(?:is|was|did|has|had) \[[ipy]\d+\]|(?:is|was|did|has) \[[nc]\d+\].*\?|any (?!more)|anyone|ideas)(?![a-z])"
)
_ASK_VERBS = re.compile(
    r"^(?:\[i\d+\] )?(?:need|want|give(?! \[i\d+\] \[.*\bover\b)|write|make|tell|explain|convert|recommend|suggest"
    r"|help|list|draft|show|find|translate|summarize|summarise|quiz|interview|describe|compare|calculate|remind"
    r"|recall|define|solve|check|proofread|rewrite|fix|plan|brainstorm|name|generate|create)\b"
)


_ORDERED = words(
    """
    use, go, come, try, take, choose, pick, visit, move, eat, drink, enjoy, buy, get, join, start, quit, switch, rely,
    check, leave, follow, sell, order, wear, watch, read, drop, ditch, replace, install, upgrade, stick
    """
)
"""Verbs of what somebody is told to do; what one loves, needs or has is not ordered."""
_LASTING = words(
    "now, days, nowadays, currently, lately, still, mostly, usually, always, never, mainly, daily, i, my, our"
)
"""What is told of oneself in few words: "use Neovim these days", "go to Yale now"."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A clause with its mood, and its line without the lead. `told_by` is who said it, where somebody else did."""

    clause: Clause
    mood: Mood
    line: str
    offset: int
    told_by: str | None = None


def spoken(clauses: Sequence[Clause]) -> list[Spoken]:
    """Each clause of a text with its mood; a supposition colours the rest of its sentence."""
    found: list[Spoken] = []
    text = clauses[0].reading.heard.text if clauses else ""
    joke = bool(_JOKES.search(text))
    supposed_in: set[int] = {c.sentence for c in clauses if _supposes(c)}
    imagined_in: set[int] = {
        c.sentence for c in clauses if _supposes(c) and c.words & {"imagine", "suppose", "pretend"}
    }
    invented_in = _invented_in(clauses)
    for k, clause in enumerate(clauses):
        line, offset, lead_mood, teller = _without_lead(clause)
        if (
            lead_mood is None
            and k
            and clauses[k - 1].sentence == clause.sentence
            and _ONLY_SOURCE.match(clauses[k - 1].line)
        ):
            lead_mood, teller = Mood.REPORTED, clauses[k - 1].line
        mood = lead_mood or Mood.STATED
        if joke:
            mood = Mood.JOKED
        elif (
            _supposes(clause)
            or clause.sentence in imagined_in | invented_in
            or (clause.sentence in supposed_in and "would" in line)
        ):
            mood = Mood.SUPPOSED
        elif _is_nearly(clause) or _is_dreamt(clause, found):
            mood = Mood.NOT_SO
        elif lead_mood is None and _asks(clause, line, k, clauses):
            mood = Mood.ASKED
        elif mood is Mood.STATED and (clause.words & _GUESS_WORDS or _unsure(clause)):
            mood = Mood.GUESSED
        elif mood is Mood.STATED and _goes_on(clause, found):
            mood, teller = found[-1].mood, found[-1].told_by
        elif mood is Mood.STATED and _plans(clause, line):
            mood = Mood.PLANNED
        elif mood is Mood.STATED and _orders(clause):
            mood = Mood.TOLD_TO
        found.append(Spoken(clause, mood, line, offset, teller))
    return found


def _invented_in(clauses: Sequence[Clause]) -> set[int]:
    """Sentences that are made up from their beginning on."""
    first: dict[int, Clause] = {}
    for clause in clauses:
        first.setdefault(clause.sentence, clause)
    return {number for number, clause in first.items() if _INVENTED.match(clause.text)}


def _goes_on(clause: Clause, before: Sequence[Spoken]) -> bool:
    """Whether what was guessed or hearsay goes on: "I think Ann lives in Oslo and works at Nokia". What follows of who
    speaks is said by themselves again."""
    if not before or before[-1].clause.sentence != clause.sentence or _TURNS & set(clause.opening):
        return False
    mine = clause.said_subject and clause.subject[0].sort == "i"
    return before[-1].mood in (Mood.GUESSED, Mood.REPORTED) and not mine


def _is_dreamt(clause: Clause, before: Sequence[Spoken]) -> bool:
    """Whether it tells of a dream, or goes on with one in the sentence that says so."""
    if _DREAMT.search(clause.text.lower()):
        return True
    here = [one for one in before if one.clause.sentence == clause.sentence]
    return bool(here) and here[-1].mood is Mood.NOT_SO and not _TURNS & set(clause.opening) and not clause.said_subject


def _is_nearly(clause: Clause) -> bool:
    """ "I almost left Nokia"; "almost always" and "for almost ten years" are of what is so."""
    said, tags = clause.reading.words, clause.reading.tags
    for i in range(clause.start, clause.end - 1):
        if said[i].lower_ in _NEARLY and tags[i + 1] in ("VBD", "VBN", "VB"):
            return said[i + 1].lemma_ not in _AS_GOOD_AS
    return False


def _unsure(clause: Clause) -> bool:
    return clause.line.startswith(("pretty sure", "fairly sure", "not sure", "rumour", "rumor")) or (
        "might" in clause.words or {"not", "sure"} <= clause.words
    )


def _supposes(clause: Clause) -> bool:
    return any(word in _SUPPOSING for word in clause.opening) or clause.line.startswith(
        ("suppose ", "imagine ", "[i900] suppose ", "[i900] imagine ")
    )


def _without_lead(clause: Clause) -> tuple[str, int, Mood | None, str | None]:
    line, offset, mood = clause.line, 0, None
    teller: str | None = None
    implied = re.match(r"^\[i900\] ", line)
    for pattern, leads_to in _LEAD:
        found = pattern.match(line)
        if found is None and implied is not None:
            found = re.compile(pattern.pattern[1:]).match(line, implied.end())
        if found is None:
            continue
        if leads_to is Mood.REPORTED:
            marks = re.findall(r"\[([ncp])(\d+)\]", line[: found.end()])
            teller = clause.phrase(int(marks[0][1])).label if marks else "somebody"
        offset += found.end()
        line = line[found.end() :]
        mood = leads_to if mood in (None, Mood.STATED) else mood
        implied = None
    return line, offset, mood, teller


def _asks(clause: Clause, line: str, k: int, clauses: Sequence[Clause]) -> bool:
    plain = re.sub(r"^\[i900\] ", "", line)
    if _ASKING.match(plain):
        return not plain.startswith(("how cool", "how nice", "what a "))
    if "?" in clause.reading.text(clause.start, clause.end)[-4:]:
        # "We're on Postgres 13, is 17 worth it?": only the half with the question in it asks
        return not (
            clause.said_subject
            and any(c.sentence == clause.sentence and c is not clause and _ASKING.match(c.line) for c in clauses)
        )
    return bool(_ASK_VERBS.match(plain)) and clause.start == clauses[0].start and not clause.said_subject


def _orders(clause: Clause) -> bool:
    """ "Use short sentences", "Go to Rome": said to whoever listens, and no fact of who speaks. "Love Rome" is one."""
    if clause.said_subject or clause.words & _LASTING or not clause.line.startswith("[i900] "):
        return False
    words, tags = clause.reading.words, clause.reading.tags
    first = next(
        (i for i in range(clause.start, clause.end) if words[i].is_alpha and tags[i] not in ("RB", "UH")), None
    )
    return first is not None and tags[first] == "VB" and words[first].lemma_ in _ORDERED


def _plans(clause: Clause, line: str) -> bool:
    if "booked" in clause.words or "booking" in clause.words:
        return True
    return bool(_PLAN.search(line) or _WAITS.match(line))
