"""How is a change written so that nobody can alter it unseen? Entries in a hash chain, one chain a space.

    leaf hash    = SHA-256(salt ‖ canonical change)
    payload hash = SHA-256(leaf hashes, in order)
    entry hash   = SHA-256(canonical [prev hash, seq, at, actor, op, payload hash])

The entry hash does not cover the changes themselves but their hashes: a purge takes a change out of its entry, leaves
the hash in its place, and the chain still verifies. The salt goes with the change, so that nobody can confirm a guess
of what was purged.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import Any

from treering.errors import Corrupted, InvalidRequest
from treering.model import limits
from treering.model.changes import (
    KEPT,
    Change,
    Changes,
    Purged,
    Received,
    SourceRestated,
    read_change,
    write_change,
)
from treering.model.codec import canonical
from treering.model.edge import Edge
from treering.model.identity import Identity
from treering.model.space import space_name
from treering.model.time import must_be_utc, to_text, utc
from treering.values import dataclass

GENESIS = "0" * 64
SYNC = "sync"
"""The operation that takes over what was written in another store of the same space."""
PURGING = frozenset({"purge", SYNC})
"""Operations in which things may go."""
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Leaf:
    """One change in an entry. Once it is purged only its hash remains."""

    hash: str
    salt: str | None = None
    text: str | None = None

    @classmethod
    def of(cls, text: str, salt: str) -> Leaf:
        return cls(hashlib.sha256(bytes.fromhex(salt) + text.encode()).hexdigest(), salt, text)

    @property
    def purged(self) -> bool:
        return self.text is None

    def stripped(self) -> Leaf:
        return Leaf(self.hash)

    def written(self) -> str:
        if self.text is None:
            return f'{{"hash":"{self.hash}"}}'
        return f'{{"body":{self.text},"salt":"{self.salt}"}}'


@dataclass(frozen=True, slots=True)
class Head:
    """The last entry of a space's chain; the next one builds on it."""

    seq: int = 0
    at: datetime | None = None
    hash: str = GENESIS


