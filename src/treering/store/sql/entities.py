"""Who answers to a name at this moment? Entities over tables: their names, merges, and who may know them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from treering.model.entity import Entity, fold
from treering.store.sql import tables as t
from treering.store.sql.bound import BELIEVED, EDGE_OPEN, VISIBLE_M, Bound, Where
from treering.store.sql.tables import SqlRow

_IDS_A_STATEMENT = 5_000


@dataclass
class _Known:
    """An entity's row, and its names in order: the name, the memory it is known through, whether we may see that."""

    space: str
    row: SqlRow
    names: list[tuple[str, str | None, bool]] = field(default_factory=list)

    @property
    def memory_id(self) -> str | None:
        """Through which memory it is known; none once it was named to the whole space."""
        through: str | None = self.row[5]
        return None if any(memory_id is None for _, memory_id, _ in self.names) else through

    @property
    def open_to_us(self) -> bool:
        through = self.memory_id
        return through is None or any(seen for _, memory_id, seen in self.names if memory_id == through)


Place = tuple[int, str]
"""A space's number and an id in it: a journal taken in under another name brings the same ids again."""


class SqlEntities:
    def __init__(self, bound: Bound) -> None:
        self._bound = bound

    # what stands for what

    @cached_property
    def _merged(self) -> dict[Place, str]:
        where = self._bound.where("g")
        sql = f"SELECT g.space_id, g.entity_id, g.into_id FROM merge g WHERE {BELIEVED.format('g')}{where}"
        return {(row[0], row[1]): row[2] for row in self._bound.rows(sql, where)}

    def canonical(self, space_id: int, thing_id: str) -> str:
        while (space_id, thing_id) in self._merged:
            thing_id = self._merged[space_id, thing_id]
        return thing_id

    def add_members(self, where: Where, columns: tuple[str, ...], ids: Iterable[str]) -> None:
        """A condition: one of these columns holds one of these ids, or what in its space stands for the same entity."""
        table, asked, parts = columns[0].split(".")[0], list(ids), []
        for space_id in self._bound.names:
            members = self._members(space_id, asked)
            ends = " OR ".join(where.among(column, members) for column in columns)
            parts.append(f"{table}.space_id = {where.put(space_id)} AND ({ends})")
        where.add(f"({' OR '.join(f'({part})' for part in parts) or 'FALSE'})")

    def _members(self, space_id: int, ids: Iterable[str]) -> set[str]:
        wanted = {self.canonical(space_id, one) for one in ids}
        merged = (one for space, one in self._merged if space == space_id)
        return wanted | {one for one in merged if self.canonical(space_id, one) in wanted}

    # reading them

    def one(self, entity_id: str) -> Entity | None:
        return next(self._whole_ones([entity_id]), None)

    def as_registered(self, entity_id: str) -> tuple[Entity, str | None] | None:
        if self.one(entity_id) is None:
            return None
        place, known = next((place, one) for place, one in self._load([entity_id]).items() if place[1] == entity_id)
        aliases = tuple(name for name, _, _ in known.names)
        return t.read_entity(known.space, known.row, aliases, known.memory_id), self._merged.get(place)

    def some(self, name: str | None, ids: Iterable[str] | None) -> list[Entity]:
        """Newest first. Those of a name, of these ids, or all."""
        wanted = self._named(name) if name is not None else ids
        found = list(self._whole_ones(wanted))
        if name is not None:
            found = [one for one in found if fold(name) in {fold(other) for other in (one.name, *one.aliases)}]
        return sorted(found, key=lambda entity: (entity.recorded_at, entity.id), reverse=True)

    def count(self) -> int:
        return sum(1 for _ in self._whole_ones(None))

    def _named(self, name: str) -> list[str]:
        where = self._bound.where("a")
        where.add("a.folded = {}", fold(name))
        sql = f"SELECT DISTINCT a.entity_id FROM alias a WHERE a.recorded_at <= :known{where}"
        return [row[0] for row in self._bound.rows(sql, where)]

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
        ordered = sorted(members, key=lambda one: (one != place, loaded[one].row[4], one))
        aliases = tuple(name for one in ordered for name, _, seen in loaded[one].names if seen)
        known = loaded[place]
        return t.read_entity(known.space, known.row, aliases, known.memory_id if known.open_to_us else None)

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
        found: dict[Place, _Known] = {}
        for start in range(0, len(ids), _IDS_A_STATEMENT):
            found |= self._load_some(ids[start : start + _IDS_A_STATEMENT])
        return found

    def _load_some(self, ids: list[str] | None) -> dict[Place, _Known]:
        where = self._bound.where("n")
        if ids is not None:
            self.add_members(where, ("n.id",), ids)
        sql = f"SELECT {t.ENTITY.select('n.')}, n.space_id FROM entity n WHERE n.recorded_at <= :known{where}"
        names = self._bound.names
        rows = sorted(self._bound.rows(sql, where), key=lambda row: (names[row[-1]], row[0]))
        found = {(row[-1], row[0]): _Known(names[row[-1]], row[:-1]) for row in rows}
        where = self._bound.where("a")
        if ids is not None:
            self.add_members(where, ("a.entity_id",), ids)
        sql = f"""SELECT a.space_id, a.entity_id, a.alias, a.memory_id, a.memory_id IS NULL OR :all_seeing OR EXISTS (
                SELECT 1 FROM memory m WHERE m.space_id = a.space_id AND m.id = a.memory_id AND {VISIBLE_M})
            FROM alias a WHERE a.recorded_at <= :known{where} ORDER BY a.recorded_at, a.position"""
        for space_id, entity_id, alias, memory_id, seen in self._bound.rows(sql, where):
            found[space_id, entity_id].names.append((alias, memory_id, bool(seen)))
        return found
