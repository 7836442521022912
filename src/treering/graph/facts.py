"""What is so between two entities, and when? Stating facts directly, and reading them at a moment."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from treering.errors import InvalidRequest
from treering.model.changes import Change, Changes, EdgeAdded
from treering.model.edge import Edge, fact_relation
from treering.model.fact import Statement
from treering.model.identity import Attestation, attestation
from treering.model.time import UNKNOWN, begun
from treering.model.value import Value
from treering.store.contract import Act, EdgeFilter, Reader
from treering.store.making_way import MakingWay
from treering.store.naming import NameRegister, entity_of, memory_of
from treering.store.own_relations import every_name, relations_of
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Fact(Value):
    """A fact edge with the names of its ends. `valid_from` is none where nobody knows since when it holds."""

    id: str
    subject: str
    relation: str
    object: str
    valid_from: datetime | None
    valid_until: datetime | None
    confidence: float
    subject_id: str
    object_id: str
    memory_id: str | None
    recorded_at: datetime
    closed_by: str | None = None
    attestation: Attestation = Attestation.UNSIGNED


@dataclass(frozen=True, slots=True, repr=False)
class Asserted(Value):
    facts: tuple[Fact, ...]
    closed: tuple[str, ...] = ()
    entities_created: tuple[str, ...] = ()


def assert_facts(act: Act, statements: Iterable[Statement], supersede: bool, op: str) -> tuple[Changes, Asserted]:
    reader, naming = act.reader, NameRegister(act)
    relations = relations_of(reader)
    functional = relations.one_at_a_time if supersede else frozenset()
    added: dict[str, Edge] = {}
    making_way = MakingWay(reader, added, relations)
    facts: list[Fact] = []
    for statement in statements:
        if statement.memory_id is not None:
            memory_of(reader, statement.memory_id, "memory_id")
        naming.memory_id = statement.memory_id
        subject, object_ = naming.entity(statement.subject), naming.entity(statement.object)
        edge = Edge(
            id=act.mint(),
            space=act.space,
            source_id=subject.id,
            target_id=object_.id,
            relation=statement.relation,
            confidence=statement.confidence,
            valid_from=_since(reader, statement, act.now),
            valid_until=statement.valid_until,
            recorded_at=act.at,
            memory_id=statement.memory_id,
            observed_by=act.writer.actor,
            rule="stated",
        )
        if edge.relation in functional and _takes_a_place(edge):
            edge = making_way.for_(edge)
        added[edge.id] = edge
        facts.append(_fact(edge, subject.name, object_.name))
    signed = {edge.id: act.writer.sign(edge) for edge in added.values()}
    changes: tuple[Change, ...] = (
        *naming.added,
        *(EdgeAdded(edge) for edge in signed.values()),
        *making_way.closed,
    )
    made = tuple(sorted(naming.created))
    told = tuple(
        replace(
            fact,
            valid_until=added[fact.id].valid_until,
            attestation=attestation(signed[fact.id].signature is not None, False),
        )
        for fact in facts
    )
    return Changes(op, changes), Asserted(told, tuple(one.edge_id for one in making_way.closed), made)


def _takes_a_place(edge: Edge) -> bool:
    """What is over, and began nobody knows when, ends nothing."""
    if edge.valid_from != UNKNOWN:
        return True
    if edge.valid_until is None:
        raise InvalidRequest(
            "valid_from: is unknown, so nobody can tell where the older value ends; give a time, or do not supersede"
        )
    return False


def _since(reader: Reader, statement: Statement, now: datetime) -> datetime:
    """As it is stated, or as its evidence tells. Of what was over by then only the end is known."""
    if statement.valid_from is not None:
        return statement.valid_from
    memory = reader.memory(statement.memory_id) if statement.memory_id else None
    told = now if memory is None else memory.event_time or memory.said_at
    return UNKNOWN if statement.valid_until is not None and statement.valid_until <= told else told


def facts(
    reader: Reader,
    subject: str | None,
    relation: str | None,
    object_: str | None,
    include_closed: bool,
    limit: int | None,
    least_confidence: float | None = None,
) -> list[Fact]:
    which = EdgeFilter(
        source_ids=None if subject is None else (entity_of(reader, subject, "subject").id,),
        target_ids=None if object_ is None else (entity_of(reader, object_, "object").id,),
        relations=None if relation is None else every_name(reader, (relation,), fact_relation),
        facts_only=True,
        include_closed=include_closed,
        least_confidence=least_confidence,
        limit=limit,
    )
    return facts_of(reader, reader.edges(which))


def facts_of(reader: Reader, edges: Iterable[Edge]) -> list[Fact]:
    """Fact edges with the names of their ends."""
    edges = list(edges)
    ends = {end for edge in edges for end in (edge.source_id, edge.target_id)}
    names = {entity.id: entity.name for entity in reader.entities(ids=ends)}
    return [
        _fact(edge, names.get(edge.source_id, edge.source_id), names.get(edge.target_id, edge.target_id))
        for edge in edges
    ]


def _fact(edge: Edge, subject: str, object_: str) -> Fact:
    return Fact(
        id=edge.id,
        subject=subject,
        relation=edge.relation,
        object=object_,
        valid_from=begun(edge.valid_from),
        valid_until=edge.valid_until,
        confidence=edge.confidence,
        subject_id=edge.source_id,
        object_id=edge.target_id,
        memory_id=edge.memory_id,
        recorded_at=edge.recorded_at,
        closed_by=edge.closed_by,
        attestation=edge.attestation,
    )
