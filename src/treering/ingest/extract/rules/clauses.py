"""Where does one claim end and the next begin? Sentences cut into clauses, each with its subject and its line of words.

The line is what rules match: phrases as [n3], times as [t1], words in their plainest form. A clause without a subject
of its own has that of the clause before it ("sold the flat and moved to Bath"), or is said of who speaks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from treering.ingest.extract.rules import gapped, lexicon
from treering.ingest.extract.rules.headings import is_list
from treering.ingest.extract.rules.lexicon import APOSTROPHE, words
from treering.ingest.extract.rules.phrases import Phrase
from treering.ingest.extract.rules.reading import TextReading
from treering.ingest.extract.rules.words import FILLERS, NEGATIONS, written

_FINITE = frozenset(("VBD", "VBZ", "VBP", "MD"))
_VERBS = (*_FINITE, "VBG", "VBN", "VB")
_CUTS = frozenset((";", "\u2014", "\u2013", "--", "...", "…", ":", "(", ")"))
_JOINTS = words(
    """
    and, but, so, because, cos, cause, while, since, although, though, or, plus, &, as, before, after
    """
) | {","}
_OPENING = words(
    """
    if, when, while, because, since, although, though, suppose, imagine, as, unless, once, and, but, so,
    plus, or, whereas, cos, then, that, before, after, ok, okay
    """
)
_SHORT_IS = ("'s", "'re", "'m", "'ll", "'ve")
_SAID_WITHOUT_I = words(
    """
    live, work, have, love, like, hate, use, prefer, speak, play, study, need, want, own, drive, go, am, 'm,
    teach, run, eat, drink, know, miss, please, send, call, ping, keep, don't, do, let, make
    """
)
_LIKE_VERBS = words("according, including, regarding, concerning, depending")
"""Written like what somebody is doing, and said of nobody."""
_SUBJECTS = frozenset(("i", "we", "you", "he", "she", "it", "they", "who", "which", "that"))
_SAYING = words(
    """
    that, think, thinks, says, said, heard, believe, guess, hope, know, knew, told, because, since, when,
    if, while, like, how, what, where
    """
)
_MARK = re.compile(r"\[[a-z](\d+)\]")
IMPLIED = 900
"""Phrase number of a first person that is not said: above any real one in a line."""


@dataclass(frozen=True, slots=True)
class Clause:
    """Tokens `start` to `end`. `line` begins with the subject, said or implied; `opening` is if, because, when …"""

    reading: TextReading
    start: int
    end: int
    sentence: int
    line: str
    full_line: str
    places: tuple[tuple[int, int], ...]  # (offset in the line, token)
    subject: tuple[Phrase, ...]
    said_subject: bool
    has_verb: bool
    opening: tuple[str, ...]
    negations: tuple[str, ...]
    words: frozenset[str]
    heading_at: int = -1
    heading: str | None = None  # what it is listed under: "hobbies" in "hobbies: pottery, birding"
    head: Clause | None = None  # who and which verb it takes over: "we have" in "we have Hulu for you, Mubi for me"

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


def first_person(reading: TextReading) -> Phrase:
    return Phrase(-1, -1, "i", reading.me, name=reading.me)


def numbers(marks: str) -> list[int]:
    return [int(number) for number in _MARK.findall(marks)]


def clauses(reading: TextReading, sentences: list[tuple[int, int]]) -> list[Clause]:
    """In order; together they hold every token of the sentences."""
    found: list[Clause] = []
    for number, (start, end) in enumerate(sentences):
        before: Clause | None = None
        cutting = _Cutting(reading, end)
        colon = cutting.heading_end(start)
        for a, b in cutting.pieces(start):
            clause = _Building(reading, a, b, number, before).clause()
            if colon and a > colon:
                clause = replace(clause, heading=reading.text(start, colon), heading_at=start)
            found.append(clause)
            if clause.subject and clause.has_verb:
                before = clause
    return found


def _is_somebody(subject: tuple[Phrase, ...]) -> bool:
    return any(p.sort == "i" or p.kind == "person" or lexicon.last_word(p.noun) in lexicon.KIN for p in subject)


class _Looking:
    """Where subjects and verbs stand in one sentence."""

    def __init__(self, reading: TextReading, end: int) -> None:
        self.reading = reading
        self.end = end

    def low(self, i: int) -> str:
        return self.reading.words[i].lower_.replace(APOSTROPHE, "'") if i < self.end else ""

    def past_fillers(self, i: int, adverbs: bool) -> int:
        """Past times, fillers and negations; past every adverb where asked, else past those that no rule asks for."""
        while i < self.end and i not in self.reading.phrase_at and not self.reading.in_quotes[i]:
            word = self.reading.words[i]
            tag = self.reading.tags[i]
            skipped = (
                i in self.reading.time_at
                or i in self.reading.silent
                or not written(self.reading.words, i)
                or tag == "UH"
            )
            if not skipped and not (tag in ("RB", "RBR") and (adverbs or word.lower_.endswith("ly"))):
                break
            i += 1
        return i

    def subject(self, i: int) -> tuple[tuple[int, ...], int, int]:
        """The phrases that stand as a subject at token `i`, where they end, and where what hangs on them ends; none if
        no verb follows."""
        found: list[int] = []
        after = i
        while after < self.end and after in self.reading.phrase_at:
            number = self.reading.phrase_at[after]
            found.append(number)
            after = self.reading.phrases[number].end
            joined = self.low(after) in ("and", "&", "+") and (after + 1) in self.reading.phrase_at
            if not joined:
                break
            after += 1
        if not found:
            return (), i, i
        behind = after
        for _ in range(3):
            if self.verb_at(behind):
                return tuple(found), after, behind
            if (
                self.low(behind) in ("from", "at", "in", "on", "for", "of", "with", "near")
                and (behind + 1) in self.reading.phrase_at
            ):
                behind = self.reading.phrases[self.reading.phrase_at[behind + 1]].end
            else:
                break
        return (), i, i

    def verb_at(self, i: int) -> bool:
        begin, i = i, self.past_fillers(i, True)
        if any(self.low(k) in ("do", "does", "did") for k in range(begin, i)):
            return True  # "don't": the helper is left out of lines
        if i >= self.end or i in self.reading.phrase_at or self.reading.in_quotes[i]:
            return False
        return self.reading.tags[i] in _FINITE or self.low(i) in _SHORT_IS

    def past_opening(self, i: int) -> tuple[int, list[str]]:
        opening: list[str] = []
        while i < self.end and not self.reading.in_quotes[i]:
            skipped = i if self.low(i) in _OPENING and i not in self.reading.phrase_at else self.past_fillers(i, True)
            low = self.low(skipped)
            if skipped >= self.end or skipped in self.reading.phrase_at:
                break
            if low in ("before", "after", "as", "since") and not self.subject(self.past_fillers(skipped + 1, True))[0]:
                break
            if low in _OPENING:
                opening.append(low)
            elif not self.reading.words[skipped].is_punct and not self.reading.words[skipped].is_space:
                break
            i = skipped + 1
        return i, opening

    def past_setting(self, i: int) -> int:
        """Past "at work" and "before law school" where a subject and its verb come after them."""
        after = i
        while after + 1 < self.end and self.reading.tags[after] == "IN" and (after + 1) in self.reading.phrase_at:
            after = self.reading.phrases[self.reading.phrase_at[after + 1]].end
            if self.low(after) == ",":
                after += 1
            after = self.past_fillers(after, True)
            if self.subject(after)[0]:
                return after
        return i


class _Cutting(_Looking):
    def heading_end(self, start: int) -> int:
        """Where the colon of a heading is that a list stands under; 0 if there is none."""
        for i in range(start + 1, self.end):
            if self.low(i) == ":" and not self.reading.in_quotes[i]:
                return i if is_list(self.reading.text(start, i)) else 0
        return 0

    def pieces(self, start: int) -> Iterator[tuple[int, int]]:
        begin = i = whole = start
        colon = self.heading_end(start)
        while i < self.end:
            low = self.low(i)
            if self.reading.in_quotes[i] or i in self.reading.phrase_at:
                i += 1
                continue
            if i > begin and (self._cuts_hard(i, colon) or (low == "," and 0 < colon < i)):
                yield begin, i + 1
                begin = whole = i + 1
            elif low in _JOINTS and i > begin:
                after = i + 1
                while self.low(after) in _JOINTS:
                    after += 1
                enough = (
                    self._says_something(begin, i) if low == "," else self._has_verb(begin, i) and not self._pairs(i)
                )
                gap = gapped.goes_on(self.reading, whole, i, self.end)
                if gap or (enough and (self._starts_clause(after) or (low == "," and self._starts_fragment(after)))):
                    cut = i + (low == ",")
                    yield begin, cut
                    begin, whole = cut, whole if gap else cut
                    i = after
                    continue
            i += 1
        if begin < self.end:
            yield begin, self.end

    def _cuts_hard(self, i: int, colon: int) -> bool:
        return self.low(i) in _CUTS and (i == colon or not self._in_small_brackets(i))

    def _in_small_brackets(self, i: int) -> bool:
        """Brackets around a few words without a verb: "two dogs (Momo and Rufus)"."""
        if self.low(i) == ":":
            rest = range(i + 1, self.end)
            names = [
                j
                for j in rest
                if j in self.reading.phrase_at and self.reading.phrases[self.reading.phrase_at[j]].sort == "n"
            ]
            return (
                bool(names)
                and (i - 1) in self.reading.phrase_at
                and all(j in self.reading.phrase_at or self.low(j) in (",", "and", "&", ".", "!") for j in rest)
            )
        if self.low(i) not in ("(", ")"):
            return False
        step = 1 if self.low(i) == "(" else -1
        k = i + step
        while 0 <= k < self.end and abs(k - i) <= 8:
            if self.low(k) in ("(", ")"):
                inside = range(min(i, k) + 1, max(i, k))
                return all(self.reading.tags[j] not in _VERBS or j in self.reading.phrase_at for j in inside)
            k += step
        return False

    def _pairs(self, i: int) -> bool:
        """Whether "and" joins two subjects: "I heard that Ingrid and Per split up"."""
        if (i - 1) not in self.reading.phrase_at or (i + 1) not in self.reading.phrase_at:
            return False
        left = self.reading.phrases[self.reading.phrase_at[i - 1]]
        return self.low(left.start - 1) in _SAYING if left.start > 0 else True

    def _says_something(self, start: int, end: int) -> bool:
        return any(
            (written(self.reading.words, i) and self.reading.words[i].is_alpha) or i in self.reading.phrase_at
            for i in range(start, end)
        )

    def _has_verb(self, start: int, end: int) -> bool:
        return any(self.reading.tags[i] in _VERBS and i not in self.reading.phrase_at for i in range(start, end))

    def _starts_clause(self, i: int) -> bool:
        i, _ = self.past_opening(i)
        i = self.past_setting(self.past_fillers(i, True))
        if i >= self.end:
            return False
        if i in self.reading.phrase_at:
            found, _, _ = self.subject(i)
            return bool(found) and self.reading.phrases[found[0]].sort != "q"
        tag = self.reading.tags[i]
        if (
            tag in ("WP", "WRB", "WDT")
            and self.low(i - 1) == ","
            and self.low(i) not in ("which", "who", "that", "where")
        ):
            return True
        if tag == "VBG":
            return self.low(i - 1) == ","
        if tag == "VBN":
            return self.low(i) == "been"
        if tag in ("VBP", "VB"):
            return self.low(i) in _SAID_WITHOUT_I or (
                self.reading.words[i].dep_ in ("conj", "ROOT") and self.low(i - 1) != ","
            )
        return tag in _FINITE

    def _starts_fragment(self, i: int) -> bool:
        """A list about oneself goes on without verbs: "junior architect at Fenwick, one greyhound called Pickle"."""
        if self.low(i) == "still":
            return True
        if i not in self.reading.phrase_at:
            return False
        phrase = self.reading.phrases[self.reading.phrase_at[i]]
        if phrase.sort == "n" and lexicon.last_word(phrase.noun) in lexicon.PETS:
            return True
        if (
            phrase.sort == "n"
            and phrase.kind == "person"
            and self.low(phrase.end) == "no"
            and (phrase.end + 1) in self.reading.phrase_at
        ):
            return True
        if phrase.sort == "n" and (self.low(i - 1) == "plus" or re.search(r"\d$", phrase.noun)):
            return True
        if phrase.sort == "n" and phrase.end in self.reading.phrase_at:
            return self.reading.phrases[self.reading.phrase_at[phrase.end]].sort == "q"
        named_next = (phrase.end + 1) in self.reading.phrase_at and self.low(phrase.end) in ("at", "on", "in")
        if not named_next or self.reading.phrases[self.reading.phrase_at[phrase.end + 1]].sort != "n":
            return False
        return (lexicon.is_role(phrase.noun) and self.low(phrase.end) == "at") or (
            lexicon.last_word(phrase.noun) in lexicon.SYSTEMS
        )


class _Building(_Looking):
    def __init__(self, reading: TextReading, start: int, end: int, sentence: int, before: Clause | None) -> None:
        super().__init__(reading, end)
        self._start = start
        self._sentence = sentence
        self._before = before

    def clause(self) -> Clause:
        if self._before is not None and self._goes_on(self._before):
            return self._gapped(self._before)
        reading, words = self.reading, self.reading.words
        opened, opening = self.past_opening(self._start)
        line_from = self.past_fillers(opened, False)
        i = self.past_setting(self.past_fillers(opened, True))
        found, after, behind = self.subject(i)
        said = bool(found)
        has_verb = said or self._verb_alone(i)
        subject: tuple[Phrase, ...] = ()
        lead = ""
        if said:
            subject = tuple(reading.phrases[number] for number in found)
            line_from = i
        elif has_verb:
            subject, lead = self._inherited(i)
        line, places = self._line(line_from, lead, (after, behind) if said else None)
        full = line if after == behind else self._line(line_from, lead, None)[0]
        spoken = range(self._start, self.end)
        return Clause(
            reading, self._start, self.end, self._sentence, line, full, places, subject, said, has_verb, tuple(opening),
            tuple(words[k].lower_ for k in spoken if self._denies_at(k, i) or self._ends_at(k)),
            frozenset(words[k].lower_ for k in spoken),
        )  # fmt: skip

    def _goes_on(self, before: Clause) -> bool:
        begin = before.head.start if before.head else before.start
        joined = self.low(self._start) in gapped.JOINTS or self.low(self._start - 1) in gapped.JOINTS
        told = before.sentence == self._sentence and gapped.left_over(before.line) > 0
        return joined and told and gapped.goes_on(self.reading, begin, self._start, self.end)

    def _gapped(self, before: Clause) -> Clause:
        """With the subject and the verb of the clause before it."""
        over = gapped.left_over(before.line)
        head = before.head or replace(before, end=before.token_at(over))
        start = self._start
        while self.low(start) in gapped.JOINTS:
            start += 1
        line, places = self._line(start, before.line[:over].strip(), None)
        spoken = frozenset(self.reading.words[k].lower_ for k in range(self._start, self.end))
        return replace(
            before, start=self._start, end=self.end, line=line, full_line=line, places=places, said_subject=True,
            opening=(), words=spoken, head=head,
        )  # fmt: skip

    def _verb_alone(self, i: int) -> bool:
        """Whether a clause begins with a verb that its subject was left out of; "hands down" is none for "I"."""
        if i >= self.end or i in self.reading.phrase_at or self.reading.in_quotes[i]:
            return False
        tag = self.reading.tags[i]
        if tag == "VBZ" and (self._before is None or all(phrase.sort == "i" for phrase in self._before.subject)):
            return False
        if tag == "VBG" and (not self.low(i).endswith(("ing", "in")) or self._is_subject(i) or self._is_no_verb(i)):
            return False
        return tag in _VERBS and not self._told_of_a_time(i)

    def _is_no_verb(self, i: int) -> bool:
        """ "Running shoes: size 9" tells of nobody who runs."""
        names_a_thing = i + 1 < self.end and self.reading.tags[i + 1].startswith("NN")
        return names_a_thing or self.low(i) in _LIKE_VERBS or (self.low(i), self.low(i + 1)) == ("speaking", "of")

    def _told_of_a_time(self, i: int) -> bool:
        """ "Yesterday was my birthday": what is so is said of the day; "yesterday was at the dentist" of who speaks."""
        if (i - 1) not in self.reading.time_at or i - 1 < self._start:
            return False
        i += self.low(i) in ("will", "would")
        if self.low(i) not in ("was", "were", "is", "be"):
            return False
        after = self.past_fillers(i + 1, True)
        return after in self.reading.phrase_at or (after < self.end and self.reading.tags[after].startswith("JJ"))

    def _is_subject(self, i: int) -> bool:
        """ "Losing my job was hard": what is done is what something is said of."""
        later = range(i + 1, self.end)
        first = next((k for k in later if self.reading.tags[k] in _FINITE and k not in self.reading.phrase_at), None)
        if first is None:
            return False
        before = first - 1
        while before > i and self.reading.tags[before] in ("RB", "MD"):
            before -= 1
        return self.low(before) not in _SUBJECTS

    def _inherited(self, i: int) -> tuple[tuple[Phrase, ...], str]:
        before = self._before
        participle = self.reading.tags[i] == "VBG" and before is not None and _is_somebody(before.subject)
        if before is not None and (participle or self.reading.tags[i] in (*_FINITE, "VBN")):
            marks = []
            for phrase in before.subject:
                number = IMPLIED if phrase.start < 0 else self.reading.phrase_at[phrase.start]
                marks.append(f"[{phrase.sort}{number}]")
            return before.subject, " and ".join(marks)
        return (first_person(self.reading),), f"[i{IMPLIED}]"

    def _ends_at(self, k: int) -> bool:
        low = self.low(k)
        return low in ("anymore", "longer") or (low == "more" and self.low(k - 1) == "any")

    def _denies_at(self, k: int, begin: int) -> bool:
        """A negation of the clause itself, and not of what it is set against: "run by Lund, not Bech"."""
        if self.low(k) not in NEGATIONS or self.reading.in_quotes[k] or self._bracketed(k):
            return False
        if self.low(k) != "not" or k <= begin:
            return True
        before = k - 1
        while before > self._start and self.low(before) in FILLERS:
            before -= 1
        tag = self.reading.tags[before]
        return tag.startswith(("VB", "MD", "PRP")) or self.low(before) in _SHORT_IS

    def _bracketed(self, k: int) -> bool:
        opened = [j for j in range(self._start, k) if self.low(j) == "("]
        return bool(opened) and ")" not in (self.low(j) for j in range(opened[-1], k))

    def _line(self, start: int, lead: str, left_out: tuple[int, int] | None) -> tuple[str, tuple[tuple[int, int], ...]]:
        parts: list[str] = [lead] if lead else []
        places: list[tuple[int, int]] = [(0, start)] if lead else []
        length = len(lead) + 1 if lead else 0
        i = start
        while i < self.end:
            if left_out and left_out[0] <= i < left_out[1]:
                i = left_out[1]
                continue
            word, after = self._word(i)
            if word:
                places.append((length, i))
                parts.append(word)
                length += len(word) + 1
            i = after
        return " ".join(parts), tuple(places)

    def _word(self, i: int) -> tuple[str, int]:
        """What stands at token `i` of the line, and where the next word begins."""
        reading = self.reading
        after = i + 1
        if i in reading.time_at:
            number = reading.time_at[i]
            while after < self.end and reading.time_at.get(after) == number:
                after += 1
            return f"[t{number}]", after
        if reading.in_quotes[i]:
            while after < self.end and reading.in_quotes[after]:
                after += 1
            return "[z0]", after
        if i in reading.phrase_at:
            number = reading.phrase_at[i]
            return f"[{reading.phrases[number].sort}{number}]", max(min(reading.phrases[number].end, self.end), after)
        return "" if i in reading.silent else written(reading.words, i), after
