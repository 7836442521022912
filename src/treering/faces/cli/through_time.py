"""What is shown of the graph through time? Timelines, profiles, differences, conflicts, lineages, spaces as a tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from treering.faces.cli.blocks import (
    Block,
    Cell,
    Line,
    Pairs,
    Rows,
    TableColumn,
    TimelineRow,
    TimelineRows,
    Tone,
    cell,
    id_cell,
    short_time,
    time_cell,
    window_cell,
)
from treering.faces.cli.headline import count
from treering.graph.contradictions import Contradiction, Side
from treering.graph.diff import Diff
from treering.graph.facts import Fact
from treering.graph.lineage import Lineage, Relative
from treering.graph.profile import Profile
from treering.graph.story import TimelineEvent
from treering.graph.support import Stale
from treering.graph.taxonomy import Branch
from treering.graph.timeline import Timeline as NodeTimeline
from treering.model.memory import Memory, Support
from treering.model.time import to_text
from treering.store.support import Cause

_TONES: dict[Support, Tone] = {Support.CURRENT: "good", Support.STALE: "warn", Support.UNKNOWN: "quiet"}
_FACT_COLUMNS = (
    TableColumn(""),
    TableColumn("fact", main=True),
    TableColumn("holds"),
    TableColumn("note"),
    TableColumn("id", roomy=True),
)


def timeline(story: NodeTimeline) -> Iterator[Block]:
    yield Line(f"{story.name}, {count(len(story), 'event')}", "strong", for_people=True)
    yield TimelineRows(tuple(_happening(event) for event in story))
    if story.truncated:
        yield Line("there is more: --since, --until or a higher --limit", "quiet", for_people=True, names_options=True)


def _happening(event: TimelineEvent) -> TimelineRow:
    kind = event.type.replace("_", " ")
    by = [f"rule {event.rule}"] if event.rule else []
    by += [f"{event.op} by {event.actor}"] if event.op else []
    notes = [f"{kind}, {', '.join(by)}" if by else kind]
    if event.valid_from is not None and event.relation is not None:
        notes[0] += f", holds {window_cell(event.valid_from, event.valid_until).shown}"
    notes += [f"why: {event.why}"] if event.why else []
    record = [to_text(event.at), event.type, event.relation, event.source_id, event.target_id]
    record += [None if at is None else to_text(at) for at in (event.valid_from, event.valid_until)]
    record += [event.what, event.rule, event.evidence, event.why]
    return TimelineRow(time_cell(event.at), event.what, tuple(notes), tuple(one or "" for one in record))


def profile(known: Profile) -> Iterator[Block]:
    yield Line(known.name, "strong")
    pairs = [("kind", cell(known.kind)), ("id", Cell(known.id, known.id, "quiet", roomy=True))]
    pairs += [("also called", cell(", ".join(known.aliases)))] if known.aliases else []
    yield Pairs(tuple(pairs))
    for title, facts in (("now", known.facts_now), ("before", known.facts_before), ("to come", known.facts_to_come)):
        if facts:
            yield Line(title, "strong", for_people=True)
            yield _facts([(title, fact, fact.closed_by or "") for fact in facts])
    if known.memories:
        yield Line(f"memories, {len(known.memories):,} of {known.memories_count:,}", "strong", for_people=True)
        yield _memories(known.memories)
    yield Line("timeline", "strong", for_people=True)
    yield TimelineRows(tuple(_happening(event) for event in known.timeline))


def _memories(memories: Iterable[Memory]) -> Rows:
    columns = (TableColumn(""), TableColumn("content", main=True), TableColumn("holds"), TableColumn("id"))
    rows = (
        (cell("memory", "quiet"), cell(one.content), window_cell(one.valid_from, one.valid_until), id_cell(one.id))
        for one in memories
    )
    return Rows(columns, tuple(rows), "none")


def _facts(facts: Iterable[tuple[str, Fact, str]]) -> Rows:
    rows = (
        (
            cell(mark, "quiet"),
            cell(f"{one.subject} {one.relation} {one.object}"),
            window_cell(one.valid_from, one.valid_until),
            cell(note, "warn"),
            id_cell(one.id),
        )
        for mark, one, note in facts
    )
    return Rows(_FACT_COLUMNS, tuple(rows), "none")


def diff(found: Diff) -> Iterator[Block]:
    yield Line(f"from {short_time(found.since)} to {short_time(found.until)}", "strong", for_people=True)
    replaced = {one.fact.id: ", ".join(by.object for by in one.by) for one in found.superseded}
    rows = [("opened", fact, "") for fact in found.opened]
    rows += [("closed", fact, fact.closed_by or "") for fact in found.closed if fact.id not in replaced]
    rows += [("superseded", one.fact, f"by {replaced[one.fact.id]}") for one in found.superseded]
    rows += [("learned late", one.fact, f"{one.then}, as far as was known then") for one in found.learned_late]
    yield _facts(rows) if rows else Line("nothing changed", "quiet")


def contradictions(found: Sequence[Contradiction]) -> Iterator[Block]:
    columns = (
        TableColumn(""),
        TableColumn("content", main=True),
        TableColumn("holds"),
        TableColumn("said"),
        TableColumn("id"),
    )
    for one in found:
        yield Line(f"{one.rule or 'conflict'}{': ' + one.why if one.why else ''}", "warn", for_people=True)
        yield Rows(columns, (_side("newer", one.newer), _side("older", one.older)), "none")


def _side(which: str, side: Side) -> tuple[Cell, ...]:
    said = side.sources[0] if side.sources else None
    by = "" if said is None else f"{said.speaker + ', ' if said.speaker else ''}{short_time(said.occurred_at)}"
    told = side.memory_id or (side.fact.id if side.fact else None)
    return cell(which), cell(side.content), window_cell(side.valid_from, side.valid_until), cell(by), id_cell(told)


def lineage(line: Lineage) -> Iterator[Block]:
    yield Line(line.memory.content, "strong")
    yield Pairs(
        (
            ("state", cell(line.memory.state.value)),
            ("support", cell(line.support.value, _TONES[line.support])),
            *((f"said{f' by {one.speaker}' if one.speaker else ''}", cell(one.text)) for one in line.sources),
            *(("because", cell(in_words(one), "warn")) for one in line.because),
        )
    )
    for title, relatives in (
        ("derived from", line.derived_from),
        ("took the place of", line.supersedes),
        ("was replaced by", line.superseded_by),
        ("derived", line.derived),
    ):
        if relatives:
            yield Line(title, "strong", for_people=True)
            yield _relatives(title, relatives)
    if line.facts:
        yield Line("evidence of", "strong", for_people=True)
        yield _facts([("evidence of", fact, fact.closed_by or "") for fact in line.facts])
    if line.truncated:
        yield Line("there is more: a higher --depth or --limit", "quiet", for_people=True, names_options=True)


def _relatives(title: str, relatives: Iterable[Relative]) -> Rows:
    columns = (
        TableColumn("content", main=True),
        TableColumn("state"),
        TableColumn("support"),
        TableColumn("id"),
        TableColumn("", roomy=True),
    )
    rows = (
        (
            Cell("  " * (one.depth - 1) + (one.content or "something forgotten"), one.content or ""),
            cell(one.state.value),
            cell(one.support.value, _TONES[one.support]),
            id_cell(one.memory_id),
            cell(title, "quiet"),
        )
        for one in relatives
    )
    return Rows(columns, tuple(rows), "none")


def stale(found: Sequence[Stale]) -> Iterator[Block]:
    yield TimelineRows(tuple(_shaken(one) for one in found))


def _shaken(one: Stale) -> TimelineRow:
    causes = tuple(in_words(cause) for cause in one.because)
    record = (one.memory.id, one.memory.content, *causes)
    return TimelineRow(id_cell(one.memory.id), one.memory.content, causes, record)


def in_words(cause: Cause) -> str:
    """What became of something that a memory rests on."""
    steps = len(cause.path) - 1
    what = f"{cause.what.value}{f' on {short_time(cause.at)}' if cause.at else ''}"
    by = f" by {cause.by}" if cause.by else ""
    why = f", {cause.why}" if cause.why else ""
    return f"{cause.content or cause.memory_id}: {what}{by}{why} ({count(steps, 'step')} beneath)"


def taxonomy(root: Branch) -> Iterator[Block]:
    columns = (
        TableColumn("space", main=True),
        TableColumn("memories"),
        TableColumn("with all below"),
        TableColumn("not shown"),
    )
    yield Rows(columns, tuple(_branches(root, "", "")), "no space yet")


def _branches(branch: Branch, before: str, below: str) -> Iterator[tuple[Cell, ...]]:
    """A line each, drawn as a tree: `before` stands before its own name, `below` before those beneath it."""
    shown = branch.name or "all spaces"
    left_out = f"{branch.left_out:,}" if branch.left_out else ""
    own, whole = cell(f"{branch.count:,}"), cell(f"{branch.subtree_count:,}")
    yield Cell(before + shown, branch.space or "/", "name"), own, whole, cell(left_out, "warn")
    for place, child in enumerate(branch.children, 1):
        last = place == len(branch.children)
        yield from _branches(child, below + ("└─ " if last else "├─ "), below + ("   " if last else "│  "))
