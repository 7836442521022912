"""What is there to remember in a turn, as a model reads that has learned to? Statements in the speaker's own words.

The reader says where each statement stands, how it is meant, its relation and value; times come from `when`. Words
stay as they were said, but for who is meant by a pronoun and who speaks. Where subject, relation and value are sure, a
change is told once more as the state it leads to, in the relation's own sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from treering.errors import InvalidRequest
from treering.ingest.extract.contract import OWNER, Claim, Extracted, Extraction, Heard, Mentioned, PassedOver, Stance
from treering.ingest.extract.foreign import in_its_own_words, is_foreign
from treering.ingest.extract.wholes import as_it_stands, is_document
from treering.ingest.extract.worked_out import StatementTimes, times_of
from treering.language.en import persons
from treering.language.sentences import sentences
from treering.language.small_talk import small_talk
from treering.mind.judging import spoken
from treering.mind.reading import FactMood, MessageReader, Piece, ReadMessage, ReadName
from treering.model.entity import entity_name
from treering.model.memory import Kind
from treering.relations import Cardinality, table, with_mark

WORTH = 0.5
SURE, DOUBTED = 0.55, 0.35
"""From the one score of its relation on a claim is made, from the other on with less confidence."""
HOLDS = frozenset((FactMood.SO, FactMood.BECAME, FactMood.TEMPORARY, FactMood.HAPPENED, FactMood.INSTRUCTION))
OVER = frozenset((FactMood.ENDED, FactMood.PAST, FactMood.DENIED))
UNREAL = frozenset(
    (FactMood.WISH, FactMood.HYPOTHETICAL, FactMood.QUESTION, FactMood.JOKE, FactMood.CANCELLED, FactMood.ASIDE)
)
ONE_BREATH = 400
"""Characters of what others say to one another that are kept as one memory."""
FEW_WORDS = 3
LONGEST_VALUE = 8
"""A value of more words is a sentence, and no thing."""
_WORD = re.compile(r"[\w'’]+")  # noqa: RUF001  the apostrophe of telephones


class ReaderExtractor:
    name = "reader"

    def __init__(self, reader: MessageReader) -> None:
        self._reader = reader

    def extract(self, heard: Sequence[Heard]) -> list[Extraction]:
        return [self._one(one) for one in heard]

    def _one(self, heard: Heard) -> Extraction:
        if is_document(heard):
            return as_it_stands(heard, self.name)
        if is_foreign(heard):
            return in_its_own_words(heard, self.name)
        why = small_talk(heard.text) if heard.text.strip() else "blank"
        if why is not None:
            over = (PassedOver((0, len(heard.text)), why),) if heard.text else ()
            return Extraction(extracted=(), passed_over=over, extractor=self.name)
        before = spoken(heard.before[-1].speaker, heard.before[-1].text) if heard.before else ""
        told = self._reader.read(heard.text, heard.first_person, before)
        return ReadTurn(heard, told, self.name).extraction()


@dataclass(frozen=True)
class ReadTurn:
    heard: Heard
    told: ReadMessage
    extractor: str

    def extraction(self) -> Extraction:
        """Every stretch is in a statement or passed over; what is only asked is kept as it was said. What the owner
        tells is kept statement by statement; what others say to one another turn by turn, since it leans on what stands
        beside it."""
        made: list[Extracted] = []
        passed: list[PassedOver] = []
        for piece in self._pieces():
            text = self.heard.text[slice(*piece.span)]
            why = small_talk(text)
            if why is not None or not text.strip():
                passed.append(PassedOver(piece.span, why or "blank"))
            else:
                made += self._statements(piece)
        if self.others_talk:
            made = [self._joined(some) for some in _side_by_side(made)]
        return Extraction(extracted=tuple(made), passed_over=tuple(passed), extractor=self.extractor)

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

    @property
    def others_talk(self) -> bool:
        return self.heard.first_person not in (OWNER, self.heard.owner)

    def _joined(self, some: Sequence[Extracted]) -> Extracted:
        """One memory of what was said in one breath, with all that it claims."""
        if len(some) == 1:
            return some[0]
        first, last = some[0].span[0], some[-1].span[1]
        weightiest = max(some, key=lambda one: one.importance)
        times = {(one.event_time, one.event_end) for one in some if one.event_time is not None}
        event, event_end = next(iter(times)) if len(times) == 1 else (None, None)
        expires = [one.expires_at for one in some]
        return replace(
            weightiest,
            content=f"{self.heard.first_person}: {self.heard.text[first:last].strip()}",
            span=(first, last),
            event_time=event,
            event_end=event_end,
            expires_at=None if None in expires else max(one for one in expires if one is not None),
            confidence=max(one.confidence for one in some),
            entities=tuple({one.name: one for each in some for one in each.entities}.values()),
            claims=tuple(dict.fromkeys(claim for one in some for claim in one.claims)),
        )

    def _statements(self, piece: Piece) -> Iterator[Extracted]:
        who = self._subject(piece)
        words, stands_for = self._words(piece)
        times = times_of(self.heard.text[slice(*piece.span)], self.heard.at, piece.mood, piece.lasts)
        asked = piece.worth < WORTH
        claims = () if asked else tuple(self._claims(piece, who, times))
        kind = Kind.EPISODE if asked else Kind(piece.kind)
        first = Extracted(
            content=words,
            span=piece.span,
            kind=kind,
            event_time=times.event,
            event_end=times.event_end,
            expires_at=times.expires,
            importance=0.3 if asked else piece.importance,
            confidence=0.5 if piece.mood in (FactMood.HEARSAY, FactMood.JOKE, FactMood.HYPOTHETICAL) else 1.0,
            entities=self._entities(piece, claims, stands_for),
            claims=claims,
        )
        state = None if self.others_talk else self._state(piece, who, claims)
        if state is None:
            yield first
            return
        yield replace(first, kind=Kind.EPISODE, claims=())
        named = tuple(one for one in first.entities if one.name in state)
        yield Extracted(
            content=state,
            span=piece.span,
            kind=Kind.VIEWPOINT if claims[0].relation in _TASTES else Kind.SEMANTIC,
            event_time=times.event,
            importance=max(piece.importance, 0.6),
            entities=named,
            claims=claims,
        )

    # words

    def _words(self, piece: Piece) -> tuple[str, str | None]:
        """As they were said. A pronoun in front is the person named last; who speaks is named if not the owner."""
        text = self.heard.text[slice(*piece.span)].strip().rstrip(",;:-\u2013 ")
        parts = text.split(maxsplit=1)
        while len(parts) == 2 and parts[0].lower().strip(",.…-") in persons.OPENERS:
            text = parts[1]
            parts = text.split(maxsplit=1)
        stands_for = None
        first = parts[0].lower() if parts else ""
        if first in persons.SOMEBODY:
            stands_for = self._person_before(piece)
            if stands_for is not None:
                text = f"{stands_for}{persons.SOMEBODY[first]}{text[len(first) :]}"
        if self.others_talk:
            text = f"{self.heard.first_person}: {text}"
        return text, stands_for

    def _person_before(self, piece: Piece) -> str | None:
        """Who was named last before it, in this turn or just before it; nobody where that may be several."""
        here = [one for one in self.told.names if one.kind == "person" and one.span[1] <= piece.span[0]]
        if here:
            return self._text(here[-1])
        return None

    def _text(self, name: ReadName) -> str:
        return _possessor(self.heard.text[slice(*name.span)])

    # claims

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
        words = {one.lower() for one in _WORD.findall(self.heard.text[slice(*piece.span)])}
        if words & persons.GROUP and not words & persons.FIRST:
            return None
        if words & persons.FIRST or not words & persons.THIRD:
            return self.heard.first_person
        return self._person_before(piece)

    def claims(self) -> Iterator[Claim]:
        """All that is claimed in the turn, wherever it stands."""
        for piece in self._pieces():
            if piece.worth >= WORTH:
                times = times_of(self._said(piece), self.heard.at, piece.mood, piece.lasts)
                yield from self._claims(piece, self._subject(piece), times)

    def _claims(self, piece: Piece, who: str | None, times: StatementTimes) -> Iterator[Claim]:
        if (
            who is None
            or not is_a_name(who)
            or piece.mood in UNREAL
            or piece.mood is FactMood.HEARSAY
            or piece.relation_score < DOUBTED
        ):
            return
        confidence = round(0.5 + piece.relation_score / 2, 3) if piece.relation_score < SURE else 0.95
        relation = _INTENDS if piece.mood is FactMood.PLAN else piece.relation
        if relation not in table():
            return
        value, old = self._value(piece, "v"), self._value(piece, "old")
        if piece.mood in OVER:
            gone = old or value
            if gone:
                yield Claim(
                    subject=who,
                    relation=relation,
                    object=gone,
                    stance=Stance.ENDS,
                    valid_from=times.since,
                    confidence=confidence,
                )
            return
        if value and value.casefold() != who.casefold():
            yield Claim(
                subject=who,
                relation=relation,
                object=value,
                valid_from=times.since,
                valid_until=None if times.until is None or _before(times.until, times.since) else times.until,
                instead_of=old,
                confidence=confidence,
            )

    def _value(self, piece: Piece, part: str) -> str | None:
        if part not in piece.parts:
            return None
        text = self.heard.text[slice(*piece.parts[part])].strip(" .,;:!?\"'()")
        for lead in _ARTICLES:
            if text.lower().startswith(lead):
                text = text[len(lead) :]
        small = text.lower()
        known = persons.FIRST | persons.GROUP | persons.SECOND | persons.THIRD
        return text if is_a_name(text) and small not in known and len(text.split()) <= LONGEST_VALUE else None

    def _state(self, piece: Piece, who: str | None, claims: tuple[Claim, ...]) -> str | None:
        """The state that a change leads to, where subject, relation and value are sure."""
        sure = piece.mood is FactMood.BECAME and piece.relation_score >= SURE
        holds = [one for one in claims if one.stance is Stance.HOLDS]
        if not sure or who is None or not holds:
            return None
        row = table()[holds[0].relation]
        if row.cardinality is Cardinality.EVENT:
            return None
        return row.sentence.format(s=who, v=holds[0].object)

    def _entities(self, piece: Piece, claims: Sequence[Claim], stands_for: str | None) -> tuple[Mentioned, ...]:
        found: dict[str, Mentioned] = {}
        for one in self.told.names:
            if _within(one.span, piece.span):
                text = self._text(one)
                if is_a_name(text):
                    found.setdefault(text, Mentioned(text, kind_of_name(one.kind)))
        if stands_for:
            found.setdefault(stands_for, Mentioned(stands_for, "person"))
        if self.others_talk:
            found.setdefault(self.heard.first_person, Mentioned(self.heard.first_person, "person"))
        return tuple(found.values())


_KINDS = {"product": "object", "other": None, "work": "work"}
_TASTES = frozenset(name for name, row in table().items() if row.taste is not None)
_INTENDS = next(iter(with_mark("intends")))
_ARTICLES = ("a ", "an ", "the ", "my ", "our ")


def _side_by_side(made: Sequence[Extracted]) -> Iterator[list[Extracted]]:
    """Statements in stretches of one breath each."""
    some: list[Extracted] = []
    for one in made:
        if some and one.span[1] - some[0].span[0] > ONE_BREATH:
            yield some
            some = []
        some.append(one)
    if some:
        yield some


def kind_of_name(read: str) -> str | None:
    """As entities are sorted."""
    return _KINDS.get(read, read)


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
    return re.sub(r"['’]s?$", "", text.strip(' .,;:!?"()`'))  # noqa: RUF001
