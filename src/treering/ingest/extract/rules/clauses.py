"""Where does one claim end and the next begin? Sentences cut into clauses, each with its subject and its line of words.

The line is what rules match: phrases as [n3], times as [t1], words in their plainest form. A clause without a subject of
its own has that of the clause before it ("sold the flat and moved to Bath"), or is said of who speaks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from treering.ingest.extract.rules.phrases import Phrase
from treering.ingest.extract.rules.reading import Reading
from treering.ingest.extract.rules.words import FILLERS, NEGATIONS, written

_FINITE = frozenset(("VBD", "VBZ", "VBP", "MD"))
_CUTS = frozenset((";", "—", "–", "--", "...", "…", ":", "(", ")"))
_JOINTS = frozenset(
    (",", "and", "but", "so", "because", "cos", "cause", "while", "since", "although", "though", "or", "plus", "&")
)
_OPENING = frozenset(
    (
        "if",
        "when",
        "while",
        "because",
        "since",
        "although",
        "though",
        "suppose",
        "imagine",
        "after",
        "before",
        "as",
        "unless",
        "once",
        "and",
        "but",
        "so",
        "plus",
        "or",
        "whereas",
        "cos",
        "then",
    )
)
_MARK = re.compile(r"\[[a-z](\d+)\]")
IMPLIED = 900
"""Phrase number of a first person that is not said: above any real one in a line."""


@dataclass(frozen=True, slots=True)
class Clause:
    """Tokens `start` to `end`. `line` begins with the subject, said or implied; `opening` is if, because, when …"""

    reading: Reading
    start: int
    end: int
    sentence: int
    line: str
    places: tuple[tuple[int, int], ...]  # (offset in the line, token)
    subject: tuple[Phrase, ...]
    said_subject: bool
    has_verb: bool
    opening: tuple[str, ...]
    negations: tuple[str, ...]
    words: frozenset[str]

    @property
    def text(self) -> str:
        return self.reading.text(self.start, self.end)

    @property
    def span(self) -> tuple[int, int]:
        return self.reading.chars(self.start, self.end)

    def phrase(self, number: int) -> Phrase:
        if number == IMPLIED:
            return first_person(self.reading)
        return self.reading.phrases[number]

    def token_at(self, offset: int) -> int:
        """The token that is written at `offset` of the line."""
        best = self.start
        for place, token in self.places:
            if place > offset:
                break
            best = token
        return best


def first_person(reading: Reading) -> Phrase:
    return Phrase(-1, -1, "i", reading.me, name=reading.me)


def numbers(marks: str) -> list[int]:
    return [int(number) for number in _MARK.findall(marks)]


def clauses(reading: Reading, sentences: list[tuple[int, int]]) -> list[Clause]:
    """In order; together they hold every token."""
    found: list[Clause] = []
    for number, (start, end) in enumerate(sentences):
        before: Clause | None = None
        for a, b in _cut(reading, start, end):
            clause = _clause(reading, a, b, number, before)
            found.append(clause)
            if clause.subject and clause.has_verb:
                before = clause
    return found


def _cut(reading: Reading, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    i = start
    while i < end:
        low = reading.doc[i].lower_
        if reading.in_quotes[i] or (i in reading.phrase_at and low not in _CUTS):
            i += 1
            continue
        if low in _CUTS and i > begin:
            yield begin, i + 1
            begin = i + 1
        elif low in _JOINTS and i > begin:
            after = i + 1
            while after < end and reading.doc[after].lower_ in _JOINTS:
                after += 1
            enough = _has_content(reading, begin, i) if low == "," else _has_verb(reading, begin, i)
            if enough and _starts_clause(reading, after, end):
                yield begin, i + (low == ",")
                begin = i + (low == ",")
                i = after
                continue
        i += 1
    if begin < end:
        yield begin, end


def _has_content(reading: Reading, start: int, end: int) -> bool:
    return any(written(reading.doc[i]) and reading.doc[i].is_alpha for i in range(start, end))


def _has_verb(reading: Reading, start: int, end: int) -> bool:
    return any(reading.doc[i].tag_.startswith(("V", "MD")) and i not in reading.phrase_at for i in range(start, end))


def _past_setting(reading: Reading, i: int, end: int) -> int:
    """Past "at work" and "for hobby things," where a subject and its verb come after them."""
    after = i
    while after + 1 < end and reading.doc[after].tag_ == "IN" and (after + 1) in reading.phrase_at:
        after = reading.phrases[reading.phrase_at[after + 1]].end
        if after < end and reading.doc[after].lower_ == ",":
            after += 1
        after = _skip(reading, after, end)
        found, behind = _subject(reading, after, end)
        if found and _verb_at(reading, behind, end):
            return after
    return i


def _skip(reading: Reading, i: int, end: int) -> int:
    """Past fillers, adverbs, negations and times."""
    while i < end:
        token = reading.doc[i]
        low = token.lower_
        if i in reading.phrase_at:
            break
        if i in reading.time_at or low in FILLERS or low in NEGATIONS or token.tag_ in ("RB", "UH", "RBR"):
            i += 1
        else:
            break
    return i


def _past_fillers(reading: Reading, i: int, end: int) -> int:
    """Past words that no rule asks for, but not past those that it may: "back from Georgia"."""
    while i < end and i not in reading.phrase_at:
        token = reading.doc[i]
        if i in reading.time_at or not written(token) or token.tag_ == "UH" or token.lower_.endswith("ly"):
            i += 1
        else:
            break
    return i


def _subject(reading: Reading, i: int, end: int) -> tuple[tuple[int, ...], int]:
    """The phrases that stand as a subject at token `i`, and where they end; none if no verb follows them."""
    found: list[int] = []
    while i < end and i in reading.phrase_at:
        number = reading.phrase_at[i]
        phrase = reading.phrases[number]
        found.append(number)
        i = phrase.end
        if i < end and reading.doc[i].lower_ in ("and", "&") and i + 1 < end and (i + 1) in reading.phrase_at:
            i += 1
            continue
        break
    return tuple(found), i


def _verb_at(reading: Reading, i: int, end: int) -> bool:
    i = _skip(reading, i, end)
    if i >= end or i in reading.phrase_at:
        return False
    token = reading.doc[i]
    low = token.lower_
    return token.tag_ in _FINITE or low in ("'s", "'re", "'m", "'ll", "'ve", "’s", "’re", "’m")  # noqa: RUF001


def _starts_clause(reading: Reading, i: int, end: int) -> bool:
    i = _skip(reading, i, end)
    while i < end and reading.doc[i].lower_ in _OPENING:
        i = _skip(reading, i + 1, end)
    found, after = _subject(reading, i, end)
    if found:
        return _verb_at(reading, after, end) and reading.phrases[found[0]].sort != "q"
    if i >= end:
        return False
    token = reading.doc[i]
    if token.tag_ in ("VBG", "VBN"):
        return reading.doc[max(i - 1, 0)].lower_ == "," and token.tag_ == "VBG"
    return token.tag_ in _FINITE or (token.tag_ == "VB" and token.dep_ in ("conj", "ROOT"))


def _clause(reading: Reading, start: int, end: int, sentence: int, before: Clause | None) -> Clause:
    doc = reading.doc
    i = start
    opening: list[str] = []
    while i < end and not reading.in_quotes[i]:
        skipped = _skip(reading, i, end)
        low = doc[skipped].lower_ if skipped < end else ""
        if skipped < end and skipped not in reading.phrase_at and (low in _OPENING or doc[skipped].is_punct):
            if low in _OPENING:
                opening.append(low)
            i = skipped + 1
        else:
            break
    line_from = _past_fillers(reading, i, end)
    i = _past_setting(reading, _skip(reading, i, end), end)
    found, after = _subject(reading, i, end)
    if found and _verb_at(reading, after, end):
        line_from = i
    said = bool(found) and _verb_at(reading, after, end)
    has_verb = said or (i < end and i not in reading.phrase_at and doc[i].tag_ in (*_FINITE, "VBG", "VBN", "VB"))
    subject: tuple[Phrase, ...] = ()
    lead = ""
    if said:
        subject = tuple(reading.phrases[number] for number in found)
    elif has_verb:
        if before is not None and before.subject and sentence == before.sentence and doc[i].tag_ in _FINITE:
            subject = before.subject
            lead = _lead_of(before)
        else:
            subject = (first_person(reading),)
            lead = f"[i{IMPLIED}]"
    line, places = _line(reading, line_from, end, lead)
    negations = tuple(doc[k].lower_ for k in range(start, end) if doc[k].lower_ in NEGATIONS or _ends(reading, k))
    words = frozenset(doc[k].lower_ for k in range(start, end))
    return Clause(
        reading, start, end, sentence, line, places, subject, said, has_verb, tuple(opening), negations, words
    )


def _ends(reading: Reading, k: int) -> bool:
    low = reading.doc[k].lower_
    if low in ("anymore", "longer"):
        return True
    return low == "more" and k > 0 and reading.doc[k - 1].lower_ == "any"


def _lead_of(clause: Clause) -> str:
    marks = []
    for phrase in clause.subject:
        number = IMPLIED if phrase.start < 0 else clause.reading.phrase_at[phrase.start]
        marks.append(f"[{phrase.sort}{number}]")
    return " and ".join(marks)


def _line(reading: Reading, start: int, end: int, lead: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    parts: list[str] = [lead] if lead else []
    places: list[tuple[int, int]] = [(0, start)] if lead else []
    length = len(lead) + 1 if lead else 0
    i = start
    while i < end:
        token = reading.doc[i]
        after = i + 1
        if i in reading.time_at:
            number = reading.time_at[i]
            while after < end and reading.time_at.get(after) == number:
                after += 1
            word = f"[t{number}]"
        elif reading.in_quotes[i]:
            while after < end and reading.in_quotes[after]:
                after += 1
            word = "[z0]"
        elif i in reading.phrase_at:
            number = reading.phrase_at[i]
            after = min(reading.phrases[number].end, end)
            word = f"[{reading.phrases[number].sort}{number}]"
        else:
            word = written(token)
        if word:
            places.append((length, i))
            parts.append(word)
            length += len(word) + 1
        i = max(after, i + 1)
    return " ".join(parts), tuple(places)
