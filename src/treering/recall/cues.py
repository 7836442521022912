"""What does a memory have about it that a question may ask for? Dates, numbers, places, reasons, feelings, orders.

Plain expressions over the words, one bit each, read once when a memory is learned. They weigh little: a hint, no more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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

# Expressions take long, above all to find nothing. Of a text in ASCII the words are looked at first: one of these tells
# by itself that a cue is there, and an expression is only tried where a word or a digit stands with which all else it
# looks for begins.
_TOKEN, _SOME_DIGIT = re.compile(r"[a-z0-9_]+"), re.compile(r"[0-9]")
_DIGIT = "0"
_SPANS = "minute minutes hour hours day days weekend week weeks month months year years since"
_ALONE: dict[Trait, str] = {
    Trait.TIME: f"""yesterday today tonight tomorrow ago last next morning evening night recently soon just birthday
        monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
        october november december jan feb mar apr jun jul aug sep sept oct nov dec {_SPANS}""",
    Trait.DURATION: f"{_SPANS} long",
    Trait.NUMBER: f"{_NUMBERS.replace('|', ' ')} once twice both couple",
    Trait.PLACE: "here there home place beach park city country",
    Trait.REASON: "because since so cause reason wanted due as",
    Trait.FEELING: """feel felt happy sad excited nervous great amazing awesome love hate scared proud grateful thankful
        relieved nice hard tough angry upset sorry""",
}
_BEGINNINGS: dict[Trait, str] = {
    Trait.TIME: f"this {_DIGIT}",
    Trait.DURATION: f"for {_DIGIT}",
    Trait.NUMBER: _DIGIT,
    Trait.PLACE: "in at to from near around on into outside inside behind",
    Trait.REASON: "to that",
    Trait.FEELING: "",
}
_INSTRUCTION_NEEDS = frozenset(("always", "never", "now", "prefer", "preference", "sure", "remember"))
_BEGUN = [
    (cue.value, re.compile(pattern))
    for cue, pattern in {
        Trait.TIME: r"this(?<=\bthis) (?:morning|summer|winter|spring|fall)\b"
        r"|\d(?<=\b\d)(?:\d{3}|\d*(?:st|nd|rd|th)|\d* ?[ap]m)\b",
        Trait.DURATION: r"for(?<=\bfor) (?:a|the|over|about)\b|\d(?<=\b\d)\d*\b",
        Trait.NUMBER: r"\d(?<=\b\d)[\d,.]*\b",
        Trait.PLACE: r"\b(?:in|at|to|from|near|around|on|into|outside|inside|behind) [a-z]",
        Trait.REASON: r"to help(?<=\bto help)\b|that's why(?<=\bthat's why)\b",
    }.items()
]
"""What the expressions look for beside those words, in small letters. The edge before a word is looked at behind it: an
expression that begins with a letter is tried where that letter stands, and one that begins with an edge everywhere."""


def _marked(listed: dict[Trait, str]) -> dict[str, int]:
    """For each word the cues it stands for, as bits."""
    marks: dict[str, int] = {}
    for cue, some in listed.items():
        for word in some.split():
            marks[word] = marks.get(word, 0) | cue.value
    return marks


_TELLS, _BEGINS = _marked(_ALONE), _marked(_BEGINNINGS)
_TELLING = frozenset((*_TELLS, *_BEGINS, *_INSTRUCTION_NEEDS))
_NAME = re.compile(r" (?<=[a-z,;'\"] )[A-Z][a-z]|\"[^\"]+\"")
"""Is found wherever that of the trait is, and faster."""


def flags_of(content: str, speaker: str | None, words_of: Sequence[str] | None = None) -> int:
    """An assistant gives no orders, and what it asks at the end of nearly every turn is an offer of more. `words_of`:
    the words of the content as they are spelled for search, where somebody has them."""
    words = _words(content, words_of) if content.isascii() else None  # beyond it letters fold in many ways
    found = _cues(content) if words is None else _cues_by_words(content, words)
    if speaker is not None and speaker.lower() in ASSISTANTS:
        return found | Trait.ASSISTANT.value
    if words is None or not words.isdisjoint(_INSTRUCTION_NEEDS):
        found |= Trait.INSTRUCTION.value if _INSTRUCTION.search(content[:INSTRUCTION_CHARACTERS]) else 0
    if (words is None or "?" in content) and _ASKS.search(content[-ENDING_CHARACTERS:]):
        found |= Trait.ASKS.value
    return found


def _cues(content: str) -> int:
    return sum(cue.value for cue, pattern in _CUES.items() if pattern.search(content))


def _cues_by_words(content: str, words: set[str]) -> int:
    found = may_be = 0
    for word in words:
        found |= _TELLS.get(word, 0)
        may_be |= _BEGINS.get(word, 0)
    if may_be & ~found:
        small = content.lower()
        for cue, pattern in _BEGUN:
            if may_be & ~found & cue and pattern.search(small):
                found |= cue
    return found | (Trait.NAME.value if _NAME.search(content) else 0)


def _words(content: str, words_of: Sequence[str] | None) -> set[str]:
    """The words of a text that tell anything, and a zero if there is any digit. Those for search are other words where
    one has a line in it, and lack the "s" of a genitive, which tells nothing."""
    known = words_of is not None and "_" not in content
    words = _TELLING.intersection(words_of if words_of is not None and known else _TOKEN.findall(content.lower()))
    found = set(words)
    if _SOME_DIGIT.search(content):
        found.add(_DIGIT)
    return found
