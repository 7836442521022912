"""How is a statement worded so that it stands alone? As it was said, with names for I and she, dates for last May.

No word of content is dropped. Where a clause has no subject of its own and begins with a verb, it gets one; where it
would not make a sentence anyway, "User: " is put before it.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import replace

from treering.ingest.extract.own_words import date_of
from treering.ingest.extract.rules.as_said import still_says
from treering.ingest.extract.rules.clauses import Clause
from treering.ingest.extract.rules.lexicon import APOSTROPHE
from treering.ingest.extract.rules.phrases import FIRST, shown
from treering.ingest.extract.rules.reading import TextReading
from treering.ingest.extract.rules.verbs import form, only_past

log = logging.getLogger(__name__)
_BE = {"am": "is", "'m": "is", "m": "is", "are": "is", "'re": "is", "re": "is", "was": "was", "were": "was"}
_HAVE = {"have": "has", "'ve": "has", "ve": "has"}
_PLACES = ("there", "here")
_SINGULAR = {**_BE, **_HAVE, "do": "does", "'ll": "will", "'d": "would", "ai": "is"}
_WRITTEN_OUT = {"'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}
_HIDDEN_I = {"im": "is", "ive": "has", "id": "would", "ill": "will"}
_LEANING_MONTH = re.compile(
    r"(?:last|this|next|in)\s+(?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december)",
    re.I,
)
_OPENERS = re.compile(
    r"^(?:so|and|but|or|oh|ok|okay|btw|fyi|fwiw|well|anyway|also|plus|because|cos|hey|lol|haha|um|hmm|tbh|yeah|yes"
    r"|actually|wait|aaand|then)\b[\s,:]*",
    re.I,
)
_SEVERAL = frozenset(("we", "us", "our", "ours", "ourselves"))
_NOT_INFLECTED = frozenset(
    ("last", "first", "wanna", "gonna", "gotta", "never", "even", "both", "all", "just", "better", "best")
)
_ADVERBS = frozenset(("never", "still", "just", "finally", "also", "already"))
_WISHED = frozenset(("recommended", "recommends", "suggested", "suggests", "insisted", "insists", "asked", "demanded"))
_TOLD = frozenset(("VBP", "VB", "MD", "VBD", "VBZ"))
_EDGE = " ,;:-\u2013\u2014\n\t"


def worded(reading: TextReading, clauses: Sequence[Clause]) -> str:
    """The clauses of one statement as one text; as they were said where that would say something else."""
    said = _said(reading, clauses)
    pieces = [_clause(reading, clause, said, first=k == 0) for k, clause in enumerate(clauses)]
    if (head := clauses[0].head) is not None:
        pieces[:1] = _clause(reading, head, said, first=True), _trimmed(pieces[0].lstrip(_EDGE))
    later = [moved for clause in clauses for moved in _moved_times(reading, clause)]
    text = " ".join(piece for piece in pieces if piece)
    if later:
        text = " ".join((text.rstrip(" .!"), *later))
    if clauses[0].heading:
        text = f"{_heading(reading, clauses[0], said)}: {text}"
    heard = reading.heard
    if not still_says(text, heard.text, " ".join((reading.me, *(f"{one.speaker} {one.text}" for one in heard.before)))):
        log.debug("kept as it was said: %r would have been %r", said, text)
        text = f"{reading.me}: {said}"
    text = re.sub(r"\s+([,.;:!?)])", r"\1", text).strip(_EDGE)
    text = re.sub(r"\(\s+", "(", text)
    if text.endswith(".") and text.count(".") == 1:
        text = text[:-1]
    return _named_first(reading, clauses, _trimmed(text))


def _said(reading: TextReading, clauses: Sequence[Clause]) -> str:
    first, last = reading.words[clauses[0].start], reading.words[clauses[-1].end - 1]
    return " ".join(reading.heard.text[first.idx : last.idx + len(last.text)].split())


def _heading(reading: TextReading, clause: Clause, said: str) -> str:
    colon = next(i for i in range(clause.heading_at, clause.start) if reading.words[i].text == ":")
    before = replace(clause, start=clause.heading_at, end=colon, said_subject=True, heading=None)
    return _clause(reading, before, said, first=True)


def _trimmed(text: str) -> str:
    while True:
        shorter = _OPENERS.sub("", text)
        if shorter == text or not shorter:
            return text
        text = shorter


def _named_first(reading: TextReading, clauses: Sequence[Clause], text: str) -> str:
    """A statement that names nobody is said to be the speaker's."""
    text = text.rstrip(" ,;")
    if not text:
        return text
    if re.search(rf"\b{re.escape(reading.me)}\b", text):
        return text
    first = clauses[0]
    named = any(p.sort == "n" and p.start >= 0 for p in first.subject) and first.said_subject
    if named and reading.me == "User":
        return text
    return f"{reading.me}: {text}"


