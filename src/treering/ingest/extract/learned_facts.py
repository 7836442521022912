"""Which facts does a turn state? What a model that has learned to read claims, and how sure it may be of it.

It reads a turn twice: value by value (`facts`), and piece by piece (`read`); what both see is surer than what one sees.
Each claim goes to the statement in whose words its value stands; of claims about one thing, the likeliest is told. How
much speaks for a claim stands in `claims.toml`, which `training.claims` writes: that it is right, and that it is worth
a fact of its own beside the statement. What is likely enough is as good as said: it ends what was known. All else is a
guess, which ends only guesses.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from math import exp, log

from treering.errors import InvalidRequest
from treering.ingest.extract.contract import OWNER, Claim, Extracted, Heard, Stance
from treering.ingest.extract.piece_claims import HOLDS, OVER, PieceClaim, ReadTurn
from treering.ingest.extract.worked_out import AN_HOUR, RECURS, SINCE, times_of, windows_of
from treering.language.en import persons
from treering.language.en.tenses import of_another_time, of_now
from treering.language.sentences import sentences
from treering.language.standing import corrects
from treering.language.when.window import Grain
from treering.language.words import words
from treering.mind.judging import spoken
from treering.mind.reading import (
    AssertedFact,
    FactMood,
    FoundFact,
    MessageReader,
    Piece,
    Place,
    ReadMessage,
    ReadName,
    Span,
)
from treering.model.entity import entity_name
from treering.relations import table, with_mark

LEAST, SURE = 0.4, 0.7
"""What is less likely to be right is no claim; from the other on it is told as certain."""
WORTH = 0.15
"""What people who list facts would less likely list is told by its statement alone."""
MOST = 0.49
"""How sure a guess may be: it ends and contradicts nothing that is known."""
LONGEST_NAME = 8
"""Words of a value or a subject; more are a sentence, and no thing."""
TURNS_BEFORE = 2
_INTENDS = next(iter(with_mark("intends")))
_LEADS = re.compile(r"^(?:(?:[a-z]+|[A-Z]\w+['\u2019]s)\s+)+(?=[A-Z])")
"""What may stand before the name that somebody has: "nephew Tariq", "Pedro's wife Anneke"."""
_ARTICLES = re.compile(r"^(?:an?|the|my|our|his|her|their)\s+", re.IGNORECASE)
_YOURS = re.compile(r"^your\s+", re.IGNORECASE)
"""In what was asked: of who answers."""
_WHOSE = re.compile(r"['\u2019]s?$")
_AROUND = " .,;:!?\"'()[]`*\n\t"
_PRONOUNS = persons.FIRST | persons.GROUP | persons.SECOND | persons.THIRD


Weighed = tuple[Claim, FactMood, dict[str, float]]
"""A claim, how it is meant, and what speaks for it and how loud."""


def before_of(heard: Heard) -> list[str]:
    """With what a turn is read: with nothing, where it speaks for itself, and neither answers nor corrects."""
    answers = heard.before and heard.before[-1].text.rstrip().endswith("?")
    if persons.speaks_for_itself(heard.text) and not answers and not corrects(heard.text):
        return []
    return [spoken(turn.speaker, turn.text) for turn in heard.before[-TURNS_BEFORE:]]


@dataclass(frozen=True, slots=True)
class LikelyClaim:
    """A claim, how it is meant, how likely it is to be right, and to be listed by who lists facts. `stretch`: the words
    that state it."""

    claim: Claim
    mood: FactMood
    likely: float
    listed: float = 1.0
    stretch: Span = (0, 0)

    @property
    def is_sure(self) -> bool:
        return self.claim.confidence > MOST

    @property
    def is_worth_a_fact(self) -> bool:
        """What ends is no fact of its own."""
        return self.listed >= WORTH or self.claim.stance is not Stance.HOLDS

    def is_of_the_same_thing(self, other: LikelyClaim) -> bool:
        """Whether it is said of the same thing, in fewer words or more."""
        mine, its = (f" {one.claim.object.casefold()} " for one in (self, other))
        one_subject = self.claim.subject.casefold() == other.claim.subject.casefold()
        return mine == its or (one_subject and (mine in its or its in mine))


@dataclass(frozen=True, slots=True)
class StatedFacts:
    """A statement, and the facts that it states."""

    said: Extracted
    facts: tuple[LikelyClaim, ...] = ()

    @property
    def sure(self) -> list[LikelyClaim]:
        return [one for one in self.facts if one.is_sure]


@dataclass(frozen=True)
class TurnFacts:
    """What was found in a turn, by both readings."""

    heard: Heard
    told: ReadMessage
    reader: MessageReader
    names: Sequence[ReadName]
    question: str | None = None
    """What the turn answers."""

    @cached_property
    def before(self) -> str:
        return " ".join(before_of(self.heard))

    @property
    def sure_at(self) -> list[int]:
        """Where the values of sure facts stand."""
        return [self._at.get(_pair(one.claim), -1) for one in self.claims if one.is_sure]

    def stated(self, statements: Sequence[Extracted]) -> list[StatedFacts]:
        """The statements in order, each with the facts that it states. Of claims about one thing, the likeliest."""
        made = [(one, home) for one in self.claims if (home := self._home(one.claim, statements)) is not None]
        kept = {id(one) for one in _of_one_thing_each([one for one, _ in made])}
        return [
            StatedFacts(one, tuple(each for each, home in made if home == place and id(each) in kept))
            for place, one in enumerate(statements)
        ]

    @cached_property
    def claims(self) -> list[LikelyClaim]:
        """What the model claims, as sure as it may be."""
        likely = ((one, likely_right(one[2])) for one in self.weighed)
        found = [self._told(one, share) for one, share in likely if share >= LEAST]
        return [self._never_so(one, found) for one in found]

    def _never_so(self, one: LikelyClaim, found: Sequence[LikelyClaim]) -> LikelyClaim:
        """Where the words correct, what ends beside another value in its place was never so."""
        claim = one.claim
        holds = ((each.subject, each.relation) for each in (it.claim for it in found) if each.stance is Stance.HOLDS)
        if claim.stance is not Stance.ENDS or (claim.subject, claim.relation) not in holds:
            return one
        return replace(one, claim=replace(claim, stance=Stance.NEVER)) if corrects(self._sentence_with(claim)) else one

    def _told(self, one: Weighed, likely: float) -> LikelyClaim:
        claim, mood, loud = one
        sure = likely >= SURE and not (self._is_of_others(claim, loud) or self._is_of_another_time(claim, mood))
        confidence = round(likely if sure else MOST * likely, 3)
        piece = self._piece_of(claim)
        stretch = (0, len(self.heard.text)) if piece is None else piece.span
        return LikelyClaim(replace(claim, confidence=confidence), mood, likely, likely_listed(loud), stretch)

    def _is_of_others(self, claim: Claim, loud: dict[str, float]) -> bool:
        """What "we" do is not surely said of who speaks, nor is what is said of nothing that is named."""
        said = persons.words_for_somebody(self._sentence_with(claim))
        others = said & persons.GROUP or loud.get("nowhere")
        return claim.subject == self.heard.first_person and bool(others) and not said & persons.FIRST

    def _is_of_another_time(self, claim: Claim, mood: FactMood) -> bool:
        """Whether it passes, or was once so. Who leaves the office at six comes back, and what is denied of a day or of
        weekends is not over; a stay is no home; and a few words that answer what was say nothing of today."""
        piece = self._piece_of(claim)
        said, meant = self._sentence_with(claim), {mood, piece and piece.mood}
        if claim.stance is Stance.HOLDS:
            was = self.question is not None and of_another_time(self.question) and mood is not FactMood.BECAME
            return was or FactMood.TEMPORARY in meant
        if FactMood.DENIED in meant:
            days = (one for one in windows_of(said, self.heard.at) if one.grain <= Grain.DAY)
            return RECURS.search(said) is not None or any(not SINCE.match(one.text) for one in days)
        return AN_HOUR.search(said) is not None

    def _piece_of(self, claim: Claim) -> Piece | None:
        """Where its value stands."""
        at = self._at.get(_pair(claim), -1)
        return next((one for one in self.told.pieces if one.span[0] <= at < one.span[1]), None)

    def _sentence_with(self, claim: Claim) -> str:
        """That names the value: the times and the "we" of others are not the fact's."""
        at = self._at.get(_pair(claim), self.heard.text.find(claim.object))
        return self._sentence(at)

    def _sentence(self, at: int) -> str:
        text = self.heard.text
        return next((text[a:b] for a, b in sentences(text) if a <= at < b), text)

    @cached_property
    def _found(self) -> list[tuple[Claim, FoundFact]]:
        """Value by value."""
        found = self.reader.facts(self.heard.text, self.heard.first_person, self.before)
        return [(claim, fact) for fact in found if (claim := self._claim(fact)) is not None]

    @cached_property
    def _read(self) -> dict[tuple[str, str], PieceClaim]:
        """Piece by piece."""
        return {_pair(one.claim): one for one in ReadTurn(self.heard, self.told).claims()}

    @cached_property
    def _at(self) -> dict[tuple[str, str], int]:
        """Where the values of claims stand."""
        seen = {_pair(claim): fact.value[0] for claim, fact in reversed(self._found)}
        return {pair: one.at for pair, one in self._read.items()} | seen

    @cached_property
    def weighed(self) -> list[Weighed]:
        """All that either reading claims."""
        made: dict[tuple[str, str], Weighed] = {}
        for claim, fact in self._found:
            read = self._read[_pair(claim)].claim if _pair(claim) in self._read else None
            old = read.instead_of if read is not None else None
            told = replace(claim, instead_of=old), fact.mood, self._speaks(claim, fact, read)
            made.setdefault(_pair(claim), told)
        for pair, one in self._read.items():
            made.setdefault(pair, (one.claim, one.mood, self._speaks(one.claim, None, one.claim)))
        if not made and self.question is not None and self.told.pieces:
            made = {_pair(one[0]): one for one in self._confirmed(self.question, self.told.pieces[0])}
        beliefs = self._beliefs([claim for claim, _, _ in made.values()])
        weighed = {
            pair: (claim, mood, loud | {"believed": one})
            for (pair, (claim, mood, loud)), one in zip(made.items(), beliefs, strict=True)
        }
        return [_agreeing(one, weighed) for one in weighed.values()]

    def _confirmed(self, question: str, answer: Piece) -> Iterator[Weighed]:
        """What "yes" and "no" say: the fact that was asked about is so, or is not, where the relation that the answer
        is read to have is that of the question."""
        if answer.mood not in HOLDS | OVER or answer.relation_score < SURE or not of_now(question):
            return
        asked = replace(self.heard, text=question, before=())
        for fact in self.reader.facts(question, self.heard.first_person):
            value = self._called(_thing(question[slice(*fact.value)]))
            about = question[slice(*fact.subject)].lower() if fact.place is Place.TURN else ""
            if value is None or fact.relation != answer.relation or about not in {"", *persons.SECOND}:
                continue
            me, ends = self.heard.first_person, answer.mood in OVER
            claim = Claim(
                subject=me, relation=fact.relation, object=value, stance=Stance.ENDS if ends else Stance.HOLDS
            )
            seen = TurnFacts(asked, self.told, self.reader, ())._speaks(claim, fact, claim)
            yield claim, answer.mood, seen | {"relation": _log_odds(answer.relation_score)}

    def _beliefs(self, claims: Sequence[Claim]) -> list[float]:
        asserted = [AssertedFact(claim.subject, claim.relation, claim.object) for claim in claims]
        return self.reader.beliefs(self.heard.text, self.heard.first_person, self.before, asserted)

    def _home(self, claim: Claim, statements: Sequence[Extracted]) -> int | None:
        """The first statement in whose words the value stands."""
        for place, one in enumerate(statements):
            if claim.object in self.heard.text[slice(*one.span)]:
                return place
        return 0 if statements and self.question is not None else None

    def _claim(self, fact: FoundFact) -> Claim | None:
        subject, value = self._subject(fact), self._called(_thing(self.heard.text[slice(*fact.value)]))
        if subject is None or value is None or subject.casefold() == value.casefold():
            return None
        relation = _INTENDS if fact.mood is FactMood.PLAN else fact.relation
        if relation == "OTHER" or fact.mood not in HOLDS | OVER | {FactMood.PLAN}:
            return None
        times = times_of(self._sentence(fact.value[0]), self.heard.at, fact.mood, 1.0)
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
        """What is said of nothing that is named is most often said of who speaks."""
        if fact.place in (Place.SPEAKER, Place.NOWHERE):
            return self.heard.first_person
        said = (self.heard.text if fact.place is Place.TURN else self.before)[slice(*fact.subject)]
        plain = said.lower().strip(_AROUND)
        if plain in persons.FIRST:
            return self.heard.first_person if fact.place is Place.TURN else None
        if plain in _PRONOUNS:
            return None
        if plain == OWNER.lower():
            return self.heard.owner or OWNER
        if fact.place is Place.BEFORE:
            said = _YOURS.sub("", said)
        return self._called(_thing(_WHOSE.sub("", said.strip(_AROUND))))

    def _called(self, text: str | None) -> str | None:
        """Of who is described and named, the name; not of "a flat in Leith"."""
        name = _LEADS.sub("", text or "")
        described = (text or "")[: -len(name)].split() if name else []
        return name if name.casefold() in self._names and all(words(one) for one in described) else text

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self.heard.text[slice(*one.span)].casefold() for one in self.names)

    def _speaks(self, claim: Claim, fact: FoundFact | None, read: Claim | None) -> dict[str, float]:
        found = {
            "base": 1.0,
            "read": float(read is not None),
            "same relation": float(fact is not None and read is not None and read.relation == claim.relation),
            "speaker": float(claim.subject == self.heard.first_person),
            "named": float(claim.object.casefold() in self._names),
            "words": float(len(claim.object.split())),
            "ends": float(claim.stance is Stance.ENDS),
            f"as {claim.relation}": 1.0,
        }
        if fact is not None:
            found |= {
                "seen": 1.0,
                "nowhere": float(fact.place is Place.NOWHERE),
                "value": _log_odds(fact.value_score),
                "mood": _log_odds(fact.mood_score),
                "subject": _log_odds(fact.subject_score),
                "relation": _log_odds(fact.relation_score),
            }
        return found


