"""What holds now, among what was found? Where a question asks about the present, a judge reads the best hits with it,
all at once and in the order in which they were said.

Each has a role: it answers as things stand, it once did and is over, or it does not answer. What answers comes first.
What is over stands behind what holds in its place, and says so: no answer is hidden on a judge's word, and nothing is
written here. What was only said in one turn with an answer is none; nor, where few hits are wanted, is what answers far
less than the best.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from treering.language.en.tenses import of_another_time
from treering.mind.judging import ONE_TURN, AnswerRole, Asking, FoundStatement, Judge, spoken
from treering.model.memory import Kind, Memory
from treering.model.source import Source

log = logging.getLogger(__name__)
JUDGED, JUDGED_OF_LITTLE, LITTLE = 6, 8, 100
"""So many of the best turns are read with the question, and so many where no more memories may be answers than the
last: there what the signals put behind is seldom mere talk."""
FETCHED = 24
"""So many memories they are looked for among: a turn may have made several."""
ANSWERS = 0.1
"""From this score on a statement answers the question, now or once."""
SURER = 1.3
"""What takes another answer's place is so many times as likely to hold: the last word is not always the answer."""
STATED = 0.9
"""What a memory scores at least that states a fact of the relation that is asked for."""
SURE = 0.6
"""What one must score at least where nothing else speaks for any of them."""
WITHIN = 0.8
"""Of what a turn of several memories scores, so much goes to each by its own words."""


@dataclass(frozen=True, slots=True)
class JudgePolicy:
    """How far the judge's word goes. `over`: from this score on an answer is outdated, where a later one is there.
    `lifts`, `later`: what a certain answer adds to the sum of all that was said for a memory, and being later than
    another answer. `once`: what having answered once counts beside answering now. `silent`: below this score of the
    best, nothing answers. `aside`: what answers less than so much of what the best of its turn does was only said
    beside it. `least`: what answers less than so much of what the best that holds does is no hit where few are wanted;
    None: whatever has to do with the question is one. `kin`: what being like the best adds to what speaks for
    reading a memory; 0: the best are read as they are weighed."""

    over: float
    lifts: float
    later: float
    once: float = 1.0
    silent: float = 0.15
    aside: float = 0.0
    least: float | None = None
    kin: float = 0.0


OWN = JudgePolicy(over=0.05, lifts=32.0, later=2.0, once=0.2, aside=0.75, silent=0.3, least=0.6, kin=9.0)
"""Where somebody asks about what was told to the memory."""
AS_OF = replace(OWN, silent=0.0, least=None)
"""Where somebody asks what was so at a moment: what had been said by then is read as if it were now."""
CONVERSATION = JudgePolicy(over=0.5, lifts=2.0, later=0.0, silent=0.0)
"""Where a question names one of those who talked with one another: what they say in passing stands side by side, and
answers by the way what the judge may not hear."""

THEN = JudgePolicy(over=math.inf, lifts=6.0, later=0.0, kin=9.0)
"""Where somebody asks what once was: what answers comes first, nothing is outdated by what came after."""


@dataclass(frozen=True, slots=True)
class HitCandidate:
    """A memory that may be a hit, with the sum of what was said for it."""

    id: str
    memory: Memory
    source: Source | None
    total: float
    states: bool = False
    """Whether a fact that it states is what is asked for."""
    reads: float = 0.0
    """What speaks for reading it."""

    @property
    def text(self) -> str:
        """As it was said, led by who said it."""
        return as_said(self.memory, self.source)[0]

    @property
    def turn(self) -> tuple[str | None, str]:
        """What is read once: the same words said again are another turn."""
        return self.memory.source_id, self.text

    @property
    def stretch(self) -> tuple[int, int]:
        """Where its own words stand in that text."""
        return as_said(self.memory, self.source)[1]


@dataclass(frozen=True, slots=True)
class Outdated:
    id: str
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class Present:
    """What the judge says. `lifts`: what it adds to each; `answered`: how sure the best is to answer; `answers`: the
    ids of those that do; `asides`: of those that were said in one turn with an answer and are none; `idle`: of those
    that were read and do not answer; `faint`: of those that answer far less than the best that holds."""

    lifts: Mapping[str, float] = field(default_factory=dict)
    outdated: Mapping[str, Outdated] = field(default_factory=dict)
    answered: float = 1.0
    answers: frozenset[str] = frozenset()
    asides: frozenset[str] = frozenset()
    idle: frozenset[str] = frozenset()
    faint: frozenset[str] = frozenset()


def as_said(memory: Memory, source: Source | None) -> tuple[str, tuple[int, int]]:
    """The words it rests on, and where they stand in what is shown: of a short turn all of it, since what stands beside
    them says how they are meant."""
    if source is None:
        text = spoken(None, memory.content)
        return text, (0, len(text))
    if len(source.content) <= ONE_TURN and source.content.strip():
        text = spoken(source.speaker, source.content)
        lead = len(text) - len(source.content)
        return text, (lead + memory.span[0], lead + memory.span[1])
    text = spoken(source.speaker, source.content[slice(*memory.span)].strip() or memory.content)
    return text, (0, len(text))


