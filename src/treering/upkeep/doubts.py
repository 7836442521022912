"""What in a space is in doubt? Memories that contradict one another, consolidations that rest on what no longer holds,
and things that may be one under two names. Each is put before somebody."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress

from treering.errors import CallerError
from treering.language.words import spelled
from treering.model import limits
from treering.model.edge import Link
from treering.model.entity import Entity
from treering.model.memory import SHOWN, Memory, Support, View
from treering.model.review import ReviewItem, ReviewKind, ReviewStatus, Urgency
from treering.store.contract import EdgeFilter, Reader
from treering.store.support import causes_of, support_of
from treering.store.tending import ReviewFilter
from treering.upkeep.review import Proposed, ask, close, is_visible, unasked
from treering.upkeep.space import UpkeepSpace

MOST = 200
"""Of each kind, in one run."""
_AT_ONCE = 100
PROPOSED = "proposed"
"""The rule of a link by which a write proposes that one memory takes another's place."""


def gather(upkeep: UpkeepSpace) -> int:
    """Puts what is in doubt into the review queue; answers how much there is."""
    with upkeep.reading() as reader:
        found = [*contradictions(reader), *judged(reader), *stale(reader), *same_entities(reader)]
    new = unasked(upkeep, found)
    for start in range(0, len(new), _AT_ONCE):
        ask(upkeep, new[start : start + _AT_ONCE])
    return len(found)


def settle(upkeep: UpkeepSpace) -> int:
    """Closes what is about a memory that no longer holds, and that nobody is at: there is nothing left to decide."""
    waiting = upkeep.tending.items(upkeep.space, ReviewFilter(None, (ReviewStatus.OPEN,), limits.REVIEWS_OPEN))
    with upkeep.reading() as reader:
        moot = [one.id for one in waiting if is_visible(reader, one) and not _all_hold(reader, one)]
    for item_id in moot:
        with suppress(CallerError):  # somebody has taken it meanwhile
            close(upkeep, item_id, ReviewStatus.CLOSED, "what it was about no longer holds")
    return len(moot)


def _all_hold(reader: Reader, item: ReviewItem) -> bool:
    return all(_holds(reader.memory(one)) for one in item.memory_ids)


def contradictions(reader: Reader) -> list[Proposed]:
    found: list[Proposed] = []
    for edge in reader.edges(EdgeFilter(relations=(Link.CONTRADICTS.value,))):
        newer, older = reader.memory(edge.source_id), reader.memory(edge.target_id)
        if _holds(newer) and _holds(older) and len(found) < MOST:
            proposal = {"op": "supersede", "newer": edge.source_id, "older": edge.target_id}
            ids = (edge.source_id, edge.target_id)
            found.append(
                Proposed(ReviewKind.CONTRADICTION, Urgency.HIGH, ids, "supersede", proposal, "they cannot both be so")
            )
    return found


def judged(reader: Reader) -> list[Proposed]:
    """Where the judge was in doubt whether the newer takes the older one's place."""
    found: list[Proposed] = []
    for edge in reader.edges(EdgeFilter(relations=(Link.RELATED_TO.value,))):
        if edge.rule != PROPOSED or len(found) >= MOST:
            continue
        newer, older = reader.memory(edge.source_id), reader.memory(edge.target_id)
        if _holds(newer) and _holds(older):
            proposal = {"op": "supersede", "newer": edge.source_id, "older": edge.target_id}
            ids = (edge.source_id, edge.target_id)
            found.append(
                Proposed(ReviewKind.CONTRADICTION, Urgency.MEDIUM, ids, "supersede", proposal, edge.why or "in doubt")
            )
    return found


def stale(reader: Reader) -> list[Proposed]:
    """Memories that hold, and were made of something that no longer does, through any number of steps."""
    links = EdgeFilter(relations=(Link.DERIVED_FROM.value,), include_closed=True, include_forgotten=True)
    derived = dict.fromkeys(edge.source_id for edge in reader.edges(links))
    shaken = [one for one, support in support_of(reader, derived).items() if support is Support.STALE]
    holding = [one for one in shaken if _holds(reader.memory(one))][:MOST]
    causes = causes_of(reader, holding)
    return [_stale(one, len(causes[one])) for one in holding]


def _stale(memory_id: str, causes: int) -> Proposed:
    return Proposed(
        ReviewKind.STALE,
        Urgency.MEDIUM,
        (memory_id,),
        "unconsolidate",
        {"op": "unconsolidate", "id": memory_id},
        f"{causes} of what it rests on no longer {'holds' if causes == 1 else 'hold'}",
    )


def same_entities(reader: Reader) -> list[Proposed]:
    """People whose name is the beginning of exactly one fuller name: Sam, and Sam Lee."""
    people = [one for one in reader.entities() if one.kind == "person"]
    by_first: dict[str, list[Entity]] = defaultdict(list)
    for one in people:
        parts = spelled(one.name)
        if len(parts) > 1:
            by_first[parts[0]].append(one)
    return list(_same(people, by_first))[:MOST]


def _same(people: Sequence[Entity], by_first: dict[str, list[Entity]]) -> Iterator[Proposed]:
    for one in people:
        parts = spelled(one.name)
        fuller = by_first.get(parts[0], []) if len(parts) == 1 else []
        if len(fuller) == 1:
            into = fuller[0]
            yield Proposed(
                ReviewKind.SAME_ENTITY,
                Urgency.LOW,
                (),
                "merge_entities",
                {"op": "merge_entities", "entity": one.id, "into": into.id},
                "one name may be short for the other",
                (one.id, into.id),
            )


def _holds(memory: Memory | None) -> bool:
    return memory is not None and memory.state in SHOWN[View.CURRENT]
