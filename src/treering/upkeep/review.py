"""What waits for somebody to decide, and how is it decided? Items are put, listed, claimed and ended; applying one does
what it proposes, in one write.

An item is seen by those who may see everything it is about, and for all others it is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from typing import Any

from treering.errors import Conflict, Fault, InvalidRequest, LimitExceeded, NotFound, TreeringError, Unavailable
from treering.model import limits
from treering.model.review import ReviewItem, ReviewKind, ReviewStatus, Urgency, key_of
from treering.model.value import Value
from treering.store.contract import Reader
from treering.store.naming import missing
from treering.store.tending import ReviewFilter
from treering.upkeep.deciding import OPS, decide, must_be_fit
from treering.upkeep.space import UpkeepSpace
from treering.values import dataclass

CLAIM_SECONDS = 900.0
"""How long an item is somebody's: a quarter of an hour."""
APPLY_SECONDS = 60.0
_PAGE = 200


@dataclass(frozen=True, slots=True)
class Proposed:
    """An item in the making."""

    kind: ReviewKind
    urgency: Urgency
    memory_ids: tuple[str, ...]
    action: str
    proposal: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    entity_ids: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return key_of(self.kind, self.action, self.memory_ids, self.entity_ids)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Reviewed(Value):
    """What became of an item. `changed` is false if what it proposed was done already."""

    item: ReviewItem
    changed: bool
    seq: int | None = None


def put(upkeep: UpkeepSpace, proposed: Sequence[Proposed]) -> list[ReviewItem]:
    """The items as they stand: one that was there, or was dismissed, is not put again."""
    room = _room(upkeep)
    if len(proposed) > room and len(unasked(upkeep, proposed)) > room:
        raise LimitExceeded(
            f"review: {limits.REVIEWS_OPEN - room:,} items wait already, and {limits.REVIEWS_OPEN:,} are kept; decide "
            "some of them first"
        )
    return upkeep.tending.put([_item(upkeep, one) for one in proposed])


def ask(upkeep: UpkeepSpace, proposed: Sequence[Proposed]) -> tuple[int, list[ReviewItem]]:
    """Puts before somebody as many as the queue has room for, and answers how many: upkeep goes on where it is full.
    Beside that the items that are new: the others were there, or were dismissed."""
    made = [_item(upkeep, one) for one in proposed[: max(0, _room(upkeep))]]
    own = {one.id for one in made}
    return len(made), [one for one in upkeep.tending.put(made) if one.id in own]


def unasked(upkeep: UpkeepSpace, proposed: Sequence[Proposed]) -> list[Proposed]:
    """Those of which none waits, and none was dismissed."""
    asked = (ReviewStatus.OPEN, ReviewStatus.CLAIMED, ReviewStatus.DISMISSED)
    known = {one.key for one in _pages(upkeep, tuple({one.kind for one in proposed}), asked)} if proposed else set()
    return [one for one in proposed if one.key not in known]


def _room(upkeep: UpkeepSpace) -> int:
    counts = upkeep.tending.count_items(upkeep.space)
    return limits.REVIEWS_OPEN - sum(count for (_, status), count in counts.items() if not status.is_end)


def _item(upkeep: UpkeepSpace, one: Proposed) -> ReviewItem:
    now = upkeep.now
    return ReviewItem(
        id=upkeep.new_id(),
        space=upkeep.space,
        kind=one.kind,
        urgency=one.urgency,
        memory_ids=one.memory_ids,
        entity_ids=one.entity_ids,
        action=one.action,
        proposal=dict(one.proposal),
        reason=one.reason,
        made_by=upkeep.actor,
        created_at=now,
        updated_at=now,
    )


def create(upkeep: UpkeepSpace, proposed: Proposed) -> ReviewItem:
    """By hand: what it is about must be there, and what it proposes must be something that can be done."""
    if not proposed.memory_ids and not proposed.entity_ids:
        raise InvalidRequest("memory_ids: name the memories or entities that it is about")
    op = proposed.proposal.get("op")
    if proposed.proposal and (not isinstance(op, str) or op not in OPS):
        raise InvalidRequest(
            f"proposal: {op!r} is not something that can be applied; its op is one of {', '.join(OPS)}"
        )
    must_be_fit(proposed.proposal)
    with upkeep.reading() as reader:
        for one in proposed.memory_ids:
            if reader.memory(one) is None:
                raise missing(reader, one, "memory_ids", "memory")
        for one in proposed.entity_ids:
            if reader.entity(one) is None:
                raise missing(reader, one, "entity_ids", "entity")
    return put(upkeep, [proposed])[0]


