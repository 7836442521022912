"""What holds now, among what was found? Where a question asks about the present, a judge reads the best hits with it.

Each is read for the role it has: it answers, it says that the answer is over, it only plays with one, or it has
nothing to do with it. Of two that answer, the later takes the earlier one's place if the judge says so. Nothing is
written here, and what gives way is named by the hit that took its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from treering.language.en.tenses import of_another_time
from treering.mind.judging import Asking, Judge, Pair, Role, Verdict, spoken
from treering.model.memory import Kind, Memory
from treering.model.source import Source

JUDGED = 10
"""So many of the best are read with the question."""
ANSWERS = 0.3
"""From this score on a statement answers the question, or says that what answered it is over."""
STATED = 0.35
"""What a memory scores at least that states a fact of the relation that is asked for."""
SILENT = 0.08
"""Where none reaches this score, nothing that is known answers the question."""
ONE_TURN = 280
"""Characters: a longer turn says more than one thing."""
CLEAR, BESIDE = 0.6, 0.05
"""Where one answers as clearly as this, what scores below the other is beside the question and left out."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How far the judge's word goes. `gives_way`: from this score on the later of two answers takes the earlier one's
    place. `lifts`, `later`: what a certain answer adds to the sum of all that was said for a memory, and being later
    than another answer. `cuts`: whether what is beside a clearly answered question is left out."""

    gives_way: float
    lifts: float
    later: float
    cuts: bool


OWN = Manner(gives_way=0.5, lifts=8.0, later=1.0, cuts=True)
"""Where somebody asks about what was told to the memory."""
CONVERSATION = Manner(gives_way=0.6, lifts=2.0, later=0.0, cuts=False)
"""Where a question names one of those who talked with one another: what they say in passing stands side by side."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that may be a hit, with the sum of what was said for it."""

    id: str
    memory: Memory
    source: Source | None
    total: float
    states: bool = False
    """Whether a fact that it states is what is asked for."""

    @property
    def text(self) -> str:
        """As it was said, led by who said it."""
        return as_said(self.memory, self.source)

    @property
    def told(self) -> str:
        """In the words of the memory, which may be others: a state that a change has led to."""
        return spoken(self.source.speaker if self.source is not None else None, self.memory.content)

    @property
    def since(self) -> datetime:
        return self.memory.event_time or self.memory.said_at


@dataclass(frozen=True, slots=True)
class GivesWay:
    id: str
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class Present:
    """What the judge says. `lifts`: what it adds to each; `answered`: how sure the best is to answer."""

    lifts: Mapping[str, float] = field(default_factory=dict)
    gives_way: Mapping[str, GivesWay] = field(default_factory=dict)
    beside: frozenset[str] = frozenset()
    """What has nothing to do with a question that is clearly answered."""
    answered: float = 1.0

    @property
    def silent(self) -> bool:
        return self.answered < SILENT


def as_said(memory: Memory, source: Source | None) -> str:
    """The words it rests on; of a short turn all of them, since what stands beside them says how they are meant."""
    said = ""
    if source is not None:
        said = source.content if len(source.content) <= ONE_TURN else source.content[slice(*memory.span)]
    speaker = source.speaker if source is not None else None
    return spoken(speaker, said.strip() or memory.content)


def asks_about_now(judge: Judge, question: str) -> bool:
    return not of_another_time(question) and judge.asking(question) in (Asking.NOW, Asking.TALK)


def present(judge: Judge, question: str, candidates: Sequence[Candidate], manner: Manner = OWN) -> Present:
    read = candidates[:JUDGED]
    if not read:
        return Present()
    strength = _strength(judge, question, read)
    answers = sorted(
        (one for one in read if strength[one.id] >= ANSWERS), key=lambda one: (one.since, one.memory.said_at)
    )
    gives_way = _gives_way(judge, question, answers, manner.gives_way)
    standing = [one for one in answers if one.id not in gives_way]
    lifts = {one.id: manner.lifts * strength[one.id] for one in read}
    for place, one in enumerate(standing):
        lifts[one.id] += manner.later * place
    best = max(strength.values())
    beside = (
        frozenset(one for one, score in strength.items() if score < BESIDE)
        if manner.cuts and best >= CLEAR
        else frozenset()
    )
    return Present(lifts, gives_way, beside, best)


def _strength(judge: Judge, question: str, read: Sequence[Candidate]) -> dict[str, float]:
    """How sure each is to answer: in the words in which that shows best, and no less than a fact that is asked for."""
    found = {one.id: STATED if one.states else 0.0 for one in read}

    def heard(some: Sequence[Candidate], texts: Sequence[str]) -> None:
        for one, role in zip(some, judge.roles(question, texts), strict=True):
            found[one.id] = max(found[one.id], role.of(Role.NOW, Role.ENDS))

    heard(read, [one.text for one in read])
    left = [one for one in read if found[one.id] < ANSWERS and one.memory.content not in one.text]
    heard(left, [one.told for one in left])
    return found


def _gives_way(judge: Judge, question: str, answers: Sequence[Candidate], least: float) -> dict[str, GivesWay]:
    pairs = [
        (old, new)
        for place, old in enumerate(answers)
        for new in answers[place + 1 :]
        if old.memory.source_id != new.memory.source_id and _may_give_way(old, new)
    ]
    told = judge.judge([Pair(old.text, new.text, question) for old, new in pairs])
    found: dict[str, GivesWay] = {}
    for (old, new), judged in zip(pairs, told, strict=True):
        score = judged.of(Verdict.REPLACES, Verdict.ENDS)
        if score >= least:
            verdict = Verdict.ENDS if judged.of(Verdict.ENDS) > judged.of(Verdict.REPLACES) else Verdict.REPLACES
            found[old.id] = GivesWay(old.id, new.id, f"judged that the later {verdict.value} it, {score:.2f}")
    return found


def _may_give_way(old: Candidate, new: Candidate) -> bool:
    """What happened has happened; and what was said in the same moment is told in several parts."""
    return new.memory.said_at > old.memory.said_at and not (
        old.memory.kind is Kind.EPISODE and new.memory.kind is Kind.EPISODE and old.memory.event_end is not None
    )
