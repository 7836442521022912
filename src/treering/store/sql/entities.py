"""Who answers to a name at this moment? Entities over tables: their names, merges, and who may know them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import field
from functools import cached_property

from treering.model.entity import Entity, fold
from treering.store.sql import tables as t
from treering.store.sql.bound import BELIEVED, EDGE_OPEN, VISIBLE_M, Bound, Where
from treering.values import dataclass

_IDS_A_STATEMENT = 5_000

# A naming a that was made to all, or in a memory that we may see.
_NAMING_SEEN = f"""(a.memory_id IS NULL OR :all_seeing OR EXISTS (
    SELECT 1 FROM memory m WHERE m.space_id = a.space_id AND m.id = a.memory_id AND {VISIBLE_M}))"""


@dataclass(frozen=True, slots=True)
class _Naming:
    """One time an entity was named: as what, through which memory if not to all, and whether we may see that."""

    name: str
    kind: str | None
    memory_id: str | None
    recorded_at: int
    seen: bool


@dataclass
class _Known:
    """An entity with every naming of it, the canonical one first."""

    space: str
    id: str
    namings: list[_Naming] = field(default_factory=list)

    @property
    def open_to_us(self) -> bool:
        return any(one.seen for one in self.namings)

    def as_named(self, among: list[_Naming], aliases: tuple[str, ...]) -> Entity:
        """The entity as the first of these namings has it."""
        first = among[0]
        through = None if any(one.memory_id is None for one in self.namings) else first.memory_id
        return t.read_entity(
            self.space, self.id, first.name, first.kind or "concept", first.recorded_at, aliases, through
        )


Place = tuple[int, str]
"""A space's number and an id in it: a journal taken in under another name brings the same ids again."""


LAST_CHARACTER = "\U0010ffff"


_KEPT = 256