def listed(
    upkeep: UpkeepSpace,
    reader: Reader,
    kind: ReviewKind | None,
    status: ReviewStatus | None,
    urgency: Urgency | None,
    limit: int,
) -> list[ReviewItem]:
    """The most urgent first. Without a status, what waits."""
    statuses = (ReviewStatus.OPEN, ReviewStatus.CLAIMED) if status is None else (status,)
    kinds = None if kind is None else (kind,)
    found = []
    for item in _pages(upkeep, kinds, statuses):
        if (urgency is None or item.urgency is urgency) and is_visible(reader, item):
            found.append(item)
            if len(found) == limit:
                break
    return found


def _pages(
    upkeep: UpkeepSpace, kinds: tuple[ReviewKind, ...] | None, statuses: tuple[ReviewStatus, ...] | None
) -> Iterator[ReviewItem]:
    offset = 0
    while page := upkeep.tending.items(upkeep.space, ReviewFilter(kinds, statuses, _PAGE, offset)):
        yield from page
        offset += len(page)


def counted(upkeep: UpkeepSpace, reader: Reader) -> dict[str, int]:
    """How many wait, by kind, of those that may be seen."""
    counts: dict[str, int] = {}
    for item in _pages(upkeep, None, (ReviewStatus.OPEN, ReviewStatus.CLAIMED)):
        if is_visible(reader, item):
            counts[item.kind.value] = counts.get(item.kind.value, 0) + 1
    return counts


def is_visible(reader: Reader, item: ReviewItem) -> bool:
    return all(reader.memory(one) is not None for one in item.memory_ids) and all(
        reader.entity(one) is not None for one in item.entity_ids
    )


def one_item(upkeep: UpkeepSpace, reader: Reader, item_id: str) -> ReviewItem:
    item = upkeep.tending.item(upkeep.space, item_id)
    if item is None or not is_visible(reader, item):
        raise _no_such_item(item_id, upkeep.space)
    return item


def _no_such_item(item_id: str, space: str) -> NotFound:
    return NotFound(f"id: there is no review item {item_id!r} in {space}; `review_list` shows what waits", item_id)


def claim(upkeep: UpkeepSpace, item_id: str, lease_seconds: float = CLAIM_SECONDS) -> ReviewItem:
    now = upkeep.now
    return _turn(upkeep, item_id, lambda item: item.claimed(upkeep.actor, now, lease_seconds))


def close(
    upkeep: UpkeepSpace, item_id: str, status: ReviewStatus, note: str | None, seq: int | None = None
) -> ReviewItem:
    now = upkeep.now
    return _turn(upkeep, item_id, lambda item: item.ended_as(status, upkeep.actor, now, note, seq))


def reopen(upkeep: UpkeepSpace, item_id: str) -> ReviewItem:
    """What was decided is asked once more, unless the same was put again meanwhile."""
    with upkeep.reading() as reader:
        item = one_item(upkeep, reader, item_id)
    waits = (ReviewStatus.OPEN, ReviewStatus.CLAIMED, ReviewStatus.DISMISSED)
    if any(one.key == item.key and one.id != item.id for one in _pages(upkeep, (item.kind,), waits)):
        raise Conflict(f"id: the same as review item {item_id} was put again since; decide that one")
    now = upkeep.now
    return _turn(upkeep, item_id, lambda one: one.reopened(now))


def apply(upkeep: UpkeepSpace, item_id: str, note: str | None = None) -> Reviewed:
    """Does what the item proposes. It is claimed first, so that no two do it; if it was done and not yet closed, such
    as before a crash, it is closed."""
    with upkeep.reading() as reader:
        proposal = one_item(upkeep, reader, item_id).proposal
    if not proposal:
        raise InvalidRequest(f"id: review item {item_id} proposes nothing to apply; decide it yourself and close it")
    item = claim(upkeep, item_id, APPLY_SECONDS)
    try:
        seq = decide(upkeep, item)
    except TreeringError:
        with suppress(TreeringError):  # nothing was done: it is anybody's again, now or when its time has run out
            _turn(upkeep, item_id, lambda held: held.released(upkeep.now))
        raise
    try:
        ended = close(upkeep, item_id, ReviewStatus.APPLIED, note, seq)
    except (Unavailable, Fault) as error:
        raise Unavailable(_done_but_open(item_id, seq)) from error
    return Reviewed(item=ended, changed=seq is not None, seq=seq)


def _done_but_open(item_id: str, seq: int | None) -> str:
    done = "was done before" if seq is None else f"is done and written, as entry {seq}"
    return f"what review item {item_id} proposes {done}, but the item could not be closed; apply it again to close it"


def _turn(upkeep: UpkeepSpace, item_id: str, step: Callable[[ReviewItem], ReviewItem]) -> ReviewItem:
    with upkeep.reading() as reader:
        one_item(upkeep, reader, item_id)
    item = upkeep.tending.turn_item(upkeep.space, item_id, step)
    if item is None:
        raise _no_such_item(item_id, upkeep.space)
    return item
