"""What does each statement claim, as a model reads it piece by piece? A subject, a relation by the table and a value.

It is the coarser of two readings (`learned_facts` tells of the other): one fact a piece, where its relation is clear.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from treering.errors import InvalidRequest
from treering.ingest.extract.contract import Claim, Heard, Stance
from treering.ingest.extract.worked_out import StatementTimes, times_of
from treering.language.en import persons
from treering.language.sentences import sentences
from treering.language.small_talk import small_talk
from treering.mind.reading import FactMood, Piece, ReadMessage, ReadName
from treering.model.entity import entity_name
from treering.relations import table, with_mark

WORTH = 0.5
CLEAR = 0.35
"""From this score of its relation on a claim is made."""
HOLDS = frozenset((FactMood.SO, FactMood.BECAME, FactMood.TEMPORARY, FactMood.HAPPENED, FactMood.INSTRUCTION))
OVER = frozenset((FactMood.ENDED, FactMood.PAST, FactMood.DENIED))
UNREAL = frozenset(
    (FactMood.WISH, FactMood.HYPOTHETICAL, FactMood.QUESTION, FactMood.JOKE, FactMood.CANCELLED, FactMood.ASIDE)
)
ONE_BREATH = 400
"""Characters; a longer stretch is read in parts."""
FEW_WORDS = 3
LONGEST_VALUE = 8
"""A value of more words is a sentence, and no thing."""
_WORD = re.compile(r"[\w'’]+")  # noqa: RUF001  the apostrophe of telephones


class PieceClaim(NamedTuple):
    """What a piece claims, how it is meant, and where its value stands."""

    claim: Claim
    mood: FactMood
    at: int


@dataclass(frozen=True)
class ReadTurn:
    heard: Heard
    told: ReadMessage

    def _pieces(self) -> Iterator[Piece]:
        """What cannot stand by itself stays with what was said before it: "endo bumped it. 75 it is"."""
        kept: Piece | None = None
        for piece in (part for whole in self.told.pieces for part in self._in_breaths(whole)):
            if kept is not None and self._leans(piece) and small_talk(self._said(kept)) is None:
                said = kept if kept.worth >= piece.worth else piece
                kept = replace(said, span=(kept.span[0], piece.span[1]), parts={**piece.parts, **kept.parts})
                continue
            if kept is not None:
                yield kept
            kept = piece
        if kept is not None:
            yield kept

    def _in_breaths(self, piece: Piece) -> Iterator[Piece]:
        """A very long one in stretches of whole sentences."""
        start, end = piece.span
        if end - start <= ONE_BREATH:
            yield piece
            return
        ends = [start + stop for _, stop in sentences(self._said(piece))]
        while start < end:
            stop = max((one for one in ends if start < one <= start + ONE_BREATH), default=None)
            stop = stop or min((one for one in ends if one > start), default=end)
            inside = {name: span for name, span in piece.parts.items() if start <= span[0] and span[1] <= stop}
            yield replace(piece, span=(start, stop), parts=inside)
            start = stop

    def _leans(self, piece: Piece) -> bool:
        """A few words that name nobody."""
        words = [one.lower() for one in _WORD.findall(self._said(piece))]
        named = "s" in piece.parts or any(_within(one.span, piece.span) for one in self.told.names)
        return len(words) <= FEW_WORDS and not named and not set(words) & persons.FIRST

    def _said(self, piece: Piece) -> str:
        return self.heard.text[slice(*piece.span)]

    def _person_before(self, piece: Piece) -> str | None:
        """Who was named last before it, in this turn or just before it; nobody where that may be several."""
        here = [one for one in self.told.names if one.kind == "person" and one.span[1] <= piece.span[0]]
        if here:
            return self._text(here[-1])
        return None

    def _text(self, name: ReadName) -> str:
        return _possessor(self.heard.text[slice(*name.span)])

    def _subject(self, piece: Piece) -> str | None:
        """Who or what it is said of; None where that is not clear."""
        if "s" in piece.parts:
            said = self.heard.text[slice(*piece.parts["s"])]
            names = [one for one in self.told.names if _within(one.span, piece.parts["s"])]
            if names:
                return self._text(names[-1])
            plain = said.lower().strip(".,:;!")
            if plain in persons.FIRST:
                return self.heard.first_person
            if plain in persons.THIRD:
                return self._person_before(piece)
            if plain in persons.GROUP | persons.SECOND:
                return None
            return _possessor(said.strip(".,:;!"))
        words = persons.words_for_somebody(self._said(piece))
        if words & persons.GROUP and not words & persons.FIRST:
            return None
        if words & persons.FIRST or not words & persons.THIRD:
            return self.heard.first_person
        return self._person_before(piece)

    def claims(self) -> Iterator[PieceClaim]:
        """All that is claimed in the turn, wherever it stands."""
        for piece in self._pieces():
            if piece.worth >= WORTH:
                times = times_of(self._said(piece), self.heard.at, piece.mood, piece.lasts)
                yield from self._claims(piece, self._subject(piece), times)

    def _claims(self, piece: Piece, who: str | None, times: StatementTimes) -> Iterator[PieceClaim]:
        if (
            who is None
            or not is_a_name(who)
            or piece.mood in UNREAL
            or piece.mood is FactMood.HEARSAY
            or piece.relation_score < CLEAR
        ):
            return
        relation = _INTENDS if piece.mood is FactMood.PLAN else piece.relation
        if relation not in table():
            return
        value, old = self._value(piece, "v"), self._value(piece, "old")
        if piece.mood in OVER:
            part, gone = ("old", old) if old else ("v", value)
            if gone:
                claim = Claim(subject=who, relation=relation, object=gone, stance=Stance.ENDS, valid_from=times.since)
                yield PieceClaim(claim, piece.mood, piece.parts[part][0])
        elif value and value.casefold() != who.casefold():
            claim = Claim(
                subject=who,
                relation=relation,
                object=value,
                valid_from=times.since,
                valid_until=None if times.until is None or _before(times.until, times.since) else times.until,
                instead_of=old,
            )
            yield PieceClaim(claim, piece.mood, piece.parts["v"][0])

    def _value(self, piece: Piece, part: str) -> str | None:
        if part not in piece.parts:
            return None
        text = self.heard.text[slice(*piece.parts[part])].strip(_AROUND)
        for lead in _ARTICLES:
            if text.lower().startswith(lead):
                text = text[len(lead) :]
        small = text.lower()
        known = persons.FIRST | persons.GROUP | persons.SECOND | persons.THIRD
        return text if is_a_name(text) and small not in known and len(text.split()) <= LONGEST_VALUE else None


_AROUND = " .,;:!?\"'()`"
_INTENDS = next(iter(with_mark("intends")))
_ARTICLES = ("a ", "an ", "the ", "my ", "our ")


def is_a_name(text: str) -> bool:
    """Whether something may be called so."""
    try:
        entity_name(text)
    except InvalidRequest:
        return False
    return True


def _before(end: datetime, start: datetime | None) -> bool:
    """Times are read apart from one another: an end before its beginning is the end of something else."""
    return start is not None and end <= start


def _within(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    return outer[0] <= inner[0] < outer[1]


def _possessor(text: str) -> str:
    return re.sub(r"['’]s?$", "", text.strip(_AROUND))  # noqa: RUF001
