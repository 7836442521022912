"""Who vouches for what, and does it hold? Follows a journal entry by entry: keys, signed entries, signed edges and
countersignatures.

An actor is bound to its key by its first signed entry. Its entries must be signed from then on; a signature of an edge
must be made with the key of who wrote the edge, and a countersignature with the key of who gives it, over the edge as
it was first written.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import field

from treering.model.changes import Attested, Change, EdgeAdded, KeyBound
from treering.model.edge import Edge
from treering.model.identity import Attestation, attestation, signed_by
from treering.model.journal import Entry, countersign_message, edge_hash, edge_message
from treering.model.value import Value
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BrokenEdge(Value):
    """An edge whose signature does not hold for what is stored of it: its ends and relation, the `actor` that is said
    to have signed it, and what differs."""

    space: str
    edge_id: str
    source_id: str
    target_id: str
    relation: str
    actor: str | None
    what: str

    def __str__(self) -> str:
        signer = self.actor or "nobody"
        return (
            f"{self.space}: edge {self.edge_id} ({self.source_id} {self.relation} {self.target_id}, "
            f"signed by {signer}): {self.what}"
        )


@dataclass(frozen=True, slots=True)
class _Origin:
    """Who reported an edge and who wrote it down; the same for many edges, and kept once."""

    observer: str | None
    writer: str
    signed: bool


@dataclass
class Vouching:
    """What one space's journal says of who vouches for what, up to some entry."""

    keys: dict[str, str] = field(default_factory=dict)
    entries: Counter[Attestation] = field(default_factory=Counter)
    _edges: dict[bytes, _Origin] = field(default_factory=dict)
    _origins: dict[_Origin, _Origin] = field(default_factory=dict)
    _attested: dict[bytes, set[str]] = field(default_factory=dict)

    def fault(self, entry: Entry) -> str | None:
        """Follows on to the next entry. Says what is wrong with its signatures, if anything is; also with those of
        entries that were received with it, which are held to the keys of those who made them."""
        for made, numbered in entry.parts:
            wrong = made.own_fault() if made is not entry else None
            wrong = wrong or self._part(made, [change for _, change in numbered])
            if wrong:
                return wrong if made is entry else f"what {made.actor!r} wrote elsewhere and was received: {wrong}"
        return None

    def _part(self, entry: Entry, changes: list[Change]) -> str | None:
        fault = self._bind(changes, entry) or self._signed(entry)
        if fault is not None:
            return fault
        self.entries[attestation(entry.signature is not None, False)] += 1
        for change in changes:
            match change:
                case EdgeAdded(edge):
                    fault = self._edge(edge, entry)
                case Attested():
                    fault = self._attest(change, entry)
            if fault is not None:
                return fault
        return None

    def levels(self) -> dict[str, int]:
        """How many edges are vouched for how far."""
        found = Counter(attestation(origin.signed, False) for origin in self._edges.values())
        for place, actors in self._attested.items():
            origin = self._edges[place]
            found[attestation(origin.signed, False)] -= 1
            by_observer = origin.signed or origin.observer in actors
            found[attestation(by_observer, bool(actors - {origin.observer}))] += 1
        return {level.value: found[level] for level in Attestation}

    def _bind(self, changes: list[Change], entry: Entry) -> str | None:
        for bound in (change for change in changes if isinstance(change, KeyBound)):
            if bound.actor != entry.actor:
                return f"binds {bound.actor!r} to a key, and was written by {entry.actor!r}"
            if self.keys.setdefault(bound.actor, bound.public_key) != bound.public_key:
                return f"binds {bound.actor!r} to another key than before"
        return None

    def _signed(self, entry: Entry) -> str | None:
        key = self.keys.get(entry.actor)
        if key is None:
            return None if entry.signature is None else "carries a signature, but its actor has no key"
        if entry.signature is None:
            return f"its signature is missing, though {entry.actor!r} signs its entries"
        if not signed_by(key, entry.signature, bytes.fromhex(entry.hash)):
            return "its signature does not hold"
        return None

    def _edge(self, edge: Edge, entry: Entry) -> str | None:
        if edge.signature is not None:
            key = self.keys.get(entry.actor)
            if key is None or not signed_by(key, edge.signature, edge_message(edge)):
                return f"the signature of edge {edge.id} does not hold"
        origin = _Origin(edge.observed_by, entry.actor, edge.signature is not None)
        self._edges[_place(edge.id, edge_hash(edge))] = self._origins.setdefault(origin, origin)
        return None

    def _attest(self, change: Attested, entry: Entry) -> str | None:
        place = _place(change.edge_id, change.edge_hash)
        origin, key = self._edges.get(place), self.keys.get(change.actor)
        said = f"the countersignature of edge {change.edge_id} by {change.actor!r}"
        if change.actor != entry.actor:
            return f"{said} was written by {entry.actor!r}"
        if origin is None:
            return f"{said} is of another edge than was written"
        if change.actor == origin.writer != origin.observer:
            return f"{said} is by who wrote the edge down for another"
        message = countersign_message(change.edge_id, change.actor, change.edge_hash)
        if key is None or not signed_by(key, change.signature, message):
            return f"{said} does not hold"
        self._attested.setdefault(place, set()).add(change.actor)
        return None


def _place(edge_id: str, hash_: str) -> bytes:
    """Sixteen bytes that stand for an edge as first written: a large journal has many of them."""
    return hashlib.sha256(f"{edge_id} {hash_}".encode()).digest()[:16]
