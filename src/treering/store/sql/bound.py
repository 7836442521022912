"""What is every read bound to? Spaces, moment and principal, as conditions and parameters that start each statement.

Values never enter the text of a statement; the fragments here are constants that the readers put together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from treering.model.codec import canonical
from treering.model.edge import Family
from treering.model.journal import Head
from treering.model.memory import Mark
from treering.model.time import Moment, from_micros, to_micros
from treering.store.contract import Scope
from treering.store.sql.tables import FOREVER, Connection, SqlRow
from treering.values import dataclass

T = TypeVar("T")
_AT_ONCE = 500  # things or times that one statement names

# A row whose stretch of known time holds the moment.
BELIEVED = "{0}.known_from <= :known AND {0}.known_until > :known"

# A memory that is private to others.
CLOSED_TO_US = """{0}.visibility = 'private' AND NOT :all_seeing AND NOT EXISTS (SELECT 1 FROM principal q
    WHERE q.space_id = {0}.space_id AND q.memory_id = {0}.id AND q.principal = :principal)"""

# No memory that the edge touches or rests on is private to others.
EDGE_OPEN = f"""NOT EXISTS (
    SELECT 1 FROM memory p WHERE p.space_id = e.space_id AND p.id IN (e.memory_id, e.source_id, e.target_id)
    AND {CLOSED_TO_US.format("p")})"""

# A source is as private as the memories that rest on it; while there are none, as it was said to be.
SOURCE_OPEN = f"""(
    NOT EXISTS (SELECT 1 FROM memory p WHERE p.space_id = o.space_id AND p.source_id = o.id)
    AND (o.visible_to = '[]' OR :all_seeing OR INSTR(o.visible_to, :quoted) > 0)
    OR EXISTS (SELECT 1 FROM memory p WHERE p.space_id = o.space_id AND p.source_id = o.id
    AND NOT ({CLOSED_TO_US.format("p")})))"""

# The window of edge e that counts: the latest that was known, on evidence that is not private to others.
WINDOW = f"""w.space_id = e.space_id AND w.edge_id = e.id AND w.known_from = (
    SELECT MAX(x.known_from) FROM edge_window x
    WHERE x.space_id = e.space_id AND x.edge_id = e.id AND x.known_from <= :known
    AND (x.evidence IS NULL OR NOT EXISTS (
        SELECT 1 FROM memory p WHERE p.space_id = x.space_id AND p.id = x.evidence AND {CLOSED_TO_US.format("p")})))"""

# Neither the edge nor a memory that it touches or rests on is forgotten. Marks are looked up by what they stand on: in
# the index by mark SQLite would go through all that is forgotten, for each edge.
EDGE_REMEMBERED = f"""NOT EXISTS (
    SELECT 1 FROM mark k WHERE k.space_id = e.space_id AND k.mark || '' = 'forgotten' AND {BELIEVED.format("k")}
    AND k.target_id IN (e.id, e.memory_id, e.source_id, e.target_id))"""

# A memory m that was known and may be seen.
VISIBLE_M = f"m.recorded_at <= :known AND NOT ({CLOSED_TO_US.format('m')})"


@dataclass(frozen=True, slots=True)
class SpaceContents:
    """What the spaces of a read hold at all, at whatever time and for whoever: what there is nothing of need not be
    looked up for every row."""

    private: bool
    forgotten: bool
    marked: bool
    """Memories may be archived or promoted, or anything forgotten."""
    links: bool
    facts: bool
    evidence: bool
    """Something was said once more."""
    merges: bool
    uses: bool


_STATES = f"'{Mark.FORGOTTEN}', '{Mark.ARCHIVED}', '{Mark.PROMOTED}'"
_HELD = (
    "principal h WHERE TRUE",
    f"mark h WHERE h.mark = '{Mark.FORGOTTEN}'",
    f"mark h WHERE h.mark IN ({_STATES})",
    f"edge h WHERE h.family = '{Family.LINK}'",
    f"edge h WHERE h.family = '{Family.FACT}'",
    "evidence h WHERE TRUE",
    "merge h WHERE TRUE",
    "used h WHERE TRUE",
)


class Where:
    """The conditions of one statement and their values; values never enter the text."""

    def __init__(self, params: dict[str, Any], shared: bool = False) -> None:
        self.params = params if shared else dict(params)
        self._parts: list[str] = []

    def put(self, value: Any) -> str:
        name = f"v{len(self.params)}"
        self.params[name] = value
        return f":{name}"

    def add(self, text: str, *values: Any) -> None:
        self._parts.append(text.format(*(self.put(value) for value in values)))

    def among(self, column: str, values: Iterable[Any]) -> str:
        return f"{column} IN {self.listed(values)}"

    def listed(self, values: Iterable[Any]) -> str:
        """The last value is repeated up to a power of two, so that an engine has few statements to prepare."""
        given = list(values)
        if not given:
            return "(NULL)"
        given += [given[-1]] * ((1 << (len(given) - 1).bit_length()) - len(given))
        names, text = _marks(len(self.params), len(given))
        self.params.update(zip(names, given, strict=True))
        return text

    def add_among(self, column: str, values: Iterable[Any] | None) -> None:
        if values is not None:
            self._parts.append(self.among(column, values))

    def __str__(self) -> str:
        return "".join(f" AND {part}" for part in self._parts)


@lru_cache(maxsize=1024)
def _marks(first: int, count: int) -> tuple[tuple[str, ...], str]:
    """So many names for values, and how a statement lists them."""
    names = tuple(f"v{number}" for number in range(first, first + count))
    return names, f"(:{', :'.join(names)})"


class Bound:
    """A connection with the spaces, the moment and the principal that every statement on it must respect."""

    def __init__(self, connection: Connection, scope: Scope, all_seeing: bool) -> None:
        self._connection = connection
        spaces = _spaces(connection, scope)
        self.names: dict[int, str] = {row[0]: row[1] for row in sorted(spaces, key=lambda row: str(row[1]))}
        self.heads: Mapping[str, Head] = {row[1]: Head(row[2], from_micros(row[3]), row[4]) for row in spaces}
        latest = max((head.at for head in self.heads.values() if head.at), default=None)
        self.head = replace(self.heads.get(scope.space, Head()), at=latest)
        present = max(scope.now, self.head.at or scope.now)
        self.moment = Moment(scope.as_of or present, scope.known_at)
        self.all_seeing = all_seeing
        self.own = scope.space
        self.as_of = to_micros(self.moment.as_of)
        self.told: dict[tuple[int, str], bool] = {}
        """What was asked once and cannot change while this lasts."""
        self.params: dict[str, Any] = {
            "as_of": self.as_of,
            "known": FOREVER - 1 if scope.known_at is None else to_micros(scope.known_at),
            "principal": scope.principal,
            "quoted": canonical(scope.principal or ""),
            "all_seeing": all_seeing,
        }

    @cached_property
    def held(self) -> SpaceContents:
        where = Where(self.params)
        spaces = where.listed(self.names)
        looks = ", ".join(f"EXISTS (SELECT 1 FROM {rows} AND h.space_id IN {spaces})" for rows in _HELD)
        private, *others = self.rows(f"SELECT {looks} LIMIT 1", where)[0]
        return SpaceContents(bool(private) and not self.all_seeing, *map(bool, others))

    def where(self, alias: str, inside: Where | None = None) -> Where:
        """The conditions of a statement on the table of this alias: never without its spaces. `inside` is the statement
        that this one is a part of; they share their values."""
        where = Where(self.params if inside is None else inside.params, shared=inside is not None)
        where.add_among(f"{alias}.space_id", self.names)
        return where

    def within(self, alias: str, number: int) -> Where:
        """The same on one of the spaces, by its number."""
        where = Where(self.params)
        where.add(f"{alias}.space_id = {{}}", number if number in self.names else None)
        return where

    def number(self, space: str) -> int | None:
        """The number of a space that this read may look into."""
        return next((number for number, name in self.names.items() if name == space), None)

    def rows(self, sql: str, where: Where) -> list[SqlRow]:
        return self._connection.rows(sql, where.params)

    def stream(self, sql: str, where: Where) -> Iterator[SqlRow]:
        return self._connection.stream(sql, where.params)


def _spaces(connection: Connection, scope: Scope) -> list[SqlRow]:
    sql = "SELECT id, name, head_seq, head_at, head_hash FROM space WHERE name = ?"
    if not scope.children:
        return connection.rows(sql, (scope.space,))
    # '0' is the character after '/': the range holds exactly the names below this one
    below = (scope.space, scope.space + "/", scope.space + "0")
    return connection.rows(sql + " OR name >= ? AND name < ?", below)


def some_at_a_time(things: Sequence[T]) -> Iterator[Sequence[T]]:
    """As many as one statement may name."""
    return (things[start : start + _AT_ONCE] for start in range(0, len(things), _AT_ONCE))
