"""What is it to forget? A mark that hides a memory or edge, and all that rests on it, until it is taken off again.

What a question finds can be forgotten together, but never unseen: a preview names what would go, and only who hands
back its token, while the question still finds the same, has it done. What was archived comes back the same way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from treering.errors import Conflict
from treering.model.changes import Change, Changes, Marked, Thing
from treering.model.codec import canonical
from treering.model.edge import Edge
from treering.model.memory import Mark, State
from treering.model.value import Value
from treering.store.circles import refuse_circle
from treering.store.contract import Act, EdgeFilter, Reader
from treering.store.leaving import leaving, returning
from treering.store.naming import missing
from treering.store.same_words import told_within
from treering.values import dataclass

FORGOTTEN = "forgotten"
CLEARLY = 0.25
"""What relevance by meaning must reach before it is proposed to forget a memory: everything is a little alike."""
BESIDE_THE_BEST = 0.5
"""How much of the best one's relevance it must have as well."""


@dataclass(frozen=True, slots=True, repr=False)
class Hidden(Value):
    """`edges` are those that go out of sight, or come back, with it; `along` what was told in parts of its words."""

    id: str
    thing: Thing
    forgotten: bool
    changed: bool
    edges: tuple[str, ...] = ()
    along: tuple[str, ...] = ()
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Archived(Value):
    """`changed`: it was not put away before."""

    id: str
    changed: bool
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Match(Value):
    """`relevance`: how much it has to do with the question."""

    id: str
    content: str
    relevance: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Forgetting(Value):
    """What a question clearly finds to forget. Nothing is forgotten before `token` is given as `confirm` with the same
    question. `edges` are those that go out of sight with the memories."""

    query: str
    token: str
    matches: tuple[Match, ...]
    forgotten: bool = False
    edges: tuple[str, ...] = ()
    dry_run: bool = False


def clear_matches(found: Sequence[Match], by_meaning: bool) -> list[Match]:
    """Those that are clearly meant. A question that only wants to know may be answered with what is near; here whatever
    is named is about to go. Where words alone found them, they have words in common."""
    least = max((BESIDE_THE_BEST * one.relevance for one in found), default=0.0)
    least = max(least, CLEARLY) if by_meaning else least
    return [one for one in found if one.relevance >= least]


def forget_found(
    act: Act, query: str, found: Sequence[Match], confirm: str | None, why: str | None
) -> tuple[Changes, Forgetting]:
    token = _token(act.space, query, found)
    preview = Forgetting(query=query, token=token, matches=tuple(found), dry_run=True)
    if confirm is None:
        return Changes("forget"), preview
    if confirm != token:
        raise Conflict(
            f"confirm: {confirm!r} is not the token of what {query!r} finds now; look at it again without confirm"
        )
    if not found:
        return Changes("forget"), preview
    done = [set_forgotten(act.reader, one.id, True, why) for one in found]
    edges = sorted({edge for _, hidden in done for edge in hidden.edges})
    marks = [change for some, _ in done for change in some]
    changes = (*marks, *leaving(act, [one.id for one in marks if isinstance(one, Marked)], FORGOTTEN))
    return Changes("forget", changes), replace(preview, forgotten=True, edges=tuple(edges), dry_run=False)


def _token(space: str, query: str, found: Sequence[Match]) -> str:
    """The same for the same memories, in whatever order; of no use for any others."""
    told = canonical([space, query, sorted(one.id for one in found)])
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def forget_one(act: Act, thing_id: str, why: str | None) -> tuple[Changes, Hidden]:
    """With all that follows from it, and what was told in parts of its words."""
    changes, hidden = set_forgotten(act.reader, thing_id, True, why)
    whole = act.reader.memory(thing_id)
    if not hidden.changed or whole is None:
        return changes, hidden
    along = [one.id for one in told_within(act.reader, whole) if Mark.FORGOTTEN not in one.marks]
    marks, hidden = _with(act.reader, changes, hidden, along, True, why)
    return Changes("forget", (*marks, *leaving(act, [thing_id, *along], FORGOTTEN))), hidden


