"""What does it do to apply a proposal? Each in one write of the journal, which undo takes back: a memory is seen again,
put away or promoted; some are made one or linked; one takes another's place; two things are the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from treering.errors import InvalidRequest
from treering.model.changes import Change, Changes, Marked, Thing, Used
from treering.model.edge import Link
from treering.model.memory import SHOWN, Mark, Memory, Use, View
from treering.model.review import ReviewItem
from treering.store.contract import Act, EdgeFilter, Reader
from treering.store.leaving import leaving
from treering.store.naming import missing
from treering.upkeep.cluster import Cluster, cluster_id, suggested
from treering.upkeep.consolidate import RULE
from treering.upkeep.consolidating import merge
from treering.upkeep.forget import FORGOTTEN
from treering.upkeep.space import UpkeepSpace

REASON = "decided in review"


def decide(upkeep: UpkeepSpace, item: ReviewItem) -> int | None:
    """Answers the journal entry that it made; none if there was nothing left to do."""
    op = str(item.proposal.get("op"))
    if op not in OPS:
        raise InvalidRequest(f"proposal: {op!r} of review item {item.id} cannot be applied; dismiss it")
    must_be_fit(item.proposal)
    return OPS[op](upkeep, item)


def _review(upkeep: UpkeepSpace, item: ReviewItem) -> int | None:
    """Somebody has looked at it and found it worth keeping: a use like any other."""
    return _written(upkeep, lambda act: [Used(_one(act.reader, item).id, Use.REVIEWED)])


def _archive(upkeep: UpkeepSpace, item: ReviewItem) -> int | None:
    return _written(upkeep, lambda act: _marks(_one(act.reader, item), Mark.ARCHIVED))


def _forget(upkeep: UpkeepSpace, item: ReviewItem) -> int | None:
    def planned(act: Act) -> list[Change]:
        marks = _marks(_one(act.reader, item), Mark.FORGOTTEN)
        return [*marks, *leaving(act, [one.id for one in marks], FORGOTTEN)]

    return _written(upkeep, planned)


def _promote(upkeep: UpkeepSpace, item: ReviewItem) -> int | None:
    return _written(upkeep, lambda act: _marks(_one(act.reader, item), Mark.PROMOTED))


def _consolidate(upkeep: UpkeepSpace, item: ReviewItem) -> int | None:
    with upkeep.reading() as reader:
        if _is_merged(reader, item.memory_ids):
            return None
    cohesion = float(_said(item, "cohesion", 0.75))
    cluster = Cluster(
        id=cluster_id(item.memory_ids),
        size=len(item.memory_ids),
        cohesion=cohesion,
        suggested_action=suggested(cohesion),
        memory_ids=item.memory_ids,
    )
    return merge(upkeep, cluster, REASON).seq


def _is_merged(reader: Reader, memory_ids: tuple[str, ...]) -> bool:
    """Whether one memory stands for all of these already."""
    which = EdgeFilter(target_ids=memory_ids, relations=(Link.DERIVED_FROM.value,))
    by_source: dict[str, set[str]] = {}
    for edge in reader.edges(which):
        if edge.rule == RULE:
            by_source.setdefault(edge.source_id, set()).add(edge.target_id)
    return any(targets == set(memory_ids) for targets in by_source.values())


def _unconsolidate(upkeep: UpkeepSpace, item: ReviewItem) -> int | None:
    """What rests on something that no longer holds is put away; what it was made of and still holds comes back."""

    def changes(act: Act) -> list[Change]:
        derived = _one(act.reader, item)
        which = EdgeFilter(source_ids=(derived.id,), relations=(Link.DERIVED_FROM.value,))
        origins = [act.reader.memory(edge.target_id) for edge in act.reader.edges(which)]
        back = [one for one in origins if one is not None and Mark.ARCHIVED in one.marks]
        restored = [Marked(Thing.MEMORY, one.id, Mark.ARCHIVED, False, REASON) for one in back]
        return [*_marks(derived, Mark.ARCHIVED), *restored]

    return _written(upkeep, changes)


def _link(upkeep: UpkeepSpace, item: ReviewItem) -> int | None:
    source, target = _said(item, "source"), _said(item, "target")
    return upkeep.tie(
        source, target, _said(item, "relation", "related_to"), float(_said(item, "strength", 1.0)), REASON
    )


def _supersede(upkeep: UpkeepSpace, item: ReviewItem) -> int | None:
    return upkeep.tie(_said(item, "newer"), _said(item, "older"), Link.SUPERSEDES.value, 1.0, REASON)


def _merge_entities(upkeep: UpkeepSpace, item: ReviewItem) -> int | None:
    return upkeep.same(_said(item, "entity"), _said(item, "into"), REASON)


Op = Callable[[UpkeepSpace, ReviewItem], int | None]
OPS: Mapping[str, Op] = {
    "review": _review,
    "archive": _archive,
    "forget": _forget,
    "promote": _promote,
    "consolidate": _consolidate,
    "unconsolidate": _unconsolidate,
    "link": _link,
    "supersede": _supersede,
    "merge_entities": _merge_entities,
}
"""What a proposal's `op` may be, and what is done then."""


_NUMBERS = ("cohesion", "strength")
_TEXTS = ("id", "source", "target", "relation", "newer", "older", "entity", "into", "cluster_id")


def must_be_fit(proposal: Mapping[str, Any]) -> None:
    """What it says must be of the right kind, whatever it is applied to."""
    for name, value in proposal.items():
        if name in _NUMBERS and (isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1):
            raise InvalidRequest(f"proposal: {name} is {value!r}, and not a number from 0 to 1")
        if name in _TEXTS and not isinstance(value, str):
            raise InvalidRequest(f"proposal: {name} is {value!r}, and not a text")


def _written(upkeep: UpkeepSpace, planned: Callable[[Act], Sequence[Change]]) -> int | None:
    def plan(act: Act) -> tuple[Changes, int | None]:
        changes = planned(act)
        return Changes("review", tuple(changes)), act.reader.head.seq + 1 if changes else None

    return upkeep.write(plan)


def _one(reader: Reader, item: ReviewItem) -> Memory:
    memory_id = str(item.proposal.get("id") or (item.memory_ids[0] if item.memory_ids else ""))
    memory = reader.memory(memory_id)
    if memory is None:
        raise missing(reader, memory_id, "proposal", "memory")
    return memory


def _marks(memory: Memory, mark: Mark) -> Sequence[Marked]:
    if mark in memory.marks or (mark is not Mark.FORGOTTEN and memory.state not in SHOWN[View.CURRENT]):
        return []
    return [Marked(Thing.MEMORY, memory.id, mark, True, REASON)]


def _said(item: ReviewItem, name: str, otherwise: Any = None) -> Any:
    value = item.proposal.get(name, otherwise)
    if value is None:
        raise InvalidRequest(f"proposal: of review item {item.id} does not say {name}; dismiss it")
    return value
