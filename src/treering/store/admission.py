"""May this entry be written? The rules every store applies alike before an entry joins the chain."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from treering.errors import Conflict, Forbidden
from treering.model.changes import Changes, KeyBound
from treering.model.journal import Entry, Head, seal
from treering.model.time import MICROSECOND
from treering.store.contract import Plan, Reader, Writer


def known_time(now: datetime, head: Head) -> datetime:
    """Strictly after everything known, also when the clock stands still or runs back."""
    return now if head.at is None or now > head.at else head.at + MICROSECOND


def next_entry(
    reader: Reader, head: Head, space: str, writer: Writer, now: datetime, plan: Plan
) -> tuple[Entry, Changes] | None:
    """Runs the plan and seals what it wants changed: the entry, and the changes in it.

    The first signed entry of an actor binds the actor to its key.
    """
    at = known_time(now, head)
    changes = plan(reader, at)
    if not changes:
        return None
    bound = reader.actor_key(writer.actor)
    if bound is not None and (writer.identity is None or writer.identity.public != bound):
        raise Forbidden(
            f"actor {writer.actor!r} signs its writes in space {space!r}: open with that identity, or as another actor"
        )
    if writer.identity is not None and bound is None:
        bound_now = KeyBound(writer.actor, writer.identity.public)
        salts = (None, *changes.salts) if changes.salts else ()
        changes = replace(changes, items=(bound_now, *changes), salts=salts)
    entry = seal(changes, space=space, head=head, at=at, actor=writer.actor, identity=writer.identity)
    return entry, changes


def admit(entry: Entry, here: Entry) -> None:
    """An entry that is already here may come again, but not another one in its place."""
    if entry.hash != here.hash:
        raise Conflict(
            f"journal of {entry.space}: entry {entry.seq} here is not the one offered; the two histories parted "
            "before it. Import into an empty store, or under another space name"
        )