class SqlEntities:
    def __init__(self, bound: Bound) -> None:
        self._bound = bound
        self._answering: dict[str, list[str]] = {}
        self._loaded: dict[str, dict[Place, _Known]] = {}
        """Who answers to a name, and who is behind an id: a write asks for each several times, and neither can change
        while it is planned. The first some are kept."""

    # what stands for what

    @cached_property
    def _merged(self) -> dict[Place, str]:
        if not self._bound.held.merges:
            return {}
        where = self._bound.where("g")
        sql = f"SELECT g.space_id, g.entity_id, g.into_id FROM merge g WHERE {BELIEVED.format('g')}{where}"
        return {
            (space_id, entity_id): into_id
            for space_id, entity_id, into_id in self._bound.rows(sql, where)
            if self.known_by_itself(space_id, entity_id) and self.known_by_itself(space_id, into_id)
        }

    def known_by_itself(self, space_id: int, entity_id: str) -> bool:
        """Whether we may know of it without any merge: what is merged with a secret tells nothing of the secret."""
        if self._bound.all_seeing:
            return True
        where = self._bound.where("a")
        where.add("a.space_id = {} AND a.entity_id = {}", space_id, entity_id)
        sql = f"SELECT 1 FROM alias a WHERE a.recorded_at <= :known AND {_NAMING_SEEN}{where} LIMIT 1"
        return bool(self._bound.rows(sql, where)) or self._mentioned(space_id, [entity_id])

    def any_merged(self, space_id: int) -> bool:
        return any(space == space_id for space, _ in self._merged)

    def canonical(self, space_id: int, thing_id: str) -> str:
        while (space_id, thing_id) in self._merged:
            thing_id = self._merged[space_id, thing_id]
        return thing_id

    def add_members(self, where: Where, columns: tuple[str, ...], ids: Iterable[str]) -> None:
        """A condition: one of these columns holds one of these ids, or what in its space stands for the same entity."""
        table, asked, parts = columns[0].split(".")[0], list(ids), []
        for space_id in self._bound.names:
            members = self.members(space_id, asked)
            ends = " OR ".join(where.among(column, members) for column in columns)
            parts.append(f"{table}.space_id = {where.put(space_id)} AND ({ends})")
        where.add(f"({' OR '.join(f'({part})' for part in parts) or 'FALSE'})")

    def members(self, space_id: int, ids: Iterable[str]) -> set[str]:
        """These ids, and all that in this space stand for the same entities."""
        if not self._merged:
            return set(ids)
        wanted = {self.canonical(space_id, one) for one in ids}
        merged = (one for space, one in self._merged if space == space_id)
        return wanted | {one for one in merged if self.canonical(space_id, one) in wanted}

    def named(self, names: Iterable[str]) -> list[tuple[str, str]]:
        where = self._bound.where("a")
        where.add_among("a.folded", names)
        sql = f"""SELECT DISTINCT a.folded, a.space_id, a.entity_id FROM alias a
            WHERE a.recorded_at <= :known AND {_NAMING_SEEN}{where}"""
        return sorted({(row[0], self.canonical(row[1], row[2])) for row in self._bound.rows(sql, where)})

    def named_like(self, beginning: str, limit: int) -> list[tuple[str, str]]:
        where = self._bound.where("a")
        where.add("a.folded >= {} AND a.folded < {}", beginning, beginning + LAST_CHARACTER)
        sql = f"""SELECT DISTINCT a.folded, a.space_id, a.entity_id FROM alias a
            WHERE a.recorded_at <= :known AND {_NAMING_SEEN}{where}
            ORDER BY a.folded, a.entity_id LIMIT {where.put(limit)}"""
        return [(row[0], self.canonical(row[1], row[2])) for row in self._bound.rows(sql, where)]

    # reading them

    def one(self, entity_id: str) -> Entity | None:
        return next(self._whole_ones([entity_id]), None)

    def as_registered(self, entity_id: str) -> tuple[Entity, str | None] | None:
        if self.one(entity_id) is None:
            return None
        place, known = next((place, one) for place, one in self._load([entity_id]).items() if place[1] == entity_id)
        return known.as_named(known.namings, tuple(one.name for one in known.namings)), self._merged.get(place)

    def bearer(self, name: str) -> Entity | None:
        bearers = []
        for one in self._load(self._named(name)).values():
            seen = [naming for naming in one.namings if naming.seen]
            if any(fold(naming.name) == fold(name) for naming in seen):
                bearers.append(one.as_named(seen, tuple(naming.name for naming in seen)))
        return max(bearers, key=lambda entity: (entity.recorded_at, entity.id), default=None)

    def openly_named(self, entity_id: str) -> bool:
        where = self._bound.where("a")
        where.add("a.entity_id = {}", entity_id)
        sql = f"""SELECT 1 FROM alias a WHERE a.recorded_at <= :known AND (a.memory_id IS NULL OR EXISTS (
            SELECT 1 FROM memory m WHERE m.space_id = a.space_id AND m.id = a.memory_id AND m.visibility = 'space'))
            {where} LIMIT 1"""
        return bool(self._bound.rows(sql, where))

    def some(self, name: str | None, ids: Iterable[str] | None) -> list[Entity]:
        """Newest first. Those of a name, of these ids, or all."""
        wanted = self._named(name) if name is not None else ids
        found = list(self._whole_ones(wanted))
        if name is not None:
            found = [one for one in found if fold(name) in {fold(other) for other in (one.name, *one.aliases)}]
        return sorted(found, key=lambda entity: (entity.recorded_at, entity.id), reverse=True)

    def count(self) -> int:
        """Those that a naming tells us of are counted without a look at their names; what is merged, or known only
        by what is said of it, is looked at more closely."""
        where = self._bound.where("a")
        sql = f"""SELECT a.space_id, a.entity_id, MAX(CASE WHEN {_NAMING_SEEN} THEN 1 ELSE 0 END) AS seen FROM alias a
            WHERE a.recorded_at <= :known{where} GROUP BY a.space_id, a.entity_id"""
        merged = {*self._merged, *((space_id, into) for (space_id, _), into in self._merged.items())}
        if not merged:
            told: dict[int, int] = dict(
                self._bound.rows(f"SELECT seen, COUNT(*) FROM ({sql}) AS told GROUP BY seen", where)
            )
            if not told.get(0):
                return told.get(1, 0)
        rows = self._bound.rows(sql, where)
        closely = {(space_id, one) for space_id, one, seen in rows if not seen or (space_id, one) in merged}
        numbers = {name: number for number, name in self._bound.names.items()}
        # the same ids may be in another space, where nothing is to be looked at
        wholes = ((numbers[one.space], one.id) for one in self._whole_ones({one for _, one in closely}))
        return len(rows) - len(closely) + sum(1 for place in wholes if place in closely)

    def _named(self, name: str) -> list[str]:
        folded = fold(name)
        if folded in self._answering:
            return self._answering[folded]
        where = self._bound.where("a")
        where.add("a.folded = {}", folded)
        sql = f"SELECT DISTINCT a.entity_id FROM alias a WHERE a.recorded_at <= :known{where}"
        found = [row[0] for row in self._bound.rows(sql, where)]
        if len(self._answering) < _KEPT:
            self._answering[folded] = found
        return found

    def _whole_ones(self, ids: Iterable[str] | None) -> Iterator[Entity]:
        """The entities that these ids stand for, each once, with the names of all that are merged into it."""
        loaded = self._load(None if ids is None else list(ids))
        together: dict[Place, list[Place]] = defaultdict(list)
        for space_id, one in loaded:
            together[space_id, self.canonical(space_id, one)].append((space_id, one))
        for place, members in together.items():
            if place in loaded and self._may_be_known(place[0], members, loaded):
                yield self._whole(place, members, loaded)

    def _whole(self, place: Place, members: list[Place], loaded: dict[Place, _Known]) -> Entity:
        ordered = sorted(members, key=lambda one: (one != place, loaded[one].namings[0].recorded_at, one))
        aliases = tuple(naming.name for one in ordered for naming in loaded[one].namings if naming.seen)
        known = loaded[place]
        return known.as_named([one for one in known.namings if one.seen] or known.namings, aliases)

    def _may_be_known(self, space_id: int, members: list[Place], loaded: dict[Place, _Known]) -> bool:
        if self._bound.all_seeing or any(loaded[one].open_to_us for one in members):
            return True
        return self._mentioned(space_id, [one for _, one in members])

    def _mentioned(self, space_id: int, members: list[str]) -> bool:
        """Some edge that we may see speaks of the entity."""
        for column in ("e.source_id", "e.target_id"):
            where = self._bound.where("e")
            where.add("e.space_id = {}", space_id)
            where.add_among(column, members)
            sql = f"SELECT 1 FROM edge e WHERE e.recorded_at <= :known AND {EDGE_OPEN}{where} LIMIT 1"
            if self._bound.rows(sql, where):
                return True
        return False

    def _load(self, ids: list[str] | None) -> dict[Place, _Known]:
        """By place, in the order of the spaces' names: these, and all that stand for the same; or all there are."""
        if ids is None:
            return self._load_some(None)
        if len(ids) == 1:
            return self._load_one(ids[0])
        found: dict[Place, _Known] = {}
        for start in range(0, len(ids), _IDS_A_STATEMENT):
            found |= self._load_some(ids[start : start + _IDS_A_STATEMENT])
        return found

    def _load_one(self, one: str) -> dict[Place, _Known]:
        if one in self._loaded:
            return self._loaded[one]
        found = self._load_some([one])
        if len(self._loaded) < _KEPT:
            self._loaded[one] = found
        return found

    def _load_some(self, ids: list[str] | None) -> dict[Place, _Known]:
        where = self._bound.where("a")
        if ids is not None:
            self.add_members(where, ("a.entity_id",), ids)
        sql = f"""SELECT a.space_id, a.entity_id, a.alias, a.kind, a.memory_id, a.recorded_at, {_NAMING_SEEN}
            FROM alias a WHERE a.recorded_at <= :known{where} ORDER BY a.recorded_at, a.position"""
        found: dict[Place, _Known] = {}
        for space_id, entity_id, name, kind, memory_id, recorded_at, seen in self._bound.rows(sql, where):
            known = found.setdefault((space_id, entity_id), _Known(self._bound.names[space_id], entity_id))
            known.namings.append(_Naming(name, kind, memory_id, recorded_at, bool(seen)))
        return dict(sorted(found.items(), key=lambda pair: (pair[1].space, pair[1].id)))