def _clause(reading: TextReading, clause: Clause, said: str, first: bool) -> str:
    return _Words(reading, clause, said, first).text()


def _moved_times(reading: TextReading, clause: Clause) -> list[str]:
    """A month between what was done and what for goes to the end: "left Google to join Anthropic in May 2025"."""
    found = []
    for number in sorted({reading.time_at[i] for i in range(clause.start, clause.end) if i in reading.time_at}):
        if _stands_between(reading, number):
            found.append(f"in {date_of(reading.windows[number])}")
    return found


def _stands_between(reading: TextReading, number: int) -> bool:
    window = reading.windows[number]
    last = max(i for i, k in reading.time_at.items() if k == number)
    follows = (
        last + 2 < len(reading.words) and reading.words[last + 1].lower_ == "to" and reading.tags[last + 2] == "VB"
    )
    return follows and _LEANING_MONTH.fullmatch(window.text) is not None


class _Words:
    """`said`: the words of the whole statement."""

    def __init__(self, reading: TextReading, clause: Clause, said: str, first: bool) -> None:
        self._first, self._said = first, said
        self._reading = reading
        self._clause = clause
        self._words = reading.words
        self._out: list[str] = []
        self._agree = False
        self._lower = False

    def text(self) -> str:
        start = self._clause.start
        begins = self._implied_at()
        i = start
        while i < self._clause.end:
            if i == begins:
                self._out.append(self._implied(i))
                self._lower = True
            i = self._next(i)
        return "".join(self._out).strip()

    def _implied_at(self) -> int:
        """Where a subject that was left out belongs: before the first verb of a clause about who speaks."""
        clause = self._clause
        if clause.said_subject or not clause.has_verb or not clause.subject or clause.text.endswith("?"):
            return -1
        verbs = ("VBD", "VBZ", "VBP", "VBG", "VBN", "MD")
        for i in range(clause.start, clause.end):
            if self._reading.in_quotes[i] or self._reading.tags[i] == "VB":
                return -1
            if i not in self._reading.phrase_at and self._reading.tags[i] in verbs:
                return -1 if self._is_of_a_thing(i) else self._place_before(i)
        return -1

    def _is_of_a_thing(self, i: int) -> bool:
        """ "Seen with my own eyes", "known to nobody": most often what it happened to is not who speaks."""
        return self._reading.tags[i] == "VBN" and self._words[i].lower_ != "been"

    def _place_before(self, i: int) -> int:
        """In the middle of a statement a subject that was left out stays so: "sold the flat and moved"."""
        if not self._first and not self._starts_sentence():
            told = self._words[i].lower_ != "do"  # "don't quote me" is a wish, and nothing that somebody does
            self._agree = told and self._clause.subject[0].sort == "i" and self._reading.tags[i] in ("VBP", "VB")
            return -1
        unclear = (i > self._clause.start and self._words[i - 1].lower_ == "not") or self._words[i].lower_ == "do"
        return -1 if unclear or self._words[i].lower_ == "have" else self._before_adverbs(i)

    def _starts_sentence(self) -> bool:
        start = self._clause.start
        return start == 0 or self._words[start - 1].is_space or self._words[start - 1].text[-1:] in ".!?…"

    def _before_adverbs(self, i: int) -> int:
        while i > self._clause.start and (self._reading.tags[i - 1] == "RB" or self._words[i - 1].lower_ in _ADVERBS):
            i -= 1
        return i

    def _implied(self, i: int) -> str:
        while self._reading.tags[i] == "RB":
            i += 1
        who = " and ".join(shown(p, self._reading.me) for p in self._clause.subject)
        tag = self._reading.tags[i]
        if tag == "VBG":
            return f"{who} is "
        if tag == "VBN":
            return f"{who} has "
        if tag in ("VBP", "VB") and self._clause.subject[0].sort == "i":
            self._agree = True
        return f"{who} "

    def _next(self, i: int) -> int:
        reading, token = self._reading, self._words[i]
        if i in reading.time_at and _stands_between(reading, reading.time_at[i]):
            return i + 1
        if reading.in_quotes[i]:
            self._out.append(token.text + token.whitespace_)
            return i + 1
        if token.idx in {a for a, _ in reading.stand_ins}:
            return self._stand_in(i)
        low = token.lower_.replace(APOSTROPHE, "'")
        hyphened = i + 1 < len(self._words) and self._words[i + 1].text == "-" and not token.whitespace_
        if i not in reading.time_at and not hyphened and (low in FIRST or low in ("my", "our", "id", "ill")):
            done = self._first_person(i, low)
            if done:
                return done
        if self._agree and {token.tag_, reading.tags[i]} & _TOLD and i not in reading.phrase_at:
            self._agree = False
            self._out.append(self._agreed(token.text, low, reading.tags[i]) + token.whitespace_)
            return i + 1
        closing = self._time_closed(i)
        self._out.append(self._plain(i) + closing + token.whitespace_)
        return i + 1

    def _plain(self, i: int) -> str:
        """The word itself; a verb that got a subject is written small."""
        token = self._words[i]
        if self._lower and self._reading.tags[i].startswith(("V", "MD", "RB")):
            self._lower = False
            return token.text[:1].lower() + token.text[1:]
        return str(token.text)

    def _first_person(self, i: int, low: str) -> int | None:
        token = self._words[i]
        if low in _SEVERAL and self._means_others(i):
            return None
        me = self._reading.me
        if low in ("my", "our"):
            self._out.append(f"{me}'s{token.whitespace_ or ' '}")
            return i + 1
        if low in ("mine", "ours"):
            self._out.append(f"{me}'s{token.whitespace_}")
            return i + 1
        if low in _HIDDEN_I:
            if low in ("id", "ill") and token.tag_ != "PRP":
                return None
            self._out.append(f"{me} {_HIDDEN_I[low]}{token.whitespace_}")
            return i + 1
        if low == "us" and token.text == "US":
            return None
        alone = not any(p.start <= i < p.end for p in self._clause.subject) or len(self._clause.subject) < 2
        if low in ("i", "we") and alone and not (i > 0 and self._words[i - 1].lower_ in _WISHED):
            self._agree = True
        after = self._words[i + 1] if i + 1 < len(self._words) else None
        if after is not None and not token.whitespace_ and after.lower_.replace(APOSTROPHE, "'") in _SINGULAR:
            level = after.lower_.replace(APOSTROPHE, "'")
            if level == "'d":
                self._agree = False
                self._out.append(f"{me}{self._had_or_would(i + 2) or after.text}{after.whitespace_}")
                return i + 2
            word = (
                _SINGULAR[level] if alone else {"'m": "are", "'re": "are", "'ve": "have"}.get(level, _SINGULAR[level])
            )
            self._agree = False
            self._out.append(f"{me} {word}{after.whitespace_}")
            return i + 2
        self._out.append(me + token.whitespace_)
        return i + 1

    def _had_or_would(self, i: int) -> str | None:
        """What "I'd" is short for, by the verb behind it; None where that does not tell."""
        while i < len(self._words) and self._reading.tags[i] == "RB" and self._words[i].lower_ != "better":
            i += 1
        low = self._words[i].lower_ if i < len(self._words) else ""
        tag = self._reading.tags[i] if low else ""
        if tag == "VBN" or low == "better" or only_past(low):
            return " had"
        return " would" if tag == "VB" else None

    def _means_others(self, i: int) -> bool:
        """Whether "we" is more than who speaks: among several speakers, or where it says so."""
        speaker = self._reading.heard.speaker
        if speaker == self._reading.me and speaker.casefold() not in ("user", "human"):
            return True
        after = self._words[i + 1].lower_ if i + 1 < len(self._words) else ""
        return after in ("all", "both", "each") or {"each", "other"} <= self._clause.words

    def _agreed(self, text: str, low: str, tag: str) -> str:
        if low in _SINGULAR:
            return _SINGULAR[low]
        if tag in ("VBP", "VB") and low.isalpha() and low not in _NOT_INFLECTED and not only_past(low):
            return form(low, "s")
        return text

    def _stand_in(self, i: int) -> int:
        token = self._words[i]
        for (start, until), meant in self._reading.stand_ins.items():
            if start != token.idx:
                continue
            end = i
            while end < self._clause.end and self._words[end].idx < until:
                end += 1
            if token.lower_ == "it" and meant.text in self._said:  # what it means stands beside it
                break
            ending = "'s" if token.tag_ == "PRP$" and end == i + 1 else ""
            means = self._meaning(meant.text)
            if token.lower_ in _PLACES:  # stays: one moves to it, comes from it, is in it
                means = f"{token.text} ({means})"
            if ending and means.endswith("s"):
                ending = "'"
            self._out.append(means + ending + self._words[end - 1].whitespace_)
            return self._opened(max(end, i + 1))
        self._out.append(token.text + token.whitespace_)
        return i + 1

    def _opened(self, i: int) -> int:
        """A contraction that hung on the pronoun is written out: "they're" becomes "the twins are"."""
        short = self._words[i].lower_.replace(APOSTROPHE, "'") if i < self._clause.end else ""
        if short not in _WRITTEN_OUT or self._words[i - 1].whitespace_:
            return i
        self._out.append(f" {_WRITTEN_OUT[short]}{self._words[i].whitespace_}")
        return i + 1

    def _meaning(self, text: str) -> str:
        return re.sub(r"^(?:my|our)\b", f"{self._reading.me}'s", text, flags=re.I)

    def _time_closed(self, i: int) -> str:
        """The date to add after the last word of a time that leans on the present."""
        number = self._reading.time_at.get(i)
        if number is None or self._reading.time_at.get(i + 1) == number:
            return ""
        window = self._reading.windows[number]
        said = date_of(window)
        return f" ({said})" if said else ""