def _agreeing(one: Weighed, made: Mapping[tuple[str, str], Weighed]) -> Weighed:
    """What takes the place of something that ends has its relation, where that is the likelier claim and one of values
    of the same kind."""
    claim, mood, loud = one
    old = made.get((claim.subject.casefold(), (claim.instead_of or "").casefold()))
    if old is None or old[0].stance is not Stance.ENDS or claim.stance is Stance.ENDS:
        return one
    if not _of_one_kind(old[0].relation, claim.relation) or likely_right(old[2]) <= likely_right(loud):
        return one
    told = {name: value for name, value in loud.items() if not name.startswith("as ")}
    clearer = max(old[2].get("relation", 0.0), loud.get("relation", 0.0))
    return replace(claim, relation=old[0].relation), mood, told | {f"as {old[0].relation}": 1.0, "relation": clearer}


def _of_one_kind(one: str, other: str) -> bool:
    """Whether the table gives two relations values of the same kind: an organization, a place."""
    first, second = table().get(one), table().get(other)
    return one != other and first is not None and second is not None and first.value == second.value


def _of_one_thing_each(made: Sequence[LikelyClaim]) -> list[LikelyClaim]:
    kept: list[LikelyClaim] = []
    for one in sorted(made, key=lambda each: -each.likely):
        if not any(one.is_of_the_same_thing(other) for other in kept):
            kept.append(one)
    return kept


