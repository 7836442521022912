"""What is shown of upkeep? Clusters, duplicates, consolidations, what the agents did, and what waits for a decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treering.faces.cli.blocks import Block, Cell, Line, Pairs, Rows, TableColumn, Tone, cell, id_cell, time_cell
from treering.faces.cli.headline import count
from treering.model.review import ReviewItem, ReviewStatus, Urgency
from treering.model.upkeep import AgentDone
from treering.upkeep.agents.contract import AgentRun
from treering.upkeep.beads import Issue
from treering.upkeep.cluster import Clustering
from treering.upkeep.consolidate import Consolidation
from treering.upkeep.review import Reviewed
from treering.upkeep.scheduler import PipelineRun, Scheduled, UpkeepStatus

_URGENCY: dict[Urgency, Tone] = {Urgency.HIGH: "bad", Urgency.MEDIUM: "warn", Urgency.LOW: "quiet"}
_ACTIONS: dict[str, Tone] = {"auto-merge": "good", "review": "warn", "keep": "quiet"}
_CLUSTERS = (TableColumn("cluster"), TableColumn("cohesion"), TableColumn("suggested"), TableColumn("what", main=True))
_DUPLICATES = (
    TableColumn("alike"),
    TableColumn("the one", main=True),
    TableColumn("the other", main=True),
    TableColumn("id1", roomy=True),
    TableColumn("id2", roomy=True),
)
_SHOWN = 50


def clustering(found: Clustering) -> Iterator[Block]:
    yield Line(f"{found.message}, among {count(found.memories, 'memory', 'memories')}", "good")
    if found.mode == "duplicate_detection":
        yield Rows(
            _DUPLICATES,
            tuple(
                (
                    cell(f"{one.similarity:.2f}"),
                    cell(one.content1_preview),
                    cell(one.content2_preview),
                    id_cell(one.id1),
                    id_cell(one.id2),
                )
                for one in found.duplicates
            ),
            "none",
        )
        return
    yield Rows(
        _CLUSTERS,
        tuple(
            (
                cell(one.id, "name"),
                cell(f"{one.cohesion:.2f}"),
                cell(one.suggested_action, _ACTIONS.get(one.suggested_action, "plain")),
                cell(" · ".join(one.content_previews)),
            )
            for one in found.clusters
        ),
        "none",
    )


def consolidation(done: Consolidation) -> Iterator[Block]:
    dry = done.mode == "preview"
    yield Line(done.message, "warn" if dry else "good", for_people=True)
    for one in done.previews[:_SHOWN]:
        yield Pairs(
            (
                ("cluster", cell(one.cluster_id, "name")),
                ("cohesion", cell(f"{one.cohesion:.2f}, {count(one.memory_count, 'memory', 'memories')}")),
                ("would say", cell(one.merged_content_preview)),
                ("mentions", cell(", ".join(one.merged_entities))),
                ("tags", cell(", ".join(one.merged_tags))),
                ("strength", cell(f"{one.calculated_strength:.2f}")),
            )
        )
    for merged in done.merged[:_SHOWN]:
        yield Pairs(
            (
                ("cluster", cell(merged.cluster_id, "name")),
                ("memory", Cell(merged.new_memory_id, merged.new_memory_id, "name", roomy=True)),
                ("made of", cell(", ".join(merged.source_ids))),
                ("undo", cell(f"treering undo {merged.seq}", "quiet")),
            )
        )
    for tied in done.linked[:_SHOWN]:
        pairs = (("cluster", cell(tied.cluster_id, "name")), ("links", cell(f"{len(tied.relation_ids):,} made")))
        yield Pairs(pairs)
    if done.skipped:
        yield Pairs(tuple((name, cell(why, "warn")) for name, why in done.skipped.items()))
    if not (done.previews or done.merged or done.linked):
        yield Pairs((("clusters", cell("none")),))


def agent_run(run: AgentRun) -> Iterator[Block]:
    yield from _dry(run.dry_run)
    yield _agents([run])
    columns = (TableColumn("result", main=True),)
    rows = tuple((cell(", ".join(_told(one))),) for one in run.results[:_SHOWN])
    yield Rows(columns, rows, "nothing to do")
    if len(run.results) > _SHOWN:
        yield Line(f"and {len(run.results) - _SHOWN:,} more; --json shows all", "quiet", for_people=True)


def _told(result: object) -> Iterator[str]:
    for name, value in result.to_dict().items():  # type: ignore[attr-defined]
        if value not in (None, "", []):
            yield f"{name.replace('_', ' ')} {len(value) if isinstance(value, list) else value}"


def pipeline(run: PipelineRun) -> Iterator[Block]:
    yield from _dry(run.dry_run)
    if run.resumed:
        yield Line("a run that was broken off was gone on with", "warn", for_people=True)
    yield _agents(run.agents)
    if run.gathered or run.settled:
        told = f"{count(run.gathered, 'matter is', 'matters are')} in doubt, {run.settled:,} settled themselves"
        yield Line(f"{told}; treering review list shows what waits", "warn", for_people=True)


def _dry(dry_run: bool) -> Iterator[Line]:
    if dry_run:
        yield Line("dry run, nothing was written", "warn")


def _agents(runs: Sequence[AgentRun | AgentDone]) -> Rows:
    columns = (TableColumn("agent", main=True), TableColumn("found"), TableColumn("done"), TableColumn("left"))
    rows = tuple(
        (
            cell(one.agent.value, "name"),
            cell(f"{one.found:,}"),
            cell(f"{one.changed:,}", "good" if one.changed else "quiet"),
            cell(f"{one.left:,}", "warn" if one.left else "quiet"),
        )
        for one in runs
    )
    return Rows(columns, rows, "none")


def scheduled(told: Scheduled) -> Iterator[Block]:
    said = f"ran, because {told.reason}" if told.ran else f"did not run: {told.reason}"
    yield Line(said, "good" if told.ran else "warn")
    if told.pipeline is not None:
        yield from pipeline(told.pipeline)
    if told.next_at is not None:
        yield Pairs((("next", time_cell(told.next_at)),))


def status(told: UpkeepStatus) -> Iterator[Block]:
    run = told.run
    waiting = ", ".join(f"{number:,} {kind}" for kind, number in told.waiting.items()) or "nothing"
    pairs = [("space", cell(told.space, "name")), ("running", cell("yes" if told.running else "no"))]
    if run is not None:
        pairs += [("began", time_cell(run.started_at)), ("ended", time_cell(run.ended_at))]
        if told.running and run.steps:
            pairs.append(("at", cell(f"{run.left[0].value if run.left else 'the end'}, {run.step:,} of {run.steps:,}")))
    pairs += [("next", time_cell(told.next_at) if told.next_at else cell("now")), ("waiting", cell(waiting))]
    yield Pairs(tuple(pairs))
    if run is not None and run.done:
        yield _agents(run.done)


def items(found: Sequence[ReviewItem]) -> Rows:
    columns = (
        TableColumn("id"),
        TableColumn("kind"),
        TableColumn("urgency"),
        TableColumn("action"),
        TableColumn("why", main=True),
        TableColumn("status"),
        TableColumn("about", roomy=True),
    )
    rows = tuple(
        (
            Cell(one.id, one.id, "name"),
            cell(one.kind.value),
            cell(one.urgency.value, _URGENCY[one.urgency]),
            cell(one.action),
            cell(one.reason),
            cell(one.status.value + (f" by {one.worker}" if one.status is ReviewStatus.CLAIMED else "")),
            cell(count(len(one.concerns), "thing")),
        )
        for one in found
    )
    return Rows(columns, rows, "nothing waits")


def item(one: ReviewItem) -> Iterator[Block]:
    yield Line(f"{one.kind.value}: {one.action}, {one.status.value}", _URGENCY[one.urgency])
    proposal = ", ".join(f"{name} {value}" for name, value in one.proposal.items())
    pairs = [
        ("id", Cell(one.id, one.id, "name", roomy=True)),
        ("urgency", cell(one.urgency.value)),
        ("why", cell(one.reason)),
        ("memories", cell(", ".join(one.memory_ids))),
        ("entities", cell(", ".join(one.entity_ids))),
        ("applying it", cell(proposal or "is left to you")),
        ("made", time_cell(one.created_at)),
        ("worker", cell(one.worker)),
        ("until", time_cell(one.lease_until)),
        ("note", cell(one.note)),
        ("undo", cell(f"treering undo {one.seq}" if one.seq else None)),
    ]
    yield Pairs(tuple((name, value) for name, value in pairs if value.whole()))


def reviewed(done: Reviewed) -> Iterator[Block]:
    yield Line("applied" if done.changed else "was done already; closed", "good", for_people=True)
    yield from item(done.item)


def issues(found: Sequence[Issue]) -> Rows:
    columns = (
        TableColumn("id"),
        TableColumn("label"),
        TableColumn("urgency"),
        TableColumn("action", main=True),
        TableColumn("status"),
    )
    rows = tuple(
        (
            Cell(one.id, one.id, "name"),
            cell(", ".join(one.labels)),
            cell(one.urgency),
            cell(one.action),
            cell(one.status),
        )
        for one in found
    )
    return Rows(columns, rows, "none")