@dataclass(frozen=True, slots=True)
class HitReading:
    """Who reads the hits of a question, and how far that goes. `related`: whether the signals say that the question has
    to do with anything known; if not, the judge must be sure that something answers. `stands_out`: whether the best
    that was found leaves no doubt of it. `until`: what was said later is not read. `candidates`: how many memories may
    be answers."""

    judge: Judge
    manner: JudgePolicy
    related: bool = True
    stands_out: bool = False
    until: datetime | None = None
    candidates: int = LITTLE + 1

    def silences(self, told: Present, is_mostly_talk: Callable[[], bool]) -> bool:
        """Whether nothing that is known answers the question. The judge has learned what somebody tells of themselves.
        What people say to one another answers in ways that it may not hear: where that stands out, it is told."""
        least = self.manner.silent if self.related or self.until else max(SURE, self.manner.silent)
        if told.answered >= least:
            return False
        return not (self.related and self.stands_out and is_mostly_talk())

    def leaves_out(self, few: bool) -> bool:
        """Whether what does not answer is no hit; where few are wanted it may be none."""
        return self.manner.least is not None and few

    def present(self, question: str, candidates: Sequence[HitCandidate]) -> Present:
        until = self.until
        known = [one for one in candidates if until is None or one.memory.said_at <= until]
        turns = JUDGED_OF_LITTLE if self.candidates <= LITTLE else JUDGED
        return present(self.judge, question, known, self.manner, turns)


def manner_of(question: str, asking: Asking, named: bool) -> JudgePolicy | None:
    """How the hits are read; None where they stand as they are weighed: where it asks when something happened, and
    what happened to those who talked with one another. `named`: whether it names one of these."""
    past = of_another_time(question)
    if asking is Asking.WHEN and past:
        return None
    if named:
        return None if past or asking in (Asking.PAST, Asking.WHEN) else CONVERSATION
    return THEN if asking is Asking.PAST else OWN


def present(
    judge: Judge,
    question: str,
    candidates: Sequence[HitCandidate],
    manner: JudgePolicy = OWN,
    turns_read: int = JUDGED,
) -> Present:
    likeliest = sorted(candidates, key=lambda one: -one.reads) if manner.kin else candidates
    read = sorted(_of_the_best_turns(likeliest, turns_read), key=lambda one: (one.memory.said_at, one.memory.span))
    if not read:
        return Present()
    turns: dict[tuple[str | None, str], list[HitCandidate]] = {}
    for one in read:
        turns.setdefault(one.turn, []).append(one)
    statements = [FoundStatement(text, tuple(one.stretch for one in some)) for (_, text), some in turns.items()]
    told = dict(zip(turns, judge.roles(question, statements), strict=True))
    strength: dict[str, float] = {}
    lifts: dict[str, float] = {}
    asides: set[str] = set()
    for turn, some in turns.items():
        now, over = told[turn].of(AnswerRole.NOW), told[turn].of(AnswerRole.OVER)
        asides.update(_asides(some, told[turn].stretches, manner.aside))
        for one, share in zip(some, _shares(told[turn].stretches, len(some)), strict=True):
            least = STATED if one.states else 0.0
            strength[one.id] = max((now + over) * share, least)
            lifts[one.id] = manner.lifts * max((now + manner.once * over) * share, least)
    answers = [one for one in read if strength[one.id] >= ANSWERS]
    said = list(dict.fromkeys(one.turn for one in answers))
    for one in answers:
        lifts[one.id] += manner.later * said.index(one.turn)
    outdated: dict[str, Outdated] = {}
    for place, one in reversed(list(enumerate(answers))):  # the last first: what holds is known before what it outdates
        over, holds = told[one.turn].of(AnswerRole.OVER), told[one.turn].of(AnswerRole.NOW)
        later = [
            other
            for other in answers[place + 1 :]
            if other.id not in outdated
            and _may_outdate(other, one)
            and told[other.turn].of(AnswerRole.NOW) >= SURER * holds
        ]
        if over >= manner.over and later:
            by = max(later, key=lambda other: strength[other.id])
            outdated[one.id] = Outdated(one.id, by.id, f"judged to be over, {over:.2f}, in view of what was said later")
    for one in read:
        gives_way = f", outdated by {outdated[one.id].by}" if one.id in outdated else ""
        log.debug("%s answers with %.2f%s", one.id, strength[one.id], gives_way)
    answering = frozenset(one.id for one in answers)
    holding = answering - outdated.keys()
    enough = (manner.least or 0.0) * max((strength[one] for one in holding), default=0.0)
    in_place = {way.by for way in outdated.values()}
    return Present(
        lifts,
        outdated,
        max(strength.values()),
        answering,
        asides=frozenset(asides),
        idle=frozenset(one.id for one in read if one.id not in answering),
        faint=frozenset(one for one in holding - in_place if strength[one] < enough),
    )


def _of_the_best_turns(candidates: Sequence[HitCandidate], most: int) -> list[HitCandidate]:
    turns: set[tuple[str | None, str]] = set()
    found = []
    for one in candidates:
        if one.turn in turns or len(turns) < most:
            turns.add(one.turn)
            found.append(one)
    return found


def _shares(stretches: Sequence[float], count: int) -> list[float]:
    """What each memory of a turn has of the turn's score: all of it the one whose words answer best."""
    best = max(stretches, default=0.0)
    if len(stretches) != count or best <= 0:
        return [1.0] * count
    return [1 - WITHIN + WITHIN * one / best for one in stretches]


def _asides(some: Sequence[HitCandidate], stretches: Sequence[float], share: float) -> Iterator[str]:
    """ "Lyon's hostels are full, doing Annecy instead": asked where the journey goes, only the one answers."""
    best = max(stretches, default=0.0)
    if len(stretches) == len(some) and best >= ANSWERS:
        for one, answers in zip(some, stretches, strict=True):
            if answers < share * best and not one.states:
                yield one.id


def _may_outdate(new: HitCandidate, old: HitCandidate) -> bool:
    """What was said in the same breath is told in several parts; and what happened has happened."""
    return (
        old.memory.source_id != new.memory.source_id
        and new.memory.said_at > old.memory.said_at
        and not (
            old.memory.kind is Kind.EPISODE and new.memory.kind is Kind.EPISODE and old.memory.event_end is not None
        )
    )
