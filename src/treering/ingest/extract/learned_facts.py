"""Which facts does a turn state? Beside those that rules read, those that a model has learned to see.

Statements, their words, kinds and times stay as the other extractor gives them: only claims are added, each to the
statement in whose words its value stands. The model reads a turn twice: value by value (`facts`), and piece by piece
(`read`); what both see is surer than what one sees. A learned claim is never so sure that it ends another fact or
contradicts one, and what rules claim of a subject and relation goes before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, log

from treering.errors import InvalidRequest
from treering.ingest.extract.contract import OWNER, Claim, Extracted, Extraction, Extractor, Heard, Stance
from treering.ingest.extract.reader import HOLDS, OVER, ReadTurn
from treering.ingest.extract.rules.plain import is_talk
from treering.ingest.extract.wholes import is_document
from treering.ingest.extract.worked_out import times_of
from treering.language.en import persons
from treering.mind.judging import spoken
from treering.mind.reading import FactMood, FoundFact, MessageReader, Place, ReadMessage
from treering.model.entity import entity_name
from treering.relations import with_mark

LEAST, MOST = 0.18, 0.49
"""What is less likely is no claim; and none is so sure that it ends or contradicts what was known."""
WEIGHTS = {
    "base": -2.39, "value": 0.21, "mood": 0.07, "subject": 0.07, "read": 0.73, "same relation": 0.26,
    "speaker": 0.40, "named": 0.80, "words": -0.29,
}  # fmt: skip
"""How much speaks for a claim, fitted on sets of which the figures are no longer asked: whether its subject and value
were what an author wrote down."""
LONGEST_NAME = 8
"""Words of a value or a subject; more are a sentence, and no thing."""
TURNS_BEFORE = 2
_INTENDS = next(iter(with_mark("intends")))
_ARTICLES = re.compile(r"^(?:an?|the|my|our|his|her|their)\s+", re.IGNORECASE)
_AROUND = " .,;:!?\"'()[]`*\n\t"
_PRONOUNS = persons.FIRST | persons.GROUP | persons.SECOND | persons.THIRD


class WithLearnedFacts:
    name = "hybrid"

    def __init__(self, inner: Extractor, reader: Callable[[], MessageReader]) -> None:
        self._inner, self._reader = inner, reader

    def extract(self, heard: Sequence[Heard]) -> list[Extraction]:
        read = self._inner.extract(heard)
        return [self._with_facts(*one) for one in zip(heard, read, strict=True)]

    def _with_facts(self, heard: Heard, read: Extraction) -> Extraction:
        read = replace(read, extractor=self.name)
        if not read.extracted or is_document(heard) or not is_talk(heard.text):
            return read
        reader, said = self._reader(), [spoken(turn.speaker, turn.text) for turn in heard.before[-TURNS_BEFORE:]]
        before = " ".join(said)
        found = reader.facts(heard.text, heard.first_person, before)
        told = reader.read(heard.text, heard.first_person, said[-1] if said else "")
        return replace(read, extracted=tuple(TurnFacts(heard, before, found, told).added(read.extracted)))


@dataclass(frozen=True)
class TurnFacts:
    """What was found in a turn, by both readings."""

    heard: Heard
    before: str
    found: Sequence[FoundFact]
    told: ReadMessage

    def added(self, statements: Sequence[Extracted]) -> Iterator[Extracted]:
        sure = [claim for one in statements for claim in one.claims]
        values = {claim.object.casefold() for claim in sure}
        told = {(claim.subject.casefold(), claim.relation) for claim in sure}
        mine: dict[int, list[Claim]] = {}
        for claim in self.claims():
            home = self._home(claim, statements)
            known = claim.object.casefold() in values or (claim.subject.casefold(), claim.relation) in told
            if home is not None and not known:
                mine.setdefault(home, []).append(claim)
        for place, statement in enumerate(statements):
            more = mine.get(place, ())
            yield replace(statement, claims=(*statement.claims, *more)) if more else statement

    def claims(self) -> list[Claim]:
        """The likeliest for each value."""
        made: dict[tuple[str, str], Claim] = {}
        for fact in self.found:
            claim = self._claim(fact)
            if claim is not None:
                read = self._read.get(_pair(claim))
                made.setdefault(_pair(claim), replace(claim, confidence=self._likely(claim, fact, read)))
        for pair, read in self._read.items():
            made.setdefault(pair, replace(read, confidence=self._likely(read, None, read)))
        best: dict[str, Claim] = {}
        for claim in made.values():
            value = claim.object.casefold()
            if claim.confidence >= max(LEAST, best[value].confidence if value in best else 0.0):
                best[value] = claim
        return list(best.values())

    @cached_property
    def _read(self) -> dict[tuple[str, str], Claim]:
        return {_pair(claim): claim for claim in ReadTurn(self.heard, self.told, WithLearnedFacts.name).claims()}

    def _home(self, claim: Claim, statements: Sequence[Extracted]) -> int | None:
        """The first statement in whose words the value stands."""
        for place, one in enumerate(statements):
            if claim.object in self.heard.text[slice(*one.span)]:
                return place
        return None

    def _claim(self, fact: FoundFact) -> Claim | None:
        subject, value = self._subject(fact), _thing(self.heard.text[slice(*fact.value)])
        if subject is None or value is None or subject.casefold() == value.casefold():
            return None
        relation = _INTENDS if fact.mood is FactMood.PLAN else fact.relation
        if relation == "OTHER" or fact.mood not in HOLDS | OVER | {FactMood.PLAN}:
            return None
        times = times_of(self.heard.text, self.heard.at, fact.mood, 1.0)
        ends = fact.mood in OVER
        until = times.until if not ends and times.until and not (times.since and times.until <= times.since) else None
        return Claim(
            subject=subject,
            relation=relation,
            object=value,
            stance=Stance.ENDS if ends else Stance.HOLDS,
            valid_from=times.since,
            valid_until=until,
        )

    def _subject(self, fact: FoundFact) -> str | None:
        if fact.place is Place.SPEAKER:
            return self.heard.first_person
        if fact.place is Place.NOWHERE:
            return None
        said = (self.heard.text if fact.place is Place.TURN else self.before)[slice(*fact.subject)]
        plain = said.lower().strip(_AROUND)
        if plain in persons.FIRST:
            return self.heard.first_person if fact.place is Place.TURN else None
        if plain in _PRONOUNS:
            return None
        return (self.heard.owner or OWNER) if plain == OWNER.lower() else _thing(said)

    def _likely(self, claim: Claim, fact: FoundFact | None, read: Claim | None) -> float:
        names = {self.heard.text[slice(*one.span)].casefold() for one in self.told.names}
        speaks = {
            "base": 1.0,
            "read": float(read is not None),
            "same relation": float(fact is not None and read is not None and read.relation == claim.relation),
            "speaker": float(claim.subject == self.heard.first_person),
            "named": float(claim.object.casefold() in names),
            "words": float(len(claim.object.split())),
        }
        if fact is not None:
            speaks |= {
                "value": _log_odds(fact.value_score),
                "mood": _log_odds(fact.mood_score),
                "subject": _log_odds(fact.subject_score),
            }
        odds = sum(WEIGHTS[name] * value for name, value in speaks.items())
        return min(MOST, round(1 / (1 + exp(-odds)), 3))


def _log_odds(score: float) -> float:
    score = min(0.999, max(0.001, score))
    return log(score / (1 - score))


def _thing(said: str) -> str | None:
    """What something is called, without what stands around it; None where that is no name."""
    text = re.sub(r"['\u2019]s?$", "", _ARTICLES.sub("", said.strip(_AROUND)))
    try:
        entity_name(text)
    except InvalidRequest:
        return None
    return text if len(text.split()) <= LONGEST_NAME and text.lower() not in _PRONOUNS else None


def _pair(claim: Claim) -> tuple[str, str]:
    return claim.subject.casefold(), claim.object.casefold()
