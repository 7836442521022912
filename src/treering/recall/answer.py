"""What comes back from a question? Hits with their sources and reasons, and an account of how they were found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from datetime import datetime
from typing import TYPE_CHECKING

from treering.model.memory import Memory, State, Support, View
from treering.model.meta import EMPTY, Meta
from treering.model.value import Value
from treering.values import dataclass

if TYPE_CHECKING:
    from treering.language.when.window import Window


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SourceRef(Value):
    """Where a memory was said: enough to cite it."""

    id: str
    key: str | None = None
    speaker: str | None = None
    session: str | None = None
    occurred_at: datetime
    span: tuple[int, int]
    meta: Meta = EMPTY
    text: str | None = None
    """The words of the source that the memory rests on."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ConflictingMemory(Value):
    """The other side of a contradiction."""

    memory_id: str
    content: str
    state: State
    valid_from: datetime
    valid_until: datetime | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Outdates(Value):
    """A memory that still stands, and in whose place, for this question, a later hit holds."""

    memory_id: str
    content: str
    why: str
    """What the judge says of it."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Signal(Value):
    """What one signal said of a hit: its place among all that were weighed, what it added, and the parts of that."""

    rank: int
    score: float
    parts: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Explanation(Value):
    """How a hit came by its score: the signals, then every modifier with what it added."""

    signals: Mapping[str, Signal]
    modifiers: Mapping[str, float]
    seeds: tuple[str, ...] = ()
    """Entities that the walk began from, with the ways in which each was found."""
    path: tuple[str, ...] = ()
    """The way from such an entity to this memory: names and relations in turn."""
    window: Window | None = None
    """The time that was asked for, if this memory is close to it."""
    days_outside: float | None = None
    total: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Hit(Value):
    memory: Memory
    score: float
    """Between 0 and 1, comparable between questions of one space."""
    why: str
    sources: tuple[SourceRef, ...] = ()
    superseded_by: str | None = None
    supersedes: tuple[str, ...] = ()
    conflicts: tuple[ConflictingMemory, ...] = ()
    outdates: tuple[Outdates, ...] = ()
    """What holds no longer in view of this hit, where the present is asked about; it stands behind it, if at all."""
    outdated_by: str | None = None
    """The memory that holds in its place, as a judge reads the two; nothing was written for it."""
    support: Support = Support.UNKNOWN
    """Whether what the memory was derived from still holds."""
    supporters: int = 0
    """How many other memories say the same or support it."""
    before: tuple[Memory, ...] = ()
    after: tuple[Memory, ...] = ()
    explanation: Explanation | None = None
    review: bool = False
    """It fades, and was put here to be seen again in place of a better hit."""

    @property
    def state(self) -> State:
        """As this answer sees it: what a later hit outdates is superseded here."""
        return State.SUPERSEDED if self.outdated_by is not None else self.memory.state


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class IndexState(Value):
    """How much of a space could be seen when it was asked."""

    space: str
    seq: int
    memories: int
    embedder: str | None
    embedded: int
    """How many of the memories have vectors; the others are found by words, graph and time alone."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Answer(Value):
    """The hits, the best first, and how they were found."""

    query: str
    hits: tuple[Hit, ...]
    view: View
    as_of: datetime
    known_at: datetime | None = None
    windows: tuple[Window, ...] = ()
    signals: tuple[str, ...] = ()
    """The signals that had something to say."""
    reranked_by: str | None = None
    """The reranker that read the best once more, if one did."""
    judged_by: str | None = None
    """The judge that said which of the best answer, if one did."""
    trouble: str | None = None
    """What should have had a say in the answer and had none, and why."""
    below_floor: int = 0
    """How many were left out because nothing known has enough to do with the question."""
    in_doubt: bool = False
    """Whether anything known has to do with the question is in doubt, and therefore only the first few are given."""
    index: tuple[IndexState, ...] = ()
    tokens: int = 0
    """About how many tokens the contents of the hits take."""
    milliseconds: Mapping[str, float] = field(default_factory=dict, compare=False)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, place: int) -> Hit:
        return self.hits[place]

    def __repr__(self) -> str:
        return f"Answer({self.query!r}, hits={list(self.hits)})"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Context(Value):
    """A block of text for a prompt; `str` gives it. It is empty if nothing is known, or if not even one memory fits."""

    query: str
    text: str
    format: str
    tokens: int
    """About how many tokens the text takes: never more than the budget."""
    budget_tokens: int
    citations: tuple[str, ...] = ()
    """The ids that the text cites by their ends, in the order in which it does."""
    left_out: int = 0
    """How many hits did not fit."""
    as_of: datetime
    view: View

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class WhyNot(Value):
    """What kept a memory out of an answer, or that nothing did."""

    query: str
    memory_id: str
    found: bool
    reasons: tuple[str, ...]
    """The decisive one first."""
    rank: int | None = None
    """Its place among all that were weighed; none if it was not weighed."""
    score: float | None = None
    needed: float | None = None
    """The score of the last hit."""
    explanation: Explanation | None = None