@dataclass(frozen=True)
class Entry:
    space: str
    seq: int
    at: datetime
    actor: str
    op: str
    leaves: tuple[Leaf, ...]
    payload_hash: str
    prev_hash: str
    hash: str
    signature: str | None = None

    def __post_init__(self) -> None:
        space_name(self.space)
        must_be_utc(self.at, "at")
        limits.text(self.actor, "actor", limits.NAME_CHARS, least=1)

    def changes(self) -> Iterator[Change]:
        """What the entry says happened; purged leaves are passed over."""
        for _, change in self.numbered_changes:
            yield change

    @cached_property
    def numbered_changes(self) -> tuple[tuple[int, Change], ...]:
        """The changes with their places in the entry, read once."""
        return tuple(
            (index, read_change(json.loads(leaf.text), self.space, self.at))
            for index, leaf in enumerate(self.leaves)
            if leaf.text is not None
        )

    def changes_left(self) -> Iterator[Change]:
        """Those that were not purged, one after the other."""
        for leaf in self.leaves:
            if leaf.text is not None:
                yield read_change(json.loads(leaf.text), self.space, self.at)

    def changes_about(self, ids: Set[str]) -> Iterator[tuple[int, Change]]:
        """Those about one of these things, with their places. The others are not read at all: an entry may hold many
        thousand changes."""
        for index, leaf in enumerate(self.leaves):
            if leaf.text is not None and names_one(leaf.text, ids):
                change = read_change(json.loads(leaf.text), self.space, self.at)
                if not ids.isdisjoint(change.about):
                    yield index, change

    def belongs_to(self, ids: Set[str]) -> bool:
        """Whether one of its changes would have to go with one of these things."""
        texts = (leaf.text for leaf in self.leaves if leaf.text is not None and names_one(leaf.text, ids))
        changes = (read_change(json.loads(text), self.space, self.at) for text in texts)
        return any(not ids.isdisjoint(change.owners) for change in changes)

    @property
    def taken(self) -> list[str]:
        """What a purge removes, or removes words from."""
        return [one for change in self.changes() if isinstance(change, Purged | SourceRestated) for one in change.about]

    def changes_with(self, words: Iterable[str]) -> Iterator[Change]:
        """Those in whose text one of these stands, and perhaps some more; the others are not read at all."""
        for leaf in self.leaves:
            if leaf.text is not None and any(word in leaf.text for word in words):
                yield read_change(json.loads(leaf.text), self.space, self.at)

    @cached_property
    def parts(self) -> tuple[tuple[Entry, tuple[tuple[int, Change], ...]], ...]:
        """The changes by the entry in which they were made: those made here, and those of each entry that was received
        with this one, which is given back as it was."""
        if self.op != SYNC:
            return ((self, self.numbered_changes),)
        own, received, frame, left = list[tuple[int, Change]](), list[tuple[int, Received]](), None, 0
        inside: dict[int, list[tuple[int, Change]]] = {}
        for index, leaf in enumerate(self.leaves):
            change = read_change(json.loads(leaf.text), self.space, self.at) if leaf.text is not None else None
            if isinstance(change, Received):
                frame, left = index, len(change.leaves)
                received.append((index, change))
                inside[index] = []
            elif left and frame is not None:
                left -= 1
                inside[frame] += [] if change is None else [(index, change)]
            elif change is not None:
                own.append((index, change))
        if left:
            raise Corrupted(f"journal of {self.space}: entry {self.seq} ends before what it received does")
        there = tuple((self._as_made(index, change), tuple(inside[index])) for index, change in received)
        return ((self, tuple(own)), *there)

    def _as_made(self, index: int, frame: Received) -> Entry:
        leaves = self.leaves[index + 1 : index + 1 + len(frame.leaves)]
        return Entry(
            space=self.space,
            seq=frame.seq,
            at=frame.at,
            actor=frame.actor,
            op=frame.op,
            leaves=tuple(_unpacked(leaf, hash_) for leaf, hash_ in zip(leaves, frame.leaves, strict=True)),
            payload_hash=frame.payload_hash,
            prev_hash=frame.prev_hash,
            hash=frame.hash,
            signature=frame.signature,
        )

    def payload(self) -> str:
        return "[" + ",".join(leaf.written() for leaf in self.leaves) + "]"

    def cut(self, indexes: Iterable[int]) -> Entry:
        gone = set(indexes)
        if gone and max(gone) >= len(self.leaves):
            raise Corrupted(f"journal of {self.space}: entry {self.seq} has no change {max(gone)} to purge")
        return replace(
            self,
            leaves=tuple(leaf.stripped() if n in gone else leaf for n, leaf in enumerate(self.leaves)),
        )

    def follows(self, head: Head) -> str | None:
        """What is wrong with this entry as the successor of `head`, or nothing."""
        if self.seq != head.seq + 1:
            return f"seq is {self.seq} where {head.seq + 1} must follow"
        if head.at is not None and self.at <= head.at:
            return f"at {to_text(self.at)} is not after the entry before it ({to_text(head.at)})"
        if self.prev_hash != head.hash:
            return "prev_hash is not the hash of the entry before it"
        return self.own_fault()

    def own_fault(self) -> str | None:
        for index, leaf in enumerate(self.leaves):
            if leaf.text is not None and leaf != Leaf.of(leaf.text, leaf.salt or ""):
                return f"change {index} does not match its hash"
        if self.payload_hash != _payload_hash(self.leaves):
            return "payload_hash does not match the changes"
        if self.hash != _entry_hash(self.prev_hash, self.seq, self.at, self.actor, self.op, self.payload_hash):
            return "hash does not match the entry"
        return None

    def head(self) -> Head:
        return Head(self.seq, self.at, self.hash)


def seal(
    changes: Changes, *, space: str, head: Head, at: datetime, actor: str, identity: Identity | None = None
) -> Entry:
    """The entry that carries these changes as the successor of `head`."""
    salts = secrets.token_hex(_SALT_BYTES * len(changes))
    width, given = _SALT_BYTES * 2, dict(enumerate(changes.salts))
    leaves = tuple(
        Leaf.of(write_change(change), given.get(n) or salts[n * width : (n + 1) * width])
        for n, change in enumerate(changes)
    )
    payload_hash = _payload_hash(leaves)
    hash_ = _entry_hash(head.hash, head.seq + 1, at, actor, changes.op, payload_hash)
    return Entry(
        space=space,
        seq=head.seq + 1,
        at=at,
        actor=actor,
        op=changes.op,
        leaves=leaves,
        payload_hash=payload_hash,
        prev_hash=head.hash,
        hash=hash_,
        signature=identity.sign(bytes.fromhex(hash_)) if identity else None,
    )


