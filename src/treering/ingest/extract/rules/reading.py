"""What is there to see in a text before any rule is asked? Its words, names, phrases, times and quotations.

Every rule reads from here, so that each text is parsed once and all rules speak of the same words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from treering.ingest.extract.contract import Heard
from treering.ingest.extract.rules.lexicon import words
from treering.ingest.extract.rules.phrases import Phrase, phrases
from treering.ingest.extract.rules.recent import Parsed, ParsedWord
from treering.ingest.extract.rules.tags import tags_of
from treering.language.coreference import Meant, Place
from treering.language.english import written
from treering.language.names import Name
from treering.language.when import when
from treering.language.when.window import Grain, Window

# An apostrophe opens no quotation, and a lone inch sign ends none.
_QUOTED = re.compile(r"\"[^\"\n]{4,}\"|“[^”\n]{4,}”|«[^»\n]{4,}»")
_TIME_LEADS = words(
    """
    in, on, at, for, over, during, around, about, early, late, mid, back, from, starting, effective,
    through, till, until, by
    """
)
_OF_SOMETHING = re.compile(r"\s+(?:at|of|with|in|on)\b", re.I)
_SOMEBODYS = re.compile(r"(?:\b(?:my|our|your|his|her|their)|['\u2019]s?)\s+$", re.I)
_ONLY_NOW = re.compile(
    r"(?:right |just )?now|currently|these days|nowadays|at the moment|lately|recently|at present|presently|for now",
    re.I,
)
_SILENT = re.compile(
    r"\b(?:a (?:little )?bit of|a lot of|lots of|a bunch of|a couple of|some kind of|some sort of|(?:till|until"
    r"|since|by|back) then)\b",
    re.I,
)
_AHEAD = re.compile(r"^(?:starting|beginning|effective)\b", re.I)
_FROM = re.compile(r"^(?:from|by)\b", re.I)
_BACK = re.compile(r"^(?:since|as of|ever since|back in|over|after)\b", re.I)
_SENTENCE = frozenset((".", "!", "?", ";"))
_NEAR = _SENTENCE | {",", ":", "and", "but", "so"}
_COMING = re.compile(
    r"(?:\b(?:am|is|are)|'m|'re|'s|im)\s+(?:\w+\s+)?(?:getting|going|leaving|flying|moving|starting|coming"
    r"|having|meeting|visiting|launching|hosting|"
    r"travell?ing|arriving|returning|throwing)\b[^.!?;]*$|\b(?:i|we|he|she|they|it|\w+) (?:starts?|begins?"
    r"|leaves?|arrives?|departs?|opens?|launches)\b[^.!?;,]*$"
    r"|(?:\b(?:is|are)|'s|'re)\s*$"
    r"|\b(?:moved|pushed|postponed|rescheduled|shifted|delayed|slipped|extended|bumped|deferred|put\s+off)"
    r"\s+(?:back\s+|forward\s+|out\s+)?to\s*$",
    re.I,
)
_PUT_OFF = re.compile(
    r"\b(?:pushed|postponed|delayed|extended|deferred|put\s+off)(?:\s+(?:back|out))?\s*$"
    r"|(?<!was )(?<!were )(?<!been )\b(?:closed|shut|blocked|suspended|unavailable)\s*$",
    re.I,
)
"""Until a day that is yet to come: "Road closed through April 15"."""
_DATED = re.compile(r"\b(?:1[89]|20)\d\d\b|\b(?:ago|last|yesterday|past|this)\b", re.I)
_AGAIN = re.compile(
    r"\b(?:usually|normally|typically|generally|always|regularly|whenever|daily|nightly|weekly"
    r"|tends?\s+to|as\s+a\s+rule|week(?:days|ends|nights)|(?:mon|tues|wednes|thurs|fri|satur|sun)days"
    r"|(?:every|each|most)\s+(?:single\s+|other\s+|second\s+)?"
    r"(?:days?|mornings?|afternoons?|evenings?|nights?|weeks?|weekends?|weekdays?|months?|years?|springs?|summers?"
    r"|autumns?|falls?|winters?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july"
    r"|august|september|october|november|december))\b",
    re.I,
)
"""Words by which something happens again and again."""
_ON_A_DAY = re.compile(
    r"\d{4}|\b\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d"
    r"|\b(?:today|tonight|tomorrow|yesterday|ago|last|next|this|past|coming|previous|since|until|till|til|as of"
    r"|from|starting|effective|beginning)\b",
    re.I,
)
_TURNS = _SENTENCE | {"but", "except", "although", "though", "however", "yet"}
SINCE = re.compile(r"(?:since|from|starting|as of|effective|ever since)\b", re.I)
UNTIL = re.compile(r"(?:until|till|til|through|by|before|up to|'til)\b", re.I)


@dataclass(frozen=True, slots=True)
class TextReading:
    """One text, read. `stand_ins` are its pronouns and what they mean, by their place."""

    heard: Heard
    parsed: Parsed
    words: tuple[ParsedWord, ...]
    tags: tuple[str, ...]
    names: tuple[Name, ...]
    stand_ins: Mapping[Place, Meant]
    windows: tuple[Window, ...]
    quoted: tuple[tuple[int, int], ...]
    phrases: tuple[Phrase, ...]
    time_at: Mapping[int, int]  # token → window
    phrase_at: Mapping[int, int]  # token → phrase
    in_quotes: tuple[bool, ...]
    project: str | None = None  # what the talk is about
    silent: frozenset[int] = frozenset()  # "a bit of": tokens that no rule asks for

    @property
    def me(self) -> str:
        return self.heard.first_person

    @property
    def at(self) -> datetime:
        return self.heard.at

    def text(self, start: int, end: int) -> str:
        """The words from token `start` to `end`, as they were written."""
        if start >= end:
            return ""
        last = self.words[end - 1]
        return self.heard.text[self.words[start].idx : last.idx + len(last)]

    def chars(self, start: int, end: int) -> tuple[int, int]:
        last = self.words[end - 1]
        return self.words[start].idx, last.idx + len(last)


def reading(heard: Heard, read: Parsed, stand_ins: Mapping[Place, Meant], project: str | None = None) -> TextReading:
    names = read.names
    windows = tuple(_sure(window, heard.text, names) for window in when(heard.text, heard.at))
    tags = tags_of(read.words)
    kept = tuple(
        _recurring(_ahead(_with_lead(window, read), heard, read, tags), read)
        for window in windows
        if window is not None
    )
    quoted = tuple(found.span() for found in _QUOTED.finditer(heard.text))
    silent = {i for found in _SILENT.finditer(heard.text) for i in read.tokens(*found.span())}
    in_quotes = tuple(any(a <= start < b for a, b in quoted) for start in read.starts)
    time_at = _time_tokens(read, kept)
    shut = [i in time_at or in_quotes[i] or i in silent for i in range(len(read.words))]
    found = phrases(read, tags, stand_ins, shut, heard.first_person)
    phrase_at = {i: k for k, phrase in enumerate(found) for i in range(phrase.start, phrase.end)}
    return TextReading(
        heard,
        read,
        read.words,
        tuple(tags),
        names,
        stand_ins,
        kept,
        quoted,
        found,
        time_at,
        phrase_at,
        in_quotes,
        project,
        frozenset(silent),
    )


def _sure(window: Window, text: str, names: tuple[Name, ...]) -> Window | None:
    """A time inside a name is none ("Keychron Q1", "Fuji X-T5"), nor are digits after a word that they number."""
    start, end = window.span
    for name in names:
        if start < name.end and name.start < end:
            return None
    if window.grain is Grain.QUARTER and re.fullmatch(r"Q\d", window.text):
        return None
    if window.text.lower().startswith("by ") and re.search(r"\bswears?\s*$", text[:start]):
        return None
    if re.fullmatch(r"\d{4}", window.text) and not 1900 <= int(window.text) <= 2100:
        return None
    if _ONLY_NOW.fullmatch(window.text.strip()):
        return None
    if re.fullmatch(r"(?:the )?(?:last|first|final) (?:day|week|month)", window.text, re.I) and (
        _OF_SOMETHING.match(text, end) or _SOMEBODYS.search(text[:start])
    ):
        return None
    return window


def _with_lead(window: Window, read: Parsed) -> Window:
    """With the words that lead to it: "back in 2019", "from October"."""
    start, end = window.span
    words = read.words
    first = next(iter(read.tokens(start, end)), 0)
    while first > 0 and words[first - 1].lower_ in _TIME_LEADS:
        first -= 1
    start = min(start, words[first].idx)
    return replace(window, text=written(read.doc)[start:end], span=(start, end))


def _ahead(window: Window, heard: Heard, read: Parsed, tags: list[str]) -> Window:
    """A day or month without its year is the coming one, unless it is told in the past: "we leave September 10"."""
    moment = window.start or window.end
    to_come = moment is None or moment >= heard.at - timedelta(days=1)
    if to_come or window.grain >= Grain.YEAR or _DATED.search(window.text) or _BACK.match(window.text):
        return window
    if not _AHEAD.match(window.text) and not _told_ahead(window, read, tags):
        return window
    again = when(f"It will be {_FROM.sub('starting', window.text)}", heard.at)
    return replace(window, start=again[0].start, end=again[0].end) if again else window


def _told_ahead(window: Window, read: Parsed, tags: list[str]) -> bool:
    """By the verbs around it, up to the next comma or "and"; by those of the sentence if there are none."""
    inside = read.tokens(*window.span)
    for bounds in (_NEAR, _SENTENCE):
        first, last = inside.start, inside.stop
        while first > 0 and read.words[first - 1].lower_ not in bounds:
            first -= 1
        while last < len(tags) and read.words[last].lower_ not in bounds:
            last += 1
        verbs = [tags[i] for i in range(first, last) if tags[i].startswith(("VB", "MD")) and i not in inside]
        if verbs:
            before = written(read.doc)[: window.span[0]]
            told = _COMING.search(before) is not None or bool(UNTIL.match(window.text) and _PUT_OFF.search(before))
            helped = any(read.words[i].lower_ in ("have", "has", "had", "'ve", "been") for i in range(first, last))
            return told or not ("VBD" in verbs or verbs[0] == "VBN" or ("VBN" in verbs and helped))
    return True


def _recurring(window: Window, read: Parsed) -> Window:
    """A time at which something happens again and again is on no day: "I usually get up at 6am". One that says its day
    is: "I'm usually late, but was early on 3 May 2024"."""
    if _ON_A_DAY.search(window.text) or (window.start is None and window.end is None):
        return window
    inside = read.tokens(*window.span)
    first, last = inside.start, inside.stop
    while first > 0 and read.words[first - 1].lower_ not in _TURNS:
        first -= 1
    while last < len(read.words) and read.words[last].lower_ not in _TURNS:
        last += 1
    end = read.words[last - 1]
    stretch = written(read.doc)[read.words[first].idx : end.idx + len(end)]
    return replace(window, start=None, end=None) if _AGAIN.search(stretch) else window


def _time_tokens(read: Parsed, windows: tuple[Window, ...]) -> dict[int, int]:
    found: dict[int, int] = {}
    for k, window in enumerate(windows):
        start, end = window.span
        for i in read.tokens(start, end):
            found.setdefault(i, k)
    return found
