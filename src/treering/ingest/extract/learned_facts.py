"""Which facts does a turn state? What a model that has learned to read claims, beside what rules do.

It reads a turn twice: value by value (`facts`), and piece by piece (`read`); what both see is surer than what one sees.
Each claim goes to the statement in whose words its value stands. Of claims about one thing, whoever makes them, the
likeliest is told. What only the model claims is never so sure that it ends what rules read or contradicts it; what only
rules claim and the model does not bear out is a guess too; what both claim is as sure as rules are. How much speaks for
a claim stands in `claims.toml`, which `training.claims` writes.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from math import exp, log

from treering.errors import InvalidRequest
from treering.ingest.extract.contract import OWNER, Claim, Extracted, Heard, Stance
from treering.ingest.extract.piece_claims import HOLDS, OVER, ReadTurn
from treering.ingest.extract.worked_out import times_of
from treering.language.en import persons
from treering.language.sentences import sentences
from treering.language.words import words
from treering.mind.judging import spoken
from treering.mind.reading import AssertedFact, FactMood, FoundFact, MessageReader, Place, ReadMessage
from treering.model.entity import entity_name
from treering.relations import has_one, with_mark

LEAST, MOST = 0.4, 0.49
"""What is less likely to be right is no claim; and none is so sure that it ends or contradicts what was known."""
BORNE_OUT = 0.6
"""What rules claim is a guess where it is less likely to be right, by what the model sees of it."""
LONGEST_NAME = 8
"""Words of a value or a subject; more are a sentence, and no thing."""
TURNS_BEFORE = 2
_INTENDS = next(iter(with_mark("intends")))
_LEADS = re.compile(r"^(?:(?:[a-z]+|[A-Z]\w+['\u2019]s)\s+)+(?=[A-Z])")
"""What may stand before the name that somebody has: "nephew Tariq", "Pedro's wife Anneke"."""
_ARTICLES = re.compile(r"^(?:an?|the|my|our|his|her|their)\s+", re.IGNORECASE)
_AROUND = " .,;:!?\"'()[]`*\n\t"
_PRONOUNS = persons.FIRST | persons.GROUP | persons.SECOND | persons.THIRD


def before_of(heard: Heard) -> list[str]:
    return [spoken(turn.speaker, turn.text) for turn in heard.before[-TURNS_BEFORE:]]


@dataclass(frozen=True)
class TurnFacts:
    """What was found in a turn, by both readings."""

    heard: Heard
    told: ReadMessage
    reader: MessageReader

    @cached_property
    def before(self) -> str:
        return " ".join(before_of(self.heard))

    def added(self, statements: Sequence[Extracted]) -> Iterator[Extracted]:
        """Of claims about one thing, whoever makes them, the likeliest; what ends or denies something always stands.
        Where there is one value at a time, what rules read goes before."""
        made = [
            WeighedClaim(claim, place, _likely("rules", self.bears_out(claim)), by_rules=True)
            for place, one in enumerate(statements)
            for claim in one.claims
        ]
        taken = {_fact(one.claim) for one in made if has_one(one.claim.relation)}
        for claim in self.claims():
            home = self._home(claim, statements)
            if home is not None and _fact(claim) not in taken:
                made.append(WeighedClaim(claim, home, claim.confidence / MOST))
        kept = {id(one) for one in _of_one_thing_each(made)}
        yield from _as_far_as_borne_out(
            [
                replace(one, claims=tuple(each.told for each in made if id(each) in kept and each.place == place))
                for place, one in enumerate(statements)
            ]
        )

    def bears_out(self, claim: Claim) -> dict[str, float]:
        """What the model sees of a claim that rules make."""
        value, seen = claim.object.casefold(), [one for one, _ in self.weighed]
        at_all = any(value in one.object.casefold() or one.object.casefold() in value for one in seen)
        same = any(_pair(one) == _pair(claim) and one.relation == claim.relation for one in seen)
        [believed] = self._beliefs([claim])
        return {
            "base": 1.0,
            "believed": believed,
            "value": float(at_all),
            "fact": float(same),
            f"as {claim.relation}": 1.0,
        }

    def claims(self) -> list[Claim]:
        """What the model claims, as a guess."""
        likely = ((claim, _likely("model", loud)) for claim, loud in self.weighed)
        return [replace(claim, confidence=_guess(one)) for claim, one in likely if one >= LEAST]

    @cached_property
    def weighed(self) -> list[tuple[Claim, dict[str, float]]]:
        """All that either reading claims, with what speaks for it and how loud."""
        made: dict[tuple[str, str], tuple[Claim, dict[str, float]]] = {}
        for fact in self.reader.facts(self.heard.text, self.heard.first_person, self.before):
            claim = self._claim(fact)
            if claim is not None:
                made.setdefault(_pair(claim), (claim, self._speaks(claim, fact, self._read.get(_pair(claim)))))
        for pair, read in self._read.items():
            made.setdefault(pair, (read, self._speaks(read, None, read)))
        beliefs = self._beliefs([claim for claim, _ in made.values()])
        return [(claim, loud | {"believed": one}) for (claim, loud), one in zip(made.values(), beliefs, strict=True)]

    def _beliefs(self, claims: Sequence[Claim]) -> list[float]:
        asserted = [AssertedFact(claim.subject, claim.relation, claim.object) for claim in claims]
        return self.reader.beliefs(self.heard.text, self.heard.first_person, self.before, asserted)

    @cached_property
    def _read(self) -> dict[tuple[str, str], Claim]:
        return {_pair(claim): claim for claim in ReadTurn(self.heard, self.told).claims()}

    def _home(self, claim: Claim, statements: Sequence[Extracted]) -> int | None:
        """The first statement in whose words the value stands."""
        for place, one in enumerate(statements):
            if claim.object in self.heard.text[slice(*one.span)]:
                return place
        return None

    def _claim(self, fact: FoundFact) -> Claim | None:
        subject, value = self._subject(fact), self._thing(self.heard.text[slice(*fact.value)])
        if subject is None or value is None or subject.casefold() == value.casefold():
            return None
        relation = _INTENDS if fact.mood is FactMood.PLAN else fact.relation
        if relation == "OTHER" or fact.mood not in HOLDS | OVER | {FactMood.PLAN}:
            return None
        times = times_of(self._sentence(fact), self.heard.at, fact.mood, 1.0)
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

    def _sentence(self, fact: FoundFact) -> str:
        """That names the value: the times of others are not the fact's."""
        spans = sentences(self.heard.text)
        return next((self.heard.text[a:b] for a, b in spans if a <= fact.value[0] < b), self.heard.text)

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
        return (self.heard.owner or OWNER) if plain == OWNER.lower() else self._thing(said)

    def _thing(self, said: str) -> str | None:
        """What something is called; of who is described and named, the name."""
        text = _thing(said)
        name = _LEADS.sub("", text or "")
        return name if name.casefold() in self._names else text

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self.heard.text[slice(*one.span)].casefold() for one in self.told.names)

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


