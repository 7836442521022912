"""Which signed edges were tampered with, and how? Asked only where something does not hold, to name the edges.

Two places hold an edge: the journal, and the tables made from it. Whoever changes one leaves the other to tell what was
changed, and the signature to tell which of them is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any

from treering.errors import TreeringError
from treering.model.changes import Attested, EdgeAdded, KeyBound
from treering.model.edge import Edge
from treering.model.identity import signed_by
from treering.model.journal import Entry, countersign_message, edge_message
from treering.model.time import from_micros, to_micros, to_text
from treering.store.attestation import BrokenEdge
from treering.store.contract import Row, Snapshot

MOST_NAMED = 100
_MOST_LOOKED_AT = 10_000
_SIGNED = ("source_id", "target_id", "relation", "observed_by", "valid_from", "valid_until", "signature")
_SIGNED_COLUMNS = {
    "edge": _SIGNED,
    "edge_window": ("valid_until",),
    "attestation": ("edge_hash", "signature"),
}
_TIMES = frozenset({"valid_from", "valid_until", "known_from", "recorded_at"})
_OPEN = (1 << 63) - 1
_Values = Mapping[str, Any]


def in_tables(space: str, held: Snapshot, replayed: Snapshot) -> list[BrokenEdge]:
    """Vouched for, and not in the tables as a journal that holds has them."""
    with suppress(TreeringError):
        unlike = list(islice(_unlike(_of_edges(held, space), _of_edges(replayed, space)), _MOST_LOOKED_AT))
        ids = {row.key[0] for pair in unlike for row in pair if row is not None}
        told = [row for one in (held, replayed) for row in _of_edges(one, space) if row.key[0] in ids]
        edges = {row.key[0]: row.values for row in told if row.table == "edge"}
        peers = {row.key[0]: str(row.key[1]) for row in told if row.table == "attestation"}
        return list(islice(_named(space, unlike, edges, peers), MOST_NAMED))
    return []


def _of_edges(of: Snapshot, space: str) -> Iterator[Row]:
    return (row for row in of.rows(space) if row.table in _SIGNED_COLUMNS)


def row_order(row: Row) -> tuple[Any, ...]:
    # a damaged key may have changed its type, and types do not compare
    return (row.table, *((type(part).__name__, part) for part in row.key))


def _unlike(here: Iterator[Row], there: Iterator[Row]) -> Iterator[tuple[Row | None, Row | None]]:
    """Rows that are on one side only, or not the same on both; both sides are in order."""
    mine, right = next(here, None), next(there, None)
    while mine or right:
        if right is None or (mine is not None and row_order(mine) < row_order(right)):
            yield mine, None
            mine = next(here, None)
        elif mine is None or row_order(right) < row_order(mine):
            yield None, right
            right = next(there, None)
        else:
            if mine.values != right.values:
                yield mine, right
            mine, right = next(here, None), next(there, None)


def _named(
    space: str,
    unlike: Iterable[tuple[Row | None, Row | None]],
    edges: Mapping[str, _Values],
    peers: Mapping[str, str],
) -> Iterator[BrokenEdge]:
    for mine, right in unlike:
        row = right or mine
        edge = edges.get(row.key[0]) if row else None
        if row is None or edge is None:
            continue
        signer = edge["observed_by"] if edge["signature"] else peers.get(row.key[0])
        if row.table == "attestation":
            signer = row.key[1]
        what = _what_differs(row, mine, right)
        if what and signer:
            yield _broken(space, edge, signer, what)


def _what_differs(row: Row, mine: Row | None, right: Row | None) -> str:
    of = {
        "edge_window": f"the window known from {_shown('known_from', row.key[-1])}: ",
        "attestation": f"the countersignature of {row.key[-1]}: ",
    }.get(row.table, "")
    if mine is None:
        return f"{of}is in the journal, and gone from the table"
    if right is None:
        return f"{of}is in the table, and the journal has no such thing"
    told = _apart(mine.values, right.values, _SIGNED_COLUMNS[row.table], ("in the table", "in the journal"))
    held = "" if row.table == "edge_window" else ", for which the signature holds"
    return f"{of}{told}{held}" if told else ""


def _apart(one: _Values, other: _Values, columns: Iterable[str], places: tuple[str, str]) -> str:
    """In which columns two rows differ, and what each says."""
    return "; ".join(
        f"{column} is {_shown(column, one[column])} {places[0]}, {_shown(column, other[column])} {places[1]}"
        for column in columns
        if one[column] != other[column]
    )


def in_journal(space: str, held: Snapshot) -> list[BrokenEdge]:
    """Vouched for in a journal that does not hold, with signatures that do not fit what it says now."""
    with suppress(TreeringError):
        found = list(islice(_unsigned_for(held, space), MOST_NAMED))
        ids = {edge.id if isinstance(edge, Edge) else edge.edge_id for edge, _, _ in found}
        rows = {row.key[0]: row.values for row in held.rows(space) if row.table == "edge" and row.key[0] in ids}
        return [_in_words(space, *one, rows) for one in found]
    return []


def _unsigned_for(held: Snapshot, space: str) -> Iterator[tuple[Edge | Attested, str, str | None]]:
    """Edges and countersignatures that do not hold, with who is said to have signed and the key that it signs with."""
    keys: dict[str, str] = {}
    for entry in _readable(held, space):
        for written, change in ((made.actor, one) for made, changes in entry.parts for _, one in changes):
            match change:
                case KeyBound(actor, key):
                    keys.setdefault(actor, key)
                case EdgeAdded(edge) if edge.signature is not None:
                    signer = keys.get(written)
                    if signer is None or not signed_by(signer, edge.signature, edge_message(edge)):
                        yield edge, written, signer
                case Attested(edge_id, actor, hash_, signature):
                    signer = keys.get(actor)
                    message = countersign_message(edge_id, actor, hash_)
                    if signer is None or not signed_by(signer, signature, message):
                        yield change, actor, signer


def _readable(held: Snapshot, space: str) -> Iterator[Entry]:
    """Every entry that can be read, also after one that cannot: each is asked for by itself, up to the head."""
    unreadable = 0
    for before in range(held.head(space).seq):
        try:
            entry = next(held.entries(space, before, 1), None)
            _ = entry and entry.numbered_changes
        except TreeringError:
            unreadable += 1
            if unreadable == _MOST_LOOKED_AT:
                return
            continue
        if entry is None:
            return
        if entry.seq == before + 1:
            yield entry


def _in_words(
    space: str, found: Edge | Attested, actor: str, key: str | None, rows: Mapping[str, _Values]
) -> BrokenEdge:
    if isinstance(found, Attested):
        what = f"the countersignature of {actor} does not hold"
        return _broken(space, {**rows.get(found.edge_id, {}), "id": found.edge_id}, actor, what)
    row, said = rows.get(found.id), _as_row(found)
    if key is None:
        return _broken(space, said, actor, f"its signature does not hold: {actor} has no key")
    if row is None or all(row[column] == said[column] for column in _SIGNED):
        return _broken(space, said, actor, "its signature does not hold for what the journal says")
    told = _apart(said, row, _SIGNED, ("in the journal", "in the table"))
    held_for = ", for which the signature holds" if _holds(row, found, key) else ", and the signature holds for neither"
    return _broken(space, said, actor, told + held_for)


def _as_row(edge: Edge) -> dict[str, Any]:
    values = {column: getattr(edge, column) for column in _SIGNED}
    values["valid_from"] = to_micros(edge.valid_from)
    values["valid_until"] = _OPEN if edge.valid_until is None else to_micros(edge.valid_until)
    return values | {"id": edge.id}


def _holds(row: _Values, said: Edge, key: str) -> bool:
    with suppress(TreeringError, ValueError, OverflowError):
        until = None if row["valid_until"] == _OPEN else from_micros(row["valid_until"])
        ends = {name: row[name] for name in ("source_id", "target_id", "relation", "observed_by", "signature")}
        edge = replace(said, **ends, valid_from=from_micros(row["valid_from"]), valid_until=until)
        return edge.signature is not None and signed_by(key, edge.signature, edge_message(edge))
    return False


def _broken(space: str, edge: _Values, actor: str | None, what: str) -> BrokenEdge:
    ends = {name: str(edge.get(name, "?")) for name in ("source_id", "target_id", "relation")}
    return BrokenEdge(space=space, edge_id=str(edge["id"]), **ends, actor=actor, what=what)


def _shown(column: str, value: Any) -> str:
    if column in _TIMES and isinstance(value, int):
        if value == _OPEN:
            return "open"
        with suppress(OverflowError, ValueError, TreeringError):
            return to_text(from_micros(value))
    return "nothing" if value is None else str(value)
