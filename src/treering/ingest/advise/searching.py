"""Does a message want something that may be remembered? It asks for it, points back to it, or cannot be answered
without knowing who asks.

The query is what is left of the sentences that ask when the asking itself is taken off: "What did I say about
TypeScript?" looks for TypeScript. Times stay in it, since recall reads them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from treering.ingest.advise.advice import RecallAdvice
from treering.ingest.advise.cues import (
    SURE,
    UNSURE,
    FoundCue,
    MessageCue,
    OwnWords,
    believed,
    cue,
    grounds,
    message,
    named,
    terms,
)
from treering.ingest.advise.saving import ASKED_FOR as TOLD_TO_KEEP
from treering.ingest.advise.saving import WHOSE_IT_IS
from treering.ingest.extract.contract import Mentioned
from treering.language.when import when
from treering.mind.reading import OpensReader
from treering.model import limits

SOMEBODY_WEIGHT, SOMETHING_WEIGHT, PAST_WEIGHT = 0.5, 0.25, 0.35
OWN = "asks about one's own"
_SAY = (
    r"(?:say|said|tell|told|mention(?:ed)?|decided?|discuss(?:ed)?|talk(?:ed)?|agreed?|wr(?:i|o)te|noted?|saved?"
    r"|ch(?:oo|o)se"
    r"|pick(?:ed)?|plan(?:ned)?|recommend(?:ed)?|suggest(?:ed)?|conclude)"
)
_ABOUT = r"(?:\s+(?:you|me|us))?(?:\s+(?:about|on|regarding|concerning|of|that))?\b"

ASKS_FOR: tuple[MessageCue, ...] = (
    cue(
        "asks what was said",
        0.88,
        rf"\b(?:what|when|where|why|how|which)\b.{{0,30}}?\b(?:did|have|had|has)\s+(?:i|we|you)\s+(?:ever\s+"
        rf"|just\s+)?{_SAY}{_ABOUT}"
        rf"|\b(?:did|have)\s+(?:i|we)\s+(?:ever\s+|already\s+)?{_SAY}{_ABOUT}",
        "What did I say about TypeScript?",
        "which database did we decide on?",
        "Did I ever tell you about my trip?",
    ),
    cue(
        "asks whether it is remembered",
        0.88,
        r"\b(?:do|can|did) you (?:still )?(?:remember|recall)(?: (?:that|if|whether|about|anything about))?\b"
        r"|(?:^|\. )remember (?=(?:when|what|where|how|who|that time)\b)"
        rf"|(?:^|[.,!] |\byou )remember(?={WHOSE_IT_IS})",
        "Do you remember where I parked?",
        "Do you remember my birthday?",
        "Remember my dentist's name?",
        "Remember when we went to Rome?",
    ),
    cue(
        "asks to be reminded",
        0.88,
        r"\b(?:remind me|refresh my memory)(?: (?:again|about|of|on))*\b(?!\s+(?:to|in|at|tomorrow|every)\b)",
        "Remind me what the Wi-Fi password is",
        "refresh my memory on the Q3 plan",
    ),
    cue(
        "asks what is known",
        0.88,
        r"\bwhat (?:do|else do) (?:you|we) (?:know|have|remember)(?: (?:about|on|of))\b|\btell me (?:everything"
        r"|what) you know about\b"
        r"|\b(?:search|check|look (?:in|through|up in)) (?:your|my|the) (?:memory|memories|notes|vault)(?: (?:for"
        r"|about))?\b",
        "What do you know about Melanie?",
        "check your memory for the invoice number",
    ),
)

POINTS_BACK: tuple[MessageCue, ...] = (
    cue(
        OWN,
        0.75,
        r"\b(?:what|who|when|where|which|whose|how (?:old|many|much|long|often))(?:'s|'re)?\b.{0,60}?\b(?:my|our"
        r"|mine)\b[^?]*\?"
        r"|\b(?:what|who|when|where|which|how (?:old|many|much|long|often))\b.{0,40}?\b(?:do|did|am|was|were|have"
        r"|had) (?:i|we)\b[^?]*\?"
        r"|\b(?:do|did|am|was|have|had) i\b[^?]*\?",
        "What's my wife's name?",
        "Where do I work?",
        "Am I allergic to anything?",
    ),
    cue(
        "points back",
        0.6,
        r"\b(?:as|like) (?:i|we) (?:said|mentioned|discussed|agreed|did)\b|\blast time\b|\b(?:we|i) (?:talked|spoke"
        r"|discussed"
        r"|chatted) about\b|\byou (?:said|told|recommended|suggested|mentioned)\b|\bpreviously\b|\b(?:said|mentioned"
        r"|told you)"
        r" (?:earlier|before)\b|\bthe one (?:i|we) (?:mentioned|talked)",
        "as I mentioned, the usual supplier",
        "you recommended a book on bees",
    ),
    cue(
        "takes something as known",
        0.6,
        r"\b(?:the|my|our) usual\b|\bmy (?:favou?rite|preferred|regular)\b|\b(?:same|again) (?:as|like) (?:before"
        r"|always|last)\b"
        r"|\bas (?:usual|always)\b|\bmy (?:preferences|style|settings)\b",
        "order my usual",
        "write it in my preferred style",
    ),
    cue(
        "wants advice",
        0.45,
        r"\b(?:recommend|suggest|any ideas?|advise|what should (?:i|we)|where should (?:i|we)"
        r"|which .{0,30}should (?:i|we)"
        r"|plan (?:a|my|our)|help me (?:choose|pick|plan|decide))\b",
        "can you suggest a restaurant for Friday?",
        "what should I cook tonight?",
    ),
)

AGAINST: tuple[MessageCue, ...] = (
    cue(
        "told not to look",
        -0.95,
        r"\b(?:don'?t|do not|no need to|without) (?:search|look(?:ing)? (?:it |that )?up|us(?:e|ing) (?:your "
        r"|my )?(?:memory|memories)"
        r"|check(?:ing)?)\b|\bforget (?:it|that)\b",
        "don't look it up",
    ),
    cue(
        "a question of method",
        -0.65,
        r"\bhow (?:do|can|could|would|should) (?:i|we|you|one)\b|\bhow to\b|\bcan (?:i|we|you)\b(?! remember| recall"
        r"| remind| suggest| recommend| tell)",
        "How do I write a regex for dates?",
    ),
    cue(
        "a task",
        -0.55,
        r"^\W*(?:please |can you |could you )?(?:write|translate|convert|calculate|fix|debug|refactor|rewrite|proofread"
        r"|summari[sz]e (?:this|the following)|explain|define|solve|generate|draw|compute)\b"
        r"|\bmy (?:code|script|query|function|regex|test|sql|loop|build)\b",
        "Translate this into French",
        "What's wrong with my code?",
    ),
)

_LEADS = tuple(one.pattern for one in ASKS_FOR)
_GREETED = re.compile(
    r"^(?:(?:hey|hi|hello|ok(?:ay)?|so|and|but|well|um+|please|btw|by the way)\b[\s,!.]*)+", re.IGNORECASE
)
_TRAILING = re.compile(
    r"(?:[\s,]*\b(?:again|please|pls|by the way|btw|earlier|before|(?:that )?i (?:told you about"
    r"|mentioned)))*[\s?!.,;:]*$",
    re.IGNORECASE,
)
_LEADING = re.compile(r"^(?:(?:me|you|about|of|on|for|is|was|are|were|my|our|the|a|an|your)\b\s*)+", re.IGNORECASE)


def analyze_for_recall(text: str, now: datetime, opens: OpensReader) -> RecallAdvice:
    said = message(text)
    if said.says_nothing:
        reasons = ("- nothing is asked in it",)
        return RecallAdvice(should_search=False, confidence=0.0, decision="leave", reasons=reasons)
    names = named(said, opens)
    found = _grounds(said, names, now)
    confidence = believed(found)
    return RecallAdvice(
        should_search=confidence > SURE,
        confidence=confidence,
        decision="search" if confidence > SURE else "ask" if confidence >= UNSURE else "leave",
        query=_query(said, names) if confidence else "",
        entities=tuple(terms(said, [one.name for one in names])),
        reasons=tuple(one.reason for one in found) or ("- nothing speaks for it",),
    )


def _grounds(said: OwnWords, names: Sequence[Mentioned], now: datetime) -> list[FoundCue]:
    whole = "\n".join(said.sentences)
    asked = grounds(ASKS_FOR, whole)[:1]
    found = asked + [one for one in grounds(POINTS_BACK, whole) if not (asked and one.name == OWN)]
    if said.asks or found:
        people = [one.name for one in names if one.kind == "person"]
        others = [one.name for one in names if one.kind != "person"]
        found += [FoundCue("names somebody", SOMEBODY_WEIGHT, ", ".join(people))] if people else []
        found += [FoundCue("names something", SOMETHING_WEIGHT, ", ".join(others))] if others else []
    if said.asks and (past := _past(whole, now)):
        found.append(FoundCue("asks about the past", PAST_WEIGHT, past))
    told = grounds(TOLD_TO_KEEP, whole)[:1]
    found += [FoundCue("told to remember, not asked", -0.7, one.words) for one in told]
    return found + grounds(AGAINST, whole)


def _past(text: str, now: datetime) -> str | None:
    """The words that name a time which is over."""
    return next((one.text for one in when(text, now) if one.end is not None and one.end <= now), None)


def _query(said: OwnWords, names: Sequence[Mentioned]) -> str:
    """Of the sentences that ask or point back, or of all if none does."""
    asking = [one for one in said.sentences if one.endswith("?") or grounds((*ASKS_FOR, *POINTS_BACK), one)]
    left = [one for one in map(_without_asking, asking or said.sentences) if one]
    return (" ".join(left) or ", ".join(one.name for one in names) or said.text.strip())[: limits.QUERY_CHARS]


def _without_asking(sentence: str) -> str:
    rest = _GREETED.sub("", sentence.strip())
    lead = next((found for pattern in _LEADS if (found := pattern.search(rest)) is not None), None)
    if lead is not None:
        about, after = rest[: lead.start()].strip(" ,"), rest[lead.end() :]
        asked = re.match(
            r"\W*(?:what|which)\s+(?P<noun>[\w' -]+?)\s+(?:did|have|had|has)\b", lead.group(), re.IGNORECASE
        )
        rest = " ".join(part for part in (about, asked["noun"] if asked else "", after.strip(" ,")) if part)
    cut = _TRAILING.sub("", rest).strip(" ,:;")
    return (_LEADING.sub("", cut) or cut) if lead is not None else cut