def _unpacked(leaf: Leaf, hash_: str) -> Leaf:
    """A received change as it was sealed where it was made; only its hash, if its words are gone."""
    if leaf.text is None:
        return Leaf(hash_)
    body = json.loads(leaf.text)
    if body.get("change") != KEPT:
        return leaf
    return Leaf(hash_) if body.get("body") is None else Leaf.of(canonical(body["body"]), body["salt"])


def _payload_hash(leaves: tuple[Leaf, ...]) -> str:
    return hashlib.sha256(bytes.fromhex("".join(leaf.hash for leaf in leaves))).hexdigest()


def _entry_hash(prev_hash: str, seq: int, at: datetime, actor: str, op: str, payload_hash: str) -> str:
    return hashlib.sha256(canonical([prev_hash, seq, to_text(at), actor, op, payload_hash]).encode()).hexdigest()


def name_seal(space: str, first: str) -> str:
    """What ties a space's name to the chain that begins with the entry of this hash. The chain itself does not hold the
    name, so that a journal can be taken in under another; a name changed or exchanged in a store no longer fits."""
    return hashlib.sha256(canonical([space, first]).encode()).hexdigest()


def names_one(text: str, ids: Set[str]) -> bool:
    """Whether the id of one of these things stands in it."""
    return not ids.isdisjoint(_ID.findall(text))


def read_payload(payload: str) -> tuple[Leaf, ...]:
    """The leaves of a stored payload. Text that is not the canonical form was not written by Treering."""
    try:
        leaves = tuple(_leaf(one) for one in json.loads(payload))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Corrupted(f"journal: a payload cannot be read: {error}") from error
    if "[" + ",".join(leaf.written() for leaf in leaves) + "]" != payload:
        raise Corrupted("journal: a payload is not in canonical form")
    return leaves


def _leaf(data: Mapping[str, Any]) -> Leaf:
    if "hash" in data:
        return Leaf(_hex(data["hash"], 32))
    return Leaf.of(canonical(data["body"]), _hex(data["salt"], _SALT_BYTES))


def _hex(text: str, size: int) -> str:
    """Bytes in the one spelling we write: other cases of the same digits would pass for it."""
    if bytes.fromhex(text).hex() != text or len(text) != 2 * size:
        raise ValueError(f"{text!r} is not {size} bytes in lower-case hex")
    return text


def write_line(entry: Entry) -> str:
    """The entry as one line of an exported journal."""
    frame = {
        "space": entry.space,
        "seq": entry.seq,
        "at": to_text(entry.at),
        "actor": entry.actor,
        "op": entry.op,
        "payload": json.loads(entry.payload()),
        "payload_hash": entry.payload_hash,
        "prev_hash": entry.prev_hash,
        "hash": entry.hash,
    }
    return canonical(frame if entry.signature is None else {**frame, "signature": entry.signature})


_LINE_FIELDS = {"space": str, "seq": int, "actor": str, "op": str, "payload_hash": str, "prev_hash": str, "hash": str}


def read_line(line: str, where: str) -> Entry:
    try:
        data = json.loads(line)
        for name, kind in _LINE_FIELDS.items():
            if type(data[name]) is not kind:
                raise TypeError(f"{name} is {data[name]!r}")
        if not isinstance(data.get("signature", ""), str):
            raise TypeError(f"signature is {data['signature']!r}")
        return Entry(
            space=data["space"],
            seq=data["seq"],
            at=utc(data["at"], "at"),
            actor=data["actor"],
            op=data["op"],
            leaves=tuple(_leaf(one) for one in data["payload"]),
            payload_hash=data["payload_hash"],
            prev_hash=data["prev_hash"],
            hash=data["hash"],
            signature=data.get("signature"),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, InvalidRequest) as error:
        why = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise InvalidRequest(
            f"{where}: is not a journal entry ({why}); give a file made by `treering export`"
        ) from error


def countersign_message(edge_id: str, actor: str, edge_hash: str) -> bytes:
    """What an actor signs when it vouches for an edge that is there already; no signature of an edge passes for it."""
    return canonical(["attested", edge_id, actor, edge_hash]).encode()


def edge_hash(edge: Edge) -> str:
    return hashlib.sha256(edge_message(edge)).hexdigest()


def edge_message(edge: Edge) -> bytes:
    """What an actor signs when it vouches for an edge: the edge as it was first written."""
    said = (edge.source_id, edge.target_id, edge.relation, edge.observed_by)
    window = (to_text(edge.valid_from), None if edge.valid_until is None else to_text(edge.valid_until))
    return canonical([*said, *window]).encode()
