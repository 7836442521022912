"""What does a memory have about it that a question may ask for? Dates, numbers, places, reasons, feelings, orders.

Plain expressions over the words, one bit each, read once when a memory is learned. They weigh little: a hint, no more.
"""

from __future__ import annotations

import re
from enum import IntFlag

INSTRUCTION_CHARACTERS, ENDING_CHARACTERS = 400, 400
ASSISTANTS = frozenset({"assistant", "ai", "bot"})


class Trait(IntFlag):
    TIME = 1
    DURATION = 2
    NUMBER = 4
    PLACE = 8
    NAME = 16
    REASON = 32
    FEELING = 64
    INSTRUCTION = 128
    ASSISTANT = 256
    ASKS = 512


_DAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTHS = "january|february|march|april|june|july|august|september|october|november|december"
_SHORT_MONTHS = "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
_UNITS = "minutes?|hours?|days?|weekend|weeks?|months?|years?"
_NUMBERS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand"

_CUES: dict[Trait, re.Pattern[str]] = {
    Trait.TIME: re.compile(
        rf"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|this (?:morning|summer|winter|spring|fall)|{_DAYS}"
        rf"|{_MONTHS}|{_SHORT_MONTHS}|{_UNITS}|morning|evening|night|recently|since|soon|just|birthday|\d{{4}}|\d+(?:st|nd|rd|th)"
        r"|\d+ ?(?:am|pm))\b",
        re.IGNORECASE,
    ),
    Trait.DURATION: re.compile(rf"\b(?:{_UNITS}|since|long|for (?:a|the|over|about)|\d+)\b", re.IGNORECASE),
    Trait.NUMBER: re.compile(rf"\b(?:\d[\d,.]*|{_NUMBERS}|once|twice|both|couple)\b", re.IGNORECASE),
    Trait.PLACE: re.compile(
        r"\b(?:in|at|to|from|near|around|on|into|outside|inside|behind) (?:(?:the|a|my|our|his|her|this) )?[a-z]+"
        r"|\b(?:here|there|home|place|beach|park|city|country)\b",
        re.IGNORECASE,
    ),
    Trait.NAME: re.compile(r"(?<=[a-z,;'\"] )[A-Z][a-z]+|\"[^\"]+\""),
    Trait.REASON: re.compile(r"\b(?:because|since|so|cause|reason|wanted|to help|that's why|due|as)\b", re.IGNORECASE),
    Trait.FEELING: re.compile(
        r"\b(?:feel|felt|happy|sad|excited|nervous|great|amazing|awesome|love|hate|scared|proud|grateful|thankful"
        r"|relieved|nice|hard|tough|angry|upset|sorry)\b",
        re.IGNORECASE,
    ),
}
_INSTRUCTION = re.compile(
    r"^\W*(?:please )?(?:always|never)\b|\b(?:always|never)\b.{0,80}\bwhen i\b|\bfrom now on\b"
    r"|\bi(?:'d| would)? prefer\b|\bmy preference\b|\bmake sure (?:you|to always)\b|\bremember (?:that|to)\b",
    re.IGNORECASE,
)

_ASKS = re.compile(r"[?\uff1f\u061f][\s\"'\u201d\u2019)]*(?:\[[^\]]*\]\s*)?$")
"""It ends with a question, but for a remark in brackets."""

# Most texts lack most cues, and an expression takes longest to find nothing: it is only tried on texts that hold one of
# the words, or a digit, with which all it looks for begins.
_TOKEN, _SOME_DIGIT = re.compile(r"[a-z0-9_]+"), re.compile(r"[0-9]")
_DIGIT = "0"
_BEGINNINGS: dict[Trait, frozenset[str]] = {
    cue: frozenset(words.split())
    for cue, words in {
        Trait.TIME: f"""yesterday today tonight tomorrow ago last next this morning evening night recently since soon
            just birthday monday tuesday wednesday thursday friday saturday sunday january february march april june
            july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec minute
            minutes hour hours day days weekend week weeks month months year years {_DIGIT}""",
        Trait.DURATION: f"""minute minutes hour hours day days weekend week weeks month months year years since long for
            {_DIGIT}""",
        Trait.NUMBER: f"{_NUMBERS.replace('|', ' ')} once twice both couple {_DIGIT}",
        Trait.PLACE: """in at to from near around on into outside inside behind here there home place beach park city
            country""",
        Trait.REASON: "because since so cause reason wanted to that due as",
        Trait.FEELING: """feel felt happy sad excited nervous great amazing awesome love hate scared proud grateful
            thankful relieved nice hard tough angry upset sorry""",
        Trait.INSTRUCTION: "always never from i my make remember please",
    }.items()
}


def flags_of(content: str, speaker: str | None) -> int:
    """An assistant gives no orders, and what it asks at the end of nearly every turn is an offer of more."""
    tokens = _tokens(content)
    found: int = sum(cue for cue, pattern in _CUES.items() if _may_have(cue, tokens) and pattern.search(content))
    if speaker is not None and speaker.lower() in ASSISTANTS:
        return found | Trait.ASSISTANT
    if _may_have(Trait.INSTRUCTION, tokens) and _INSTRUCTION.search(content[:INSTRUCTION_CHARACTERS]):
        found |= Trait.INSTRUCTION
    return found | (Trait.ASKS if _ASKS.search(content[-ENDING_CHARACTERS:]) else 0)


def _tokens(content: str) -> set[str] | None:
    """The words of a text, and a zero if there is any digit. None beyond ASCII, where letters fold in many ways."""
    if not content.isascii():
        return None
    tokens = set(_TOKEN.findall(content.lower()))
    if _SOME_DIGIT.search(content):
        tokens.add(_DIGIT)
    return tokens


def _may_have(cue: Trait, tokens: set[str] | None) -> bool:
    return tokens is None or cue not in _BEGINNINGS or not tokens.isdisjoint(_BEGINNINGS[cue])