def restore_one(reader: Reader, thing_id: str, why: str | None) -> tuple[Changes, Hidden]:
    """With what was forgotten along with it and still is."""
    changes, hidden = set_forgotten(reader, thing_id, False, why)
    whole = reader.memory(thing_id)
    if not hidden.changed or whole is None or Mark.FORGOTTEN not in whole.marks:
        return changes, hidden
    gone = _forgotten_by(reader, thing_id)
    within = (one for one in told_within(reader, whole) if Mark.FORGOTTEN in one.marks)
    along = [one.id for one in within if _forgotten_by(reader, one.id) == gone]
    marks, hidden = _with(reader, changes, hidden, along, False, why)
    return Changes("restore", marks), hidden


def _with(
    reader: Reader, changes: Changes, hidden: Hidden, along: Sequence[str], on: bool, why: str | None
) -> tuple[tuple[Change, ...], Hidden]:
    done = [set_forgotten(reader, one, on, why) for one in along]
    edges = {*hidden.edges, *(edge for _, each in done for edge in each.edges)}
    marks = (*changes, *(change for some, _ in done for change in some))
    return marks, replace(hidden, edges=tuple(sorted(edges)), along=tuple(along))


def _forgotten_by(reader: Reader, memory_id: str) -> int | None:
    """The entry of the journal that hid it last."""
    marks = ((one.seq, one.change) for one in reader.events(memory_id))
    hides = (
        seq for seq, one in marks if isinstance(one, Marked) and one.id == memory_id and one.mark is Mark.FORGOTTEN
    )
    return max(hides, default=None)


def set_forgotten(reader: Reader, thing_id: str, on: bool, why: str | None) -> tuple[Changes, Hidden]:
    memory = reader.memory(thing_id)
    if not on and memory is not None and Mark.FORGOTTEN not in memory.marks and Mark.ARCHIVED in memory.marks:
        change = Marked(Thing.MEMORY, thing_id, Mark.ARCHIVED, False, why)
        return Changes("restore", (change,)), Hidden(thing_id, Thing.MEMORY, False, True)
    thing, is_on, edges = _standing(reader, thing_id)
    if is_on == on:
        return Changes("forget" if on else "restore"), Hidden(thing_id, thing, on, False)
    if not on:
        for edge in edges:
            refuse_circle(reader, edge.source_id, edge.target_id, edge.relation, along=edges)
    along = tuple(sorted(edge.id for edge in edges)) if thing is Thing.MEMORY else ()
    change = Marked(thing, thing_id, Mark.FORGOTTEN, on, why)
    back = () if on or thing is not Thing.MEMORY else returning(reader, thing_id)
    return Changes("forget" if on else "restore", (change, *back)), Hidden(thing_id, thing, on, True, along)


def archive(reader: Reader, memory_id: str, why: str | None) -> tuple[Changes, Archived]:
    """Out of what holds and yet no secret: what rests on it goes on, and whoever asks for it by id still gets it."""
    memory = reader.memory(memory_id)
    if memory is None:
        raise missing(reader, memory_id, "id", "memory")
    if Mark.FORGOTTEN in memory.marks:
        raise Conflict(f"id: {memory_id} is forgotten; restore it before it is archived")
    new = Mark.ARCHIVED not in memory.marks
    changes = (Marked(Thing.MEMORY, memory_id, Mark.ARCHIVED, True, why),) if new else ()
    return Changes("archive", changes), Archived(id=memory_id, changed=new)


def _standing(reader: Reader, thing_id: str) -> tuple[Thing, bool, list[Edge]]:
    """What it is, whether it is forgotten, and the edges that go out of sight or come back with it."""
    memory = reader.memory(thing_id)
    if memory is not None:
        return Thing.MEMORY, memory.state is State.FORGOTTEN, _that_go_along(reader, thing_id)
    edges = reader.edges(EdgeFilter(ids=(thing_id,), include_closed=True, include_forgotten=True))
    if not edges:
        raise missing(reader, thing_id, "id", "memory or edge")
    return Thing.EDGE, edges[0].forgotten_at is not None, edges


def _that_go_along(reader: Reader, memory_id: str) -> list[Edge]:
    """Edges that touch the memory or rest on it, and are not forgotten on their own."""
    touching = EdgeFilter(either_ids=(memory_id,), include_closed=True, include_forgotten=True)
    resting = EdgeFilter(evidence_id=memory_id, include_closed=True, include_forgotten=True)
    edges = {edge.id: edge for which in (touching, resting) for edge in reader.edges(which)}
    return [edge for edge in edges.values() if edge.forgotten_at is None]
