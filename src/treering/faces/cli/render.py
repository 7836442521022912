"""What is shown of an answer? From results of the door to blocks.

An answer that has no drawing of its own is shown as pairs of its fields, so that a new operation can be read at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from treering.access.audit import AuditPage
from treering.access.grants import Grant
from treering.access.keys import ApiKey
from treering.door import Diagnosis, Status
from treering.exchange.backups import BackupFound
from treering.exchange.vault.importing import VaultImported
from treering.exchange.vault.index import Indexed
from treering.exchange.vault.unified import Unified
from treering.exchange.webhooks.kept import AddedWebhook, DeadLetter, Webhook
from treering.faces.cli import found, kept, looked, safe, served, tended, through_time, vaults, walks
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
    time_cell,
    window_cell,
)
from treering.faces.cli.headline import count, reembedded, said, standing, worked_off
from treering.graph.beliefs import Beliefs
from treering.graph.contradictions import Contradiction
from treering.graph.diff import Diff
from treering.graph.facts import Asserted, Fact
from treering.graph.happened import Happenings
from treering.graph.history import History, HistoryEvent
from treering.graph.journal_lines import JournalPage
from treering.graph.lineage import Lineage
from treering.graph.links import Linked
from treering.graph.moments import Moments
from treering.graph.overview import Overview
from treering.graph.paths import Path
from treering.graph.profile import Profile
from treering.graph.relation_table import RelationRow
from treering.graph.support import Stale
from treering.graph.taxonomy import Branch
from treering.graph.timeline import Timeline as NodeTimeline
from treering.graph.walk import Walked
from treering.ingest.advise.advice import RecallAdvice, SaveAdvice
from treering.ingest.jobs import WorkedOff
from treering.ingest.receipt import Receipt, Remembered
from treering.model.edge import LIKELY
from treering.model.entity import Entity
from treering.model.identity import Attestation
from treering.model.job import Job, JobStatus
from treering.model.memory import Memory, State
from treering.model.review import ReviewItem
from treering.model.space import SignerInfo, SpaceInfo
from treering.model.time import to_text
from treering.model.value import Value
from treering.recall.answer import Answer, Context, WhyNot
from treering.recall.listing import Facets, Page
from treering.recall.source_text import SourceText
from treering.store.verify import Verification
from treering.upkeep.agents.contract import AgentRun
from treering.upkeep.beads import Issue
from treering.upkeep.cluster import Clustering
from treering.upkeep.consolidate import Consolidation
from treering.upkeep.expire import Expired
from treering.upkeep.forget import Forgetting
from treering.upkeep.gc import Collected
from treering.upkeep.health import Health
from treering.upkeep.hold import Hold
from treering.upkeep.profile import WrittenProfile
from treering.upkeep.promote import Promoted
from treering.upkeep.reembed import Reembedded
from treering.upkeep.review import Reviewed
from treering.upkeep.scheduler import PipelineRun, Scheduled, UpkeepStatus
from treering.upkeep.use import Observation, Score, Touched

_STATES: dict[State, Tone] = {State.ACTIVE: "good", State.PROMOTED: "good", State.FORGOTTEN: "warn"}
_STANDINGS: dict[JobStatus, Tone] = {
    JobStatus.COMPLETED: "good",
    JobStatus.PARTIAL: "warn",
    JobStatus.FAILED: "bad",
    JobStatus.CANCELLED: "quiet",
}


def rendered(result: Any) -> list[Block]:
    """The blocks of an answer, by the nearest kind there is a drawing for."""
    drawing = next(_DRAWINGS[kind] for kind in type(result).__mro__ if kind in _DRAWINGS)
    return list(drawing(result))


# lists


def _list(items: Sequence[Any]) -> Iterator[Block]:
    match items[:1]:
        case [Contradiction()]:
            yield from through_time.contradictions(items)
        case [Stale()]:
            yield from through_time.stale(items)
        case [first] if type(first) in _TABLES:
            yield _TABLES[type(first)](items)
        case _:
            yield Rows((TableColumn("", main=True),), tuple((_any_cell(one),) for one in items), "none")


def _page(page: Page) -> Iterator[Block]:
    many = len({memory.space for memory in page}) > 1
    columns = (
        TableColumn("id"),
        TableColumn("state"),
        TableColumn("content", main=True),
        TableColumn("holds"),
        TableColumn("space", roomy=not many),
    )
    rows = tuple(
        (
            id_cell(one.id),
            cell(one.state.value, _STATES.get(one.state, "quiet")),
            cell(one.content),
            window_cell(one.valid_from, one.valid_until),
            cell(one.space, "quiet"),
        )
        for one in page
    )
    yield Rows(columns, rows, "no memory matches")
    if page.next:
        yield Line(f"more: --cursor {page.next}", "quiet", for_people=True, names_options=True)


_FACT_COLUMNS = (
    TableColumn("subject", main=True),
    TableColumn("relation", main=True),
    TableColumn("object", main=True),
    TableColumn("holds"),
    TableColumn("closed by"),
    TableColumn("evidence", roomy=True),
    TableColumn("id"),
    TableColumn("vouched for", roomy=True),
    TableColumn("doubt"),
)


def _doubt(confidence: float) -> Cell:
    """What is less than likely is no more than a guess."""
    return cell("") if confidence >= LIKELY else cell(f"perhaps, {confidence:.2f}", "warn")


def _facts(facts: Iterable[Fact]) -> Rows:
    rows = (
        (
            cell(one.subject, "name"),
            cell(one.relation),
            cell(one.object, "name"),
            window_cell(one.valid_from, one.valid_until),
            cell(one.closed_by, "warn"),
            id_cell(one.memory_id),
            id_cell(one.id),
            cell(one.attestation.value, "good" if one.attestation is not Attestation.UNSIGNED else "quiet"),
            _doubt(one.confidence),
        )
        for one in facts
    )
    return Rows(_FACT_COLUMNS, tuple(rows), "none")


def _entities(entities: Sequence[Entity]) -> Rows:
    many = len({one.space for one in entities}) > 1
    columns = (
        TableColumn("id"),
        TableColumn("name", main=True),
        TableColumn("kind"),
        TableColumn("also called", main=True),
        TableColumn("known since"),
        TableColumn("evidence", roomy=True),
        TableColumn("space", roomy=not many),
    )
    rows = (
        (
            id_cell(one.id),
            cell(one.name, "name"),
            cell(one.kind),
            cell(", ".join(one.aliases)),
            time_cell(one.recorded_at),
            id_cell(one.memory_id),
            cell(one.space, "quiet"),
        )
        for one in entities
    )
    return Rows(columns, tuple(rows), "none")


def _spaces(spaces: Sequence[SpaceInfo]) -> Rows:
    columns = (TableColumn("space", main=True), TableColumn("entries"), TableColumn("made"), TableColumn("changed"))
    rows = tuple((cell(s.name, "name"), cell(s.seq), time_cell(s.created_at), time_cell(s.changed_at)) for s in spaces)
    return Rows(columns, rows, "none")


def _signers(signers: Sequence[SignerInfo]) -> Rows:
    columns = (
        TableColumn("actor", main=True),
        TableColumn("key", main=True),
        TableColumn("since"),
        TableColumn("space"),
    )
    rows = ((cell(s.actor, "name"), cell(s.public_key), time_cell(s.since), cell(s.space, "quiet")) for s in signers)
    return Rows(columns, tuple(rows), "none")


def _jobs(jobs: Sequence[Job]) -> Rows:
    columns = (
        TableColumn("id"),
        TableColumn("status"),
        TableColumn("done"),
        TableColumn("asked"),
        TableColumn("stage", roomy=True),
        TableColumn("attempts", roomy=True),
        TableColumn("trouble", main=True),
    )
    rows = (
        (
            cell(one.id, "quiet"),
            cell(one.status.value, _STANDINGS.get(one.status, "plain")),
            cell(f"{one.done}/{one.of}"),
            time_cell(one.created_at),
            cell(one.stage and one.stage.value),
            cell(one.attempts),
            cell("; ".join(error.message or error.code for error in one.errors)),
        )
        for one in jobs
    )
    return Rows(columns, tuple(rows), "none")


# what was written


def _receipt(receipt: Receipt) -> Iterator[Block]:
    yield from said(receipt)
    for memory in receipt.memories[:20]:
        yield _remembered(memory)
    if len(receipt.memories) > 20:
        yield Line(f"and {len(receipt.memories) - 20:,} more", "quiet", for_people=True)
    if receipt.superseded:
        yield Pairs(tuple(("took the place of", Cell(one, one, "warn", roomy=True)) for one in receipt.superseded))
    yield from _also(receipt)


def _also(receipt: Receipt) -> Iterator[Block]:
    """What else a remembering did, and what it did not."""
    told = [
        *(("ended", f"{one.source} {one.relation} {one.target} ({one.rule})") for one in receipt.closed),
        *(("said again", one.memory_id) for one in receipt.duplicates),
        *(("conflict", f"{one.memory_id} with {one.other_id}: {one.why}") for one in receipt.conflicts),
        *(("may be one", one.why) for one in receipt.possible_same),
        *(
            ("kept only as said", f"{one.source_id} [{one.span[0]}:{one.span[1]}], {one.why}")
            for one in receipt.skipped
        ),
        *(("note", one) for one in receipt.notes),
        *((("read by", f"{receipt.extractor}: {receipt.trouble}"),) if receipt.trouble else ()),
    ]
    if told:
        yield Pairs(tuple((name, cell(text)) for name, text in told[:40]))
    if not receipt.memories and not told:
        yield Pairs((("memories", cell("none")),))


def _remembered(memory: Remembered) -> Pairs:
    pairs = [("memory", Cell(memory.id, memory.id, "name", roomy=True)), ("content", cell(memory.content))]
    if memory.entities:
        names = ", ".join(one.name + (" (new)" if one.created else "") for one in memory.entities)
        pairs.append(("mentions", cell(names)))
    pairs += [("states", cell(f"{one.subject} {one.relation} {one.object}")) for one in memory.triples]
    pairs.append(("holds", window_cell(memory.valid_from, memory.expires_at)))
    return Pairs(tuple(pairs))


def _asserted(asserted: Asserted) -> Iterator[Block]:
    yield from said(asserted)
    yield _facts(asserted.facts)


def _reembedded(done: Reembedded) -> Iterator[Block]:
    yield Line(reembedded(done), "good" if done.complete else "warn", for_people=True)
    yield _pairs(done)


def _job(job: Job) -> Iterator[Block]:
    yield Line(standing(job), _STANDINGS.get(job.status, "plain"), for_people=True)
    yield _pairs(job)


def _worked_off(done: WorkedOff) -> Iterator[Block]:
    yield Line(worked_off(done), "warn" if done.failed or done.partial else "good", for_people=True)
    yield _pairs(done)


def _linked(linked: Linked) -> Iterator[Block]:
    yield from said(linked)
    yield _pairs(linked.edge)


def _advice(advice: SaveAdvice | RecallAdvice) -> Iterator[Block]:
    tone: Tone = "good" if advice.decision in ("save", "search") else "warn" if advice.decision == "ask" else "quiet"
    yield Line(f"{advice.decision}, confidence {advice.confidence:.2f}", tone, for_people=True)
    yield _pairs(advice)


def _profile(told: WrittenProfile) -> Iterator[Block]:
    """The text and nothing else, so that it can be piped."""
    if told.text:
        yield from (Line(line) for line in told.text.split("\n"))
    elif told.left_out:
        yield Line(f"nothing that holds fits into {count(told.budget_tokens, 'token')}", "warn")
    else:
        yield Line("nothing is known that holds", "quiet")


# a single thing


def _memory(memory: Memory) -> Iterator[Block]:
    yield Line(memory.content, "strong")
    yield _pairs(memory, but=("content", "span"))


def _value(value: Value) -> Iterator[Block]:
    yield from said(value)
    yield _pairs(value, but=("dry_run",))


def _mapping(mapping: dict[str, Any]) -> Iterator[Block]:
    yield Pairs(tuple((str(name), _any_cell(value)) for name, value in mapping.items()))


def _pairs(value: Value, but: tuple[str, ...] = ()) -> Pairs:
    """Fields that say something; empty ones are left out."""
    named = ((name, getattr(value, name)) for name in value.__dataclass_fields__ if name not in but)
    return Pairs(tuple((name.replace("_", " "), _any_cell(one)) for name, one in named if not _says_nothing(one)))


def _says_nothing(value: Any) -> bool:
    return value is None or (isinstance(value, str | tuple | list | dict) and not value) or value == {}


def _any_cell(value: Any) -> Cell:
    match value:
        case State():
            return cell(value.value, _STATES.get(value, "quiet"))
        case tuple() | list():
            return cell(", ".join(_any_cell(one).whole() for one in value))
        case Value():
            return cell(", ".join(f"{name} {one.whole()}" for name, one in _pairs(value).pairs))
        case bool():
            return cell("yes" if value else "no")
        case dict():
            return cell(", ".join(f"{name} {_any_cell(one).whole() or 'none'}" for name, one in value.items()))
        case str() if not value.isprintable():
            return Cell(value, value)
    return cell(getattr(value, "value", value))


def _history(history: History) -> Iterator[Block]:
    state = f", {history.state}" if history.state else ""
    vouched = f", {history.attestation.value}" if history.attestation else ""
    yield Line(f"{history.thing.value} {history.id}{state}{vouched}", "strong", for_people=True)
    yield TimelineRows(tuple(_happening(event) for event in history.events))
    for title, ids in (("took the place of", history.supersedes), ("was replaced by", history.superseded_by)):
        if ids:
            yield Line(f"{title}: {', '.join(ids)}", "warn", for_people=True)


def _happening(event: HistoryEvent) -> TimelineRow:
    rule = f", by the rule {event.rule}" if event.rule else ""
    notes = [f"{event.op} by {event.actor}, entry {event.seq}{rule}"]
    notes += [f"undone by entry {event.undone_by}"] if event.undone_by else []
    notes += [f"evidence: {event.evidence}"] if event.evidence else []
    notes += [f"why: {event.why}"] if event.why else []
    record = (event.at, event.seq, event.actor, event.op, event.type, event.what, event.rule, event.evidence, event.why)
    texts = (to_text(event.at), *("" if one is None else str(one) for one in record[1:]))
    return TimelineRow(time_cell(event.at), event.what, tuple(notes), texts)


# how it stands


def _status(status: Status) -> Iterator[Block]:
    counts = ", ".join(f"{number:,} {state}" for state, number in status.memories.items() if number) or "none yet"
    yield Pairs(
        (
            ("treering", cell(status.version)),
            ("space", cell(status.space, "name")),
            ("memories", cell(counts, "good" if counts != "none yet" else "quiet")),
            ("entities", cell(f"{status.entities:,}")),
            ("edges", cell(f"{status.edges:,}")),
            ("journal", cell(f"{count(status.seq, 'entry', 'entries')}, head {status.head_hash[:16] or 'none'}")),
            ("changed", time_cell(status.changed_at)),
            ("spaces", cell(f"{status.spaces:,}")),
            ("store", cell(", ".join(f"{name} {value}" for name, value in status.store.items()))),
        )
    )


def _verification(found: Verification) -> Iterator[Block]:
    if found.ok:
        yield Line("✓ everything holds together", "good")
    else:
        yield Line(f"✗ {count(len(found.differences), 'difference')} found", "bad")
    yield from (Line(str(one), "bad") for one in (*found.differences, *found.tampered))
    signed = sum(number for level, number in found.signatures.items() if level != "unsigned")
    told = [("spaces", cell(f"{len(found.spaces):,}"))]
    if found.rows is None or found.purged_changes is None:  # a server tells them to admins
        yield Pairs((*told, ("entries", cell(f"{found.entries:,} chained by hash"))))
        return
    yield Pairs(
        (
            *told,
            ("entries", cell(f"{found.entries:,} chained by hash, {signed:,} signed")),
            ("edges", cell(", ".join(f"{number:,} {level}" for level, number in found.edges.items()))),
            ("rows", cell(f"{found.rows:,} compared with a replay of the journal")),
            ("purged", cell(f"{count(found.purged_changes, 'change')} removed, the chain whole without them")),
        )
    )


def _diagnosis(diagnosis: Diagnosis) -> Iterator[Block]:
    yield from _verification(diagnosis.before)
    if diagnosis.trouble is not None:
        yield Line(diagnosis.trouble, "bad")
    if diagnosis.set_aside is not None:
        yield Line(f"the whole file was made anew; the damaged one is {diagnosis.set_aside}", "warn")
    if diagnosis.lost:
        yield Line(f"not all could be read of: {', '.join(diagnosis.lost)}", "warn")
    if diagnosis.after is not None:
        yield Line(f"mended from the journal: {', '.join(diagnosis.repaired)}", "warn")
        yield from _verification(diagnosis.after)


_TABLES: dict[type, Callable[[Sequence[Any]], Rows]] = {
    Fact: _facts,
    Entity: _entities,
    SpaceInfo: _spaces,
    SignerInfo: _signers,
    RelationRow: walks.relations,
    Path: walks.paths,
    Job: _jobs,
    ReviewItem: tended.items,
    Issue: tended.issues,
    Score: kept.scores,
    ApiKey: served.keys,
    Grant: served.grants,
    BackupFound: safe.backups,
    Hold: safe.holds,
    Webhook: served.webhooks,
    DeadLetter: served.letters,
}
"""What a list is drawn as, by what it is a list of."""
_DRAWINGS: dict[type, Callable[[Any], Iterable[Block]]] = {
    Page: _page,
    Answer: found.answer,
    Context: found.context,
    WhyNot: found.why_not,
    Memory: _memory,
    Receipt: _receipt,
    Asserted: _asserted,
    Linked: _linked,
    WrittenProfile: _profile,
    Unified: vaults.unified,
    Indexed: vaults.indexed,
    VaultImported: vaults.imported,
    SaveAdvice: _advice,
    RecallAdvice: _advice,
    Reembedded: _reembedded,
    Touched: kept.touched,
    Observation: kept.observation,
    Forgetting: kept.forgetting,
    Collected: kept.collected,
    Promoted: kept.promoted,
    Expired: kept.expired,
    Health: kept.health,
    Clustering: tended.clustering,
    Consolidation: tended.consolidation,
    AgentRun: tended.agent_run,
    PipelineRun: tended.pipeline,
    Scheduled: tended.scheduled,
    UpkeepStatus: tended.status,
    ReviewItem: tended.item,
    Reviewed: tended.reviewed,
    Job: _job,
    WorkedOff: _worked_off,
    History: _history,
    NodeTimeline: through_time.timeline,
    Profile: through_time.profile,
    Diff: through_time.diff,
    Lineage: through_time.lineage,
    Branch: through_time.taxonomy,
    Walked: walks.walked,
    Status: _status,
    Verification: _verification,
    Diagnosis: _diagnosis,
    Happenings: served.happenings,
    AuditPage: served.audit,
    Moments: looked.moments,
    Beliefs: looked.beliefs,
    JournalPage: looked.journal,
    Facets: looked.facets,
    Overview: looked.overview,
    SourceText: looked.source,
    AddedWebhook: served.added_webhook,
    Value: _value,
    list: _list,
    tuple: _list,
    dict: _mapping,
    object: lambda other: [Line(str(other))],
}
