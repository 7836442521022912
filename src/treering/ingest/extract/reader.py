"""What is there to remember in a turn? Its statements as they were said, with what a model sees in them.

The model that has learned to read says where statements are, how they are meant, which names stand in them and which
facts they state; times come from `when`. A short answer is told with its question. Documents, code and other languages
are kept as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property

from treering.ingest.extract.contract import OWNER, Extracted, Extraction, Heard, Mentioned, PassedOver
from treering.ingest.extract.facts_told import told
from treering.ingest.extract.foreign import in_its_own_words, is_foreign
from treering.ingest.extract.importance import MINOR, MODERATE
from treering.ingest.extract.learned_facts import StatedFacts, TurnFacts, before_of
from treering.ingest.extract.learned_kind import kind_seen
from treering.ingest.extract.learned_names import mentioned, names_in
from treering.ingest.extract.own_words import Beside, called, dated, meant, trimmed, worded
from treering.ingest.extract.plain import has_code
from treering.ingest.extract.statements import TurnPart, clauses_in, only_asks, parts_of
from treering.ingest.extract.wholes import as_it_stands, is_document
from treering.ingest.extract.worked_out import StatementTimes, told_times, windows_of
from treering.language.sentences import sentences
from treering.language.small_talk import small_talk
from treering.language.when.window import Window
from treering.mind.reading import FactMood, MessageReader, Piece, ReadMessage, ReadName, Span
from treering.model.memory import Kind
from treering.model.speaker import talks_with_others

DOUBTFUL = frozenset((FactMood.HEARSAY, FactMood.JOKE, FactMood.HYPOTHETICAL))
UNSURE = 0.5
TURNS_BEFORE, JUST_BEFORE = 2, timedelta(hours=2)
"""In so many turns, said so lately, stands whom a pronoun means."""
WORTH = 0.5
"""What is less likely to say something is of little weight."""
EVERYDAY = 0.45
"""So is what the model takes for less important."""
ANSWER_WORDS, QUESTION_CHARS = 8, 200
_SIGNS_ONLY = re.compile(r"[\s.,;:!?\u2026-]*")
EMPTY = 0.1
"""Below this a stretch is only talk: of what authors of messages called worth keeping, 1 in 500 is."""


class ReaderExtractor:
    name = "reader"

    def __init__(self, reader: Callable[[], MessageReader]) -> None:
        self._reader = reader

    def extract(self, heard: Sequence[Heard]) -> list[Extraction]:
        return [self._one(one) for one in heard]

    def _one(self, heard: Heard) -> Extraction:
        whole = kept_whole(heard, self.name)
        return whole or SeenTurn.of(heard, self._reader()).extraction(self.name)


def kept_whole(heard: Heard, extractor: str) -> Extraction | None:
    """What is not read for statements: documents, small talk, other languages, code."""
    if is_document(heard):
        return as_it_stands(heard, extractor)
    why = small_talk(heard.text) if heard.text.strip() else "blank"
    if why is not None and (question_before(heard) is None or _SIGNS_ONLY.fullmatch(heard.text)):
        over = (PassedOver((0, len(heard.text)), why),) if heard.text else ()
        return Extraction(extracted=(), passed_over=over, extractor=extractor)
    if why is None and is_foreign(heard):
        return in_its_own_words(heard, extractor)
    if has_code(heard.text):
        content, span = f"{heard.first_person}: {heard.text.strip()}", (0, len(heard.text))
        return Extraction(extracted=(Extracted(content=content, span=span, kind=Kind.EPISODE),), extractor=extractor)
    return None


def question_before(heard: Heard) -> str | None:
    """What a few words answer: what somebody else asked just before."""
    last = heard.before[-1] if heard.before else None
    if (
        last is None
        or heard.at - last.at > JUST_BEFORE
        or replace(heard, speaker=last.speaker).first_person == heard.first_person
    ):
        return None
    if len(heard.text.split()) > ANSWER_WORDS or "?" in heard.text or not last.text.rstrip().endswith("?"):
        return None
    start, end = list(sentences(last.text))[-1]
    asked = last.text[start:end].strip()
    return asked if len(asked) <= QUESTION_CHARS else None


def asked_by(heard: Heard) -> str:
    """What a question is led by, which is told and states nothing."""
    return f"{heard.first_person} asked: "


def is_asked(one: Extracted, heard: Heard) -> bool:
    return one.content.startswith(asked_by(heard))


def others_talk(heard: Heard) -> bool:
    return heard.first_person not in (OWNER, heard.owner)


@dataclass(frozen=True)
class SeenTurn:
    """A turn, as the model sees it."""

    heard: Heard
    told: ReadMessage
    reader: MessageReader

    @classmethod
    def of(cls, heard: Heard, reader: MessageReader) -> SeenTurn:
        before = before_of(heard)
        return cls(heard, reader.read(heard.text, heard.first_person, before[-1] if before else ""), reader)

    @cached_property
    def facts(self) -> TurnFacts:
        return TurnFacts(self.heard, self.told, self.reader, self._names, self._question)

    @cached_property
    def _question(self) -> str | None:
        """What it answers: a yes is told with it."""
        return question_before(self.heard)

    def extraction(self, extractor: str) -> Extraction:
        """Small talk is passed over."""
        said = [self._statement(one) for one in self._parts if one.why is None]
        made = [each for one in self.facts.stated(said) for each in self._told(one)]
        over = [PassedOver(one.span, one.why) for one in self._parts if one.why is not None]
        if self._says_nothing(made):
            over += [PassedOver(one.span, "small talk") for one in said]
            made = []
        return Extraction(extracted=tuple(made), passed_over=tuple(over), extractor=extractor)

    def _told(self, one: StatedFacts) -> list[Extracted]:
        """What is said in one statement; of one that says several things each clause is told by itself too."""
        made = list(told(one, self.heard, whole=self._is_talk))
        if self._is_talk or self._question is not None or not self._says_something(one.said.span):
            return made
        apart = [each.span for each in made if each.span != one.said.span]
        for clause in clauses_in(self.heard.text, self.told, one.said.span):
            if self._says_something(clause) and not any(_is_most_of(clause, each) for each in apart):
                made.append(replace(self._statement(TurnPart(*clause)), clause=True))
        return made

    def _says_something(self, clause: Span) -> bool:
        seen = _Seen.of(self.told.pieces, clause)
        return seen.worth >= WORTH and seen.mood not in DOUBTFUL and not only_asks(self.heard.text[slice(*clause)])

    # a statement

    def _statement(self, part: TurnPart) -> Extracted:
        start, end = trimmed(self.heard.text, part.span)
        seen, asked = _Seen.of(self.told.pieces, part.span), only_asks(self.heard.text[start:end])
        windows = [one for one in self._windows if start <= one.span[0] < end]
        words = len(self.heard.text[start:end].split())
        times = told_times(windows, self.heard.at, seen.mood, seen.lasts, words) if not asked else StatementTimes()
        kind = Kind.EPISODE if asked else kind_seen(seen.kinds, seen.mood, times.event is not None)
        lead = asked_by(self.heard) if asked else self._lead
        names = mentioned(self.heard.text, part.span, self._names)
        return Extracted(
            content=worded(self.heard.text, part.span, lead, [*dated(self._windows), *(one for one, _ in self._meant)]),
            span=part.span,
            kind=kind,
            event_time=times.event,
            event_end=times.event_end,
            expires_at=times.expires,
            importance=MINOR if asked or seen.worth < WORTH or seen.importance < EVERYDAY else MODERATE,
            confidence=UNSURE if seen.mood in DOUBTFUL else 1.0,
            entities=by_name([*names, *self.also_named(part.span)]),
        )

    @property
    def _lead(self) -> str:
        who = self.heard.first_person
        return f"{who}: " if self._question is None else f'{who}, asked "{self._question}": '

    def also_named(self, span: Span) -> list[Mentioned]:
        """Whom its pronouns mean, and who speaks if that is not the owner."""
        named = [name for beside, name in self._meant if span[0] < beside.at <= span[1]]
        if self.heard.speaker and self.heard.first_person == self.heard.speaker:
            named.append(Mentioned(self.heard.speaker, "person"))
        return named

    @property
    def _is_talk(self) -> bool:
        """What people say to one another stays as it was said."""
        return talks_with_others(self.heard.speaker, self.heard.company, self.heard.owner)

    @cached_property
    def _parts(self) -> list[TurnPart]:
        if self._question is None:
            whole = self._is_talk
            return parts_of(self.heard.text, self.told, () if whole else self.facts.sure_at, whole)
        span = 0, len(self.heard.text)
        return [
            TurnPart(*span, small_talk(self.heard.text) if _Seen.of(self.told.pieces, span).worth < WORTH else None)
        ]

    @cached_property
    def _names(self) -> list[ReadName]:
        return names_in(self.heard.text, self.told.names, self._windows)

    @cached_property
    def _windows(self) -> list[Window]:
        return windows_of(self.heard.text, self.heard.at, [one.span for one in self.told.names])

    @cached_property
    def _meant(self) -> list[tuple[Beside, Mentioned]]:
        spans = [one.span for one in self._parts]
        found = meant(self.heard.text, spans, self.told.names, self._named_before)
        return [(beside, Mentioned(name, kind)) for beside, name, kind in found]

    def _named_before(self, kind: str) -> str | None:
        """The one of a kind that was named in the turn before, or else in the one before that."""
        for turn in reversed(self.heard.before[-TURNS_BEFORE:]):
            if self.heard.at - turn.at > JUST_BEFORE or is_document(replace(self.heard, text=turn.text, speaker=None)):
                return None
            told = self.reader.read(turn.text, turn.speaker or self.heard.first_person)
            named = {called(turn.text, one) for one in told.names if one.kind == kind}
            if named:
                return named.pop() if len(named) == 1 else None
        return None

    # all of it

    def _says_nothing(self, made: Sequence[Extracted]) -> bool:
        """Where the owner says nothing, as the model is sure: no fact, no time, nothing asked."""
        return (
            not others_talk(self.heard)
            and max((piece.worth for piece in self.told.pieces), default=1.0) < EMPTY
            and not any(one.claims or one.event_time or is_asked(one, self.heard) for one in made)
        )


@dataclass(frozen=True, slots=True)
class _Seen:
    """How the model reads a stretch: each piece counts by how much of it it makes up. What lasts in it does not
    pass with what passes."""

    mood: FactMood
    lasts: float
    kinds: dict[str, float]
    worth: float
    importance: float

    @classmethod
    def of(cls, pieces: Sequence[Piece], span: Span) -> _Seen:
        own = [(overlap(piece.span, span), piece) for piece in pieces if overlap(piece.span, span) > 0]
        if not own:
            return cls(FactMood.SO, 1.0, {}, 1.0, MODERATE)
        whole = sum(size for size, _ in own)
        most = max(own, key=lambda one: one[0] * one[1].worth)[1]
        kinds = {kind: sum(size * piece.kinds.get(kind, 0.0) for size, piece in own) / whole for kind in most.kinds}
        lasts, worth, importance = (max(getattr(piece, name) for _, piece in own) for name in _MOST_OF)
        return cls(most.mood, lasts, kinds, worth, importance)


_MOST_OF = "lasts", "worth", "importance"


def overlap(one: Span, other: Span) -> int:
    return max(0, min(one[1], other[1]) - max(one[0], other[0]))


def _is_most_of(one: Span, other: Span) -> bool:
    """Whether two stretches share more than half of the shorter."""
    return 2 * overlap(one, other) > min(one[1] - one[0], other[1] - other[0])


def by_name(some: Sequence[Mentioned]) -> tuple[Mentioned, ...]:
    """Each once, as it was named first."""
    found: dict[str, Mentioned] = {}
    for one in some:
        found.setdefault(one.name, one)
    return tuple(found.values())
