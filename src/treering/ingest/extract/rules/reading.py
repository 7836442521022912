"""What is there to see in a text before any rule is asked? Its words, names, phrases, times and quotations.

Every rule reads from here, so that each text is parsed once and all rules speak of the same words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from treering.ingest.extract.contract import Heard
from treering.ingest.extract.rules.phrases import Phrase, phrases
from treering.ingest.extract.rules.recent import Parsed, ParsedWord
from treering.ingest.extract.rules.tags import tags_of
from treering.ingest.extract.worked_out import windows_of
from treering.language.coreference import Meant, Place
from treering.language.names import Name
from treering.language.when.window import Window

# An apostrophe opens no quotation, and a lone inch sign ends none.
_QUOTED = re.compile(r"\"[^\"\n]{4,}\"|“[^”\n]{4,}”|«[^»\n]{4,}»")
_SILENT = re.compile(
    r"\b(?:a (?:little )?bit of|a lot of|lots of|a bunch of|a couple of|some kind of|some sort of|(?:till|until"
    r"|since|by|back) then)\b",
    re.I,
)


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
    tags = tags_of(read.words)
    kept = tuple(windows_of(heard.text, heard.at, [(name.start, name.end) for name in names]))
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


def _time_tokens(read: Parsed, windows: tuple[Window, ...]) -> dict[int, int]:
    found: dict[int, int] = {}
    for k, window in enumerate(windows):
        start, end = window.span
        for i in read.tokens(start, end):
            found.setdefault(i, k)
    return found