@cache
def _weights(of: str) -> dict[str, float]:
    with (files(__package__) / "claims.toml").open("rb") as file:
        found = tomllib.load(file)[of]
    relations = found.pop("as")
    return {**found, **{f"as {relation}": value for relation, value in relations.items()}}


def likely_right(loud: dict[str, float]) -> float:
    """How often a claim is right where so much speaks for it."""
    return _likely("right", loud)


def likely_listed(loud: dict[str, float]) -> float:
    """How often people list it who are asked which facts somebody stated."""
    return _likely("listed", loud)


def _likely(of: str, loud: dict[str, float]) -> float:
    weights = _weights(of)
    return 1 / (1 + exp(-sum(weights.get(name, 0.0) * value for name, value in loud.items())))


def _log_odds(score: float) -> float:
    score = min(0.999, max(0.001, score))
    return log(score / (1 - score))


def _thing(said: str) -> str | None:
    """What something is called, without what stands around it; None where that is no name."""
    text = _ARTICLES.sub("", said.strip(_AROUND))
    try:
        entity_name(text)
    except InvalidRequest:
        return None
    says_something = text.lower() not in _PRONOUNS and bool(words(text))  # "at", "the" and the like are none
    return text if says_something and len(text.split()) <= LONGEST_NAME else None


def _pair(claim: Claim) -> tuple[str, str]:
    return claim.subject.casefold(), claim.object.casefold()