@dataclass(slots=True)
class WeighedClaim:
    """A claim, the statement that it goes to, and how likely it is to be right."""

    claim: Claim
    place: int
    likely: float
    by_rules: bool = False
    agreed: Claim | None = None
    """What rules claim of the same thing, in fewer words or more."""

    @property
    def may_give_way(self) -> bool:
        return not self.by_rules or self.claim.stance is Stance.HOLDS

    @property
    def told(self) -> Claim:
        """What rules claim to be so, as sure as they are where the model bears it out, and else a guess."""
        if self.agreed is not None:
            return replace(self.agreed, object=self.claim.object)
        if not self.by_rules or not self.may_give_way or self.likely >= BORNE_OUT:
            return self.claim
        return replace(self.claim, confidence=min(self.claim.confidence, _guess(self.likely)))

    @property
    def is_firm(self) -> bool:
        """Whether rules say that it is so, and the model bears it out."""
        return self.by_rules and self.may_give_way and self.likely >= BORNE_OUT

    def gives_way_to(self, other: WeighedClaim) -> bool:
        """To what is said of the same thing, in fewer words or more. Rules may say several things of one."""
        if not self.may_give_way or (self.by_rules and other.by_rules):
            return False
        mine, its = (f" {one.claim.object.casefold()} " for one in (self, other))
        one_subject = self.claim.subject.casefold() == other.claim.subject.casefold()
        return (mine == its and not self.by_rules) or (one_subject and (mine in its or its in mine))

    def is_another_relation(self, other: WeighedClaim) -> bool:
        return self.claim.relation != other.claim.relation and self.gives_way_to(other)


def _of_one_thing_each(made: Sequence[WeighedClaim]) -> list[WeighedClaim]:
    """The likeliest; but what the model takes for another relation than rules which it bears out does not stand: the
    statement may be worded by the rule."""
    firm = [one for one in made if one.is_firm]
    heard = [one for one in made if one.by_rules or not any(one.is_another_relation(rule) for rule in firm)]
    kept: list[WeighedClaim] = []
    for one in sorted(heard, key=lambda each: (each.may_give_way, -each.likely)):
        likelier = next((other for other in kept if one.gives_way_to(other)), None)
        if likelier is None:
            kept.append(one)
        elif one.by_rules and _fact(one.claim) == _fact(likelier.claim) and likelier.claim.stance is Stance.HOLDS:
            likelier.agreed = one.told
    return kept


def _fact(claim: Claim) -> tuple[str, str]:
    return claim.subject.casefold(), claim.relation


def _as_far_as_borne_out(statements: Sequence[Extracted]) -> list[Extracted]:
    """A state that rules worked out of words which are told as they were said, and that is only a guess, is no
    statement of its own: the words keep its claims."""
    kept: list[Extracted] = []
    for one in statements:
        said = next((place for place, other in enumerate(kept) if other.span == one.span), None)
        guessed = one.claims and all(claim.confidence <= MOST for claim in one.claims)
        if said is not None and guessed:
            kept[said] = replace(kept[said], claims=(*kept[said].claims, *one.claims))
        else:
            kept.append(one)
    return kept


@cache
def _weights(of: str) -> dict[str, float]:
    with (files(__package__) / "claims.toml").open("rb") as file:
        found = tomllib.load(file)[of]
    return {name: value for name, value in found.items() if name != "as"} | {
        f"as {relation}": value for relation, value in found["as"].items()
    }


def _likely(of: str, loud: dict[str, float]) -> float:
    """How often a claim `of` the model or of rules is right, where so much speaks for it."""
    weights = _weights(of)
    return 1 / (1 + exp(-sum(weights.get(name, 0.0) * value for name, value in loud.items())))


def _guess(likely: float) -> float:
    return round(MOST * likely, 3)


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
    says_something = text.lower() not in _PRONOUNS and bool(words(text))  # "at", "the" and the like are none
    return text if says_something and len(text.split()) <= LONGEST_NAME else None


def _pair(claim: Claim) -> tuple[str, str]:
    return claim.subject.casefold(), claim.object.casefold()
