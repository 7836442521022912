"""What changed between two moments? Facts that began, ended, made way for another value, or were learned late.

Both moments are valid time, read by what is known (`known_at`). A fact is *opened* if it begins after `from` and not
after `to`, *closed* if it ends so. It is *superseded* if it was closed and another value of the same subject and
relation begins where it ends. It is *learned late* if between the two moments it became known that it did, or did not,
hold at `from`: whoever had asked at `from` itself would have been told otherwise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Literal

from treering.errors import InvalidRequest
from treering.graph.facts import Fact, facts_of
from treering.model.edge import Edge
from treering.model.time import UNKNOWN, to_text
from treering.model.value import Value
from treering.relations.own import Relations
from treering.store.contract import EdgeFilter, Reader
from treering.store.own_relations import relations_of
from treering.values import dataclass

Open = Callable[[datetime | None, datetime | None], AbstractContextManager[Reader]]
"""A reader at (as_of, known_at)."""


@dataclass(frozen=True, slots=True, repr=False)
class SupersededFact(Value):
    """A fact that ended, and what took its place there. `rule` and `evidence` are those of the closing."""

    fact: Fact
    by: tuple[Fact, ...]
    rule: str | None = None
    evidence: str | None = None
    why: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class LearnedLate(Value):
    """`then`: whether it was believed to hold at `from`, by what was known at `from`; by what was known at `to` it is
    the other way round."""

    fact: Fact
    then: Literal["held", "did not hold"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Diff(Value):
    """What changed from one moment to the other. What is superseded is among the closed as well."""

    since: datetime
    until: datetime
    opened: tuple[Fact, ...] = ()
    closed: tuple[Fact, ...] = ()
    superseded: tuple[SupersededFact, ...] = ()
    learned_late: tuple[LearnedLate, ...] = ()


def diff(open_at: Open, since: datetime, until: datetime | None, known_at: datetime | None) -> Diff:
    """`until` none is the present, by all that is known."""
    with open_at(until, known_at) as reader:
        to = reader.moment.as_of
        if to < since:
            raise InvalidRequest(f"to: {to_text(to)} lies before from, {to_text(since)}; give the earlier one first")
        turned = EdgeFilter(facts_only=True, include_closed=True, begins_or_ends=(since, to))
        edges = [edge for edge in reader.edges(turned) if not edge.period.empty]
        opened = [edge for edge in edges if since < edge.valid_from <= to]
        closed = [edge for edge in edges if edge.valid_until is not None and since < edge.valid_until <= to]
        facts = {fact.id: fact for fact in facts_of(reader, edges)}
        relations = relations_of(reader)
    return Diff(
        since=since,
        until=to,
        opened=tuple(facts[edge.id] for edge in opened),
        closed=tuple(facts[edge.id] for edge in closed),
        superseded=tuple(_superseded(opened, closed, facts, relations)),
        learned_late=tuple(_late(open_at, since, until, known_at)),
    )


def _superseded(
    opened: list[Edge], closed: list[Edge], facts: dict[str, Fact], relations: Relations
) -> Iterator[SupersededFact]:
    begins: dict[tuple[str, str, datetime | None], list[Edge]] = defaultdict(list)
    for edge in opened:
        begins[edge.source_id, relations.one(edge.relation), edge.valid_from].append(edge)
    for edge in closed:
        others = begins[edge.source_id, relations.one(edge.relation), edge.valid_until]
        by = tuple(facts[other.id] for other in others if other.target_id != edge.target_id)
        if by:
            yield SupersededFact(facts[edge.id], by, edge.closed_by, edge.closed_evidence, edge.closed_why)


def _late(open_at: Open, since: datetime, until: datetime | None, known_at: datetime | None) -> list[LearnedLate]:
    """The same moment in valid time, by what was known at either end."""
    held = _holding(open_at, since, since if known_at is None else min(since, known_at))
    holds = _holding(open_at, since, min((one for one in (until, known_at) if one is not None), default=None))
    found = [LearnedLate(holds[one], "did not hold") for one in holds.keys() - held.keys()]
    found += [LearnedLate(held[one], "held") for one in held.keys() - holds.keys()]
    return sorted(found, key=lambda one: (one.fact.valid_from or UNKNOWN, one.fact.recorded_at, one.fact.id))


def _holding(open_at: Open, as_of: datetime, known_at: datetime | None) -> dict[str, Fact]:
    with open_at(as_of, known_at) as reader:
        return {fact.id: fact for fact in facts_of(reader, reader.edges(EdgeFilter(facts_only=True)))}
