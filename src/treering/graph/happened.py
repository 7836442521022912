"""What happened in a space, in order? The journal as those who read the space may see it: which kinds of change, about
which ids, by whom and when. What is said in them is read by id."""

from __future__ import annotations

from datetime import datetime

from treering.model.changes import change_name
from treering.model.value import Value
from treering.store.contract import Event, Reader
from treering.store.openness import is_told, open_ids
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Happening(Value):
    """One change. `seq` and `index` are its entry in the journal and its place there."""

    space: str
    seq: int
    index: int
    at: datetime
    actor: str
    op: str
    type: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Happenings(Value):
    """`after` is where to go on from, `more` whether there is more already."""

    events: tuple[Happening, ...]
    after: int
    more: bool


def happened(reader: Reader, after: int, limit: int) -> Happenings:
    events, reached = reader.happened(after, limit)
    told = tuple(_told(one) for one in events if is_told(one.change))
    return Happenings(events=told, after=reached, more=reached < reader.head.seq)


def _told(event: Event) -> Happening:
    return Happening(
        space=event.space,
        seq=event.seq,
        index=event.index,
        at=event.at,
        actor=event.actor,
        op=event.op,
        type=change_name(event.change),
        ids=open_ids(event.change),
    )
