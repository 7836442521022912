"""Which edges were known, and held, at this moment? Facts, links and mentions, each behind what hides it.

What a space holds nothing of (`Bound.held`) is not looked up for every row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

from treering.model.edge import MENTION, Edge, Family, Link, family_of
from treering.model.memory import Mark
from treering.model.time import to_micros
from treering.store.contract import EdgeFilter
from treering.store.sql import tables as t
from treering.store.sql.bound import (
    BELIEVED,
    EDGE_OPEN,
    EDGE_REMEMBERED,
    WINDOW,
    Bound,
    Where,
    some_at_a_time,
)
from treering.store.sql.entities import SqlEntities

# An edge with its window as believed. CROSS JOIN keeps the order: first the edge, by the index that narrows most.
EDGE = f"edge e CROSS JOIN edge_window w WHERE {WINDOW} AND e.recorded_at <= :known"

# Who has countersigned edge e.
_VOUCHED = f"""(SELECT MAX(CASE WHEN a.actor = e.observed_by THEN {t.OBSERVER} ELSE {t.OTHERS} END)
    FROM attestation a WHERE a.space_id = e.space_id AND a.edge_id = e.id AND a.recorded_at <= :known)"""

# When edge e itself was forgotten.
_FORGOTTEN_AT = f"""(SELECT k.known_from FROM mark k WHERE k.space_id = e.space_id AND k.target_id = e.id
    AND k.mark = '{Mark.FORGOTTEN}' AND {BELIEVED.format("k")})"""

# A mention that is known and neither forgotten nor private to others.
MENTIONS = f"e.relation = '{MENTION}' AND e.recorded_at <= :known AND {EDGE_REMEMBERED} AND {EDGE_OPEN}"

# The newest mentions of one entity: {0} is its place among those asked for, {1} says which mentions, {2} how many. How
# many stands in the text: a server that keeps the plan would else think of a tenth of all.
_NEWEST_MENTIONS = f"""SELECT * FROM (
    SELECT {{0}} AS place, e.recorded_at, e.id, e.source_id FROM edge e
    WHERE e.relation = '{MENTION}' AND e.recorded_at <= :known{{1}}
    ORDER BY e.recorded_at DESC, e.id DESC LIMIT {{2}}) AS newest_{{0}}"""

# A fact, told by its relation: those are written in capitals, all others are not. The indexes by end hold the relation,
# so that the facts of an entity are found without looking at its mentions.
_IS_FACT = "{0}.relation < 'a'"
_LINKS = frozenset(link.value for link in Link)
_OWN_WORDS = _LINKS | {MENTION}


class SqlEdges:
    def __init__(self, bound: Bound, entities: SqlEntities) -> None:
        self._bound, self._entities = bound, entities

    def some(self, which: EdgeFilter) -> list[Edge]:
        held = self._bound.held
        only_links = which.relations and all(one in _LINKS for one in which.relations)
        if (which.facts_only and not held.facts) or (only_links and not held.links):
            return []
        where = self._bound.where("e")
        where.add_among("e.id", which.ids)
        _add_relations(where, "e.relation", which.relations)
        if which.relations and which.by_relation_alone:
            where.add_among("e.family", sorted({family_of(one).value for one in which.relations}))
        for column, ids in (("e.source_id", which.source_ids), ("e.target_id", which.target_ids)):
            if ids is not None:
                self._entities.add_members(where, (column,), ids)
        if which.either_ids is not None:
            self._add_either(where, which)
        if which.evidence_id is not None:
            where.add("e.memory_id = {}", which.evidence_id)
        where.add_among("e.memory_id", which.evidence_ids)
        if which.facts_only:
            # by family only where nothing narrower is named, or its index would be taken instead
            named = (which.ids, which.source_ids, which.target_ids, which.either_ids)
            narrower = any(one is not None for one in (*named, which.evidence_id, which.evidence_ids))
            where.add(_IS_FACT.format("e") if narrower else f"e.family = '{Family.FACT}'")
        if not which.include_closed:
            where.add("e.valid_from <= :as_of AND w.valid_until > :as_of")
        if which.least_confidence is not None:
            where.add("e.confidence >= {}", which.least_confidence)
        _add_turns(where, which.begins_or_ends)
        if held.forgotten and not which.include_forgotten:
            where.add(EDGE_REMEMBERED)
        if held.private:
            where.add(EDGE_OPEN)
        forgotten_at = _FORGOTTEN_AT if held.forgotten else "NULL"
        sql = f"""SELECT {t.EDGE.select("e.")}, w.valid_until, w.rule, w.why, w.evidence, {_VOUCHED},
              {forgotten_at} AS forgotten_at, e.space_id
            FROM {EDGE}{where}
            ORDER BY e.valid_from, e.recorded_at, e.id"""
        if which.limit is not None:
            sql += f" LIMIT {where.put(which.limit)}"
        width = len(t.EDGE.columns)
        return [
            t.read_edge(
                self._bound.names[row[-1]],
                row[:width],
                row[width : width + 4],
                row[-2],
                (self._entities.canonical(row[-1], row[2]), self._entities.canonical(row[-1], row[3])),
                row[-3],
            )
            for row in self._bound.rows(sql, where)
        ]

    def _add_either(self, where: Where, which: EdgeFilter) -> None:
        """One end or the other, each looked up in its own index: with a plain OR every edge would be looked at. The
        other end's index holds this end too, so that SQLite would go through all of it: the time that it does not hold
        keeps it from that."""
        found = []
        for space_id in self._bound.names:
            place, halves = where.put(space_id), []
            for column in ("f.source_id", "f.target_id"):
                half = Where(where.params, shared=True)
                half.add(f"f.space_id = {place}")
                half.add(half.among(column, self._entities.members(space_id, which.either_ids or ())))
                _add_relations(half, "f.relation", which.relations)
                half.add("f.recorded_at <= :known")
                if which.facts_only:
                    half.add(_IS_FACT.format("f"))
                halves.append(f"SELECT f.id FROM edge f WHERE TRUE{half}")
            found.append(f"e.space_id = {place} AND e.id IN ({' UNION '.join(halves)})")
        where.add(found[0] if len(found) == 1 else f"({' OR '.join(f'({one})' for one in found) or 'FALSE'})")

    def relations_of(self, entity_ids: Iterable[str]) -> dict[str, frozenset[str]]:
        asked, found = set(entity_ids), defaultdict[str, set[str]](set)
        if not asked or not self._bound.held.facts:
            return dict.fromkeys(asked, frozenset())
        for space_id in self._bound.names:
            where = Where(self._bound.params)
            place = where.put(space_id)
            members = where.listed(self._entities.members(space_id, asked))
            halves = (
                f"SELECT e.{end}, e.relation FROM edge e WHERE e.space_id = {place} AND e.{end} IN {members}"
                f" AND {_IS_FACT.format('e')}"
                for end in ("source_id", "target_id")
            )
            for member, relation in self._bound.rows(" UNION ".join(halves), where):
                found[self._entities.canonical(space_id, member)].add(relation)
        return {one: frozenset(found[one]) for one in asked}

    def mentioning(self, entity_ids: Iterable[str]) -> set[str]:
        where = self._bound.where("e")
        self._entities.add_members(where, ("e.target_id",), entity_ids)
        sql = f"SELECT e.source_id FROM edge e WHERE {MENTIONS}{where}"
        return {row[0] for row in self._bound.rows(sql, where)}

    def mentions_of(self, entity_ids: Iterable[str], limit: int) -> dict[str, list[str]]:
        """Each by itself, for each has an end of its own; all in one statement, for each way to a server takes time."""
        found: dict[str, list[str]] = {one: [] for one in entity_ids}
        for some in some_at_a_time(list(found)):
            for place, memory_id in self._newest_mentions(some, limit):
                found[some[place]].append(memory_id)
        return found

    def _newest_mentions(self, entity_ids: Sequence[str], limit: int) -> list[tuple[int, str]]:
        """Each with the place of its entity among these."""
        whole, asked = Where(self._bound.params), []
        remembered = f" AND {_FORGOTTEN_AT} IS NULL" if self._bound.held.forgotten else ""
        for place, entity_id in enumerate(entity_ids):
            where = self._bound.where("e", whole)
            self._entities.add_members(where, ("e.target_id",), [entity_id])
            asked.append(_NEWEST_MENTIONS.format(place, f"{where}{remembered}", int(limit)))
        sql = f"{' UNION ALL '.join(asked)} ORDER BY 1, 2 DESC, 3 DESC"
        return [(row[0], row[3]) for row in self._bound.rows(sql, whole)]

    def mentioned(self, memory_ids: Iterable[str]) -> list[tuple[str, str]]:
        where = self._bound.where("e")
        where.add_among("e.source_id", memory_ids)
        where.add(f"e.relation = '{MENTION}' AND e.recorded_at <= :known")
        if self._bound.held.forgotten:
            where.add(EDGE_REMEMBERED)
        if self._bound.held.private:
            where.add(EDGE_OPEN)
        sql = f"SELECT e.source_id, e.space_id, e.target_id FROM edge e WHERE TRUE{where}"
        return [(row[0], self._entities.canonical(row[1], row[2])) for row in self._bound.rows(sql, where)]


def _add_turns(where: Where, between: tuple[datetime, datetime] | None) -> None:
    if between is not None:
        times = [to_micros(one) for one in between]
        begins, ends = (f"{turn} > {{}} AND {turn} <= {{}}" for turn in ("e.valid_from", "w.valid_until"))
        where.add(f"({begins} OR {ends})", *times, *times)


def _add_relations(where: Where, column: str, relations: Sequence[str] | None) -> None:
    """Words of our own stand in the text: a server that keeps a plan for a statement then knows how rare they are, and
    does not plan it anew each time for fear that they are common."""
    if relations and _OWN_WORDS.issuperset(relations):
        listed = "', '".join(sorted({*relations}))
        where.add(f"{column} IN ('{listed}')")
    else:
        where.add_among(column, relations)
