"""What happened, in one line? The sentence above an answer that wrote something."""

from __future__ import annotations

from collections.abc import Iterator

from treering.exchange.journal import Exported, Imported
from treering.faces.cli.blocks import Line
from treering.graph.attest import Vouched
from treering.graph.entities import Merge, Registration
from treering.graph.facts import Asserted
from treering.graph.links import Linked, Unlinked, WindowMoved
from treering.ingest.jobs import WorkedOff
from treering.ingest.receipt import Receipt
from treering.ingest.undo import Undone
from treering.keyfile import KeyFile
from treering.model.job import Job, JobStatus
from treering.model.value import Value
from treering.upkeep.expire import Expired
from treering.upkeep.forget import Archived, Forgetting, Hidden
from treering.upkeep.gc import Collected
from treering.upkeep.promote import Promoted
from treering.upkeep.purge import PurgeReport
from treering.upkeep.reembed import NOTHING, Reembedded
from treering.upkeep.use import Observation, Touched


def said(result: Value) -> Iterator[Line]:
    """What happened, in one line."""
    told, dry = headline(result), getattr(result, "dry_run", False)
    if dry:
        yield Line("dry run, nothing was written" + (f": {told}" if told else ""), "warn", for_people=False)
    elif told:
        yield Line(told, "good", for_people=True)


def headline(result: Value) -> str:  # noqa: PLR0912  one arm a kind of answer
    match result:
        case Receipt():
            if result.repeated:
                return "remembered before; nothing was written"
            return (
                f"remembered {count(len(result.memories), 'memory', 'memories')} in {result.space}, entry {result.seq}"
            )
        case Undone():
            lists = (result.forgotten, result.reopened, result.restored, result.split, result.relations)
            taken_back = sum(len(one) for one in lists)
            stays = f"{count(len(result.kept), 'memory', 'memories')} said again: undo that telling too"
            kept = f"; kept {stays}" if result.kept else ""
            if result.changed:
                return f"undone: {count(taken_back, 'change')} taken back{kept}"
            return f"nothing undone{kept}" if kept else "was undone already"
        case Hidden():
            done = "forgotten" if result.forgotten else "restored"
            return f"{done}, with {count(len(result.edges), 'edge')}" if result.changed else f"was {done} already"
        case Archived():
            return "archived" if result.changed else "was archived already"
        case Forgetting():
            what = count(len(result.matches), "memory", "memories")
            return (
                f"forgotten: {what}, with {count(len(result.edges), 'edge')}"
                if result.forgotten
                else f"would forget {what}"
            )
        case Touched():
            return "used once more"
        case Observation():
            across = f", {result.cross_domain_count:,} in another domain" if result.cross_domain_count else ""
            return f"{count(result.count, 'memory was', 'memories were')} of use{across}"
        case Collected():
            what = "archived" if result.archived or not result.forgotten else "forgotten"
            return f"{what} {count(len(result.ids), 'faded memory', 'faded memories')}"
        case Promoted():
            return f"promoted {count(len(result.promoted_ids), 'memory', 'memories')}"
        case Expired():
            archived = sum(len(ids) for ids in result.archived.values())
            return f"{count(result.expired, 'memory', 'memories')} expired, {archived:,} archived"
        case PurgeReport():
            return _purged(result)
        case Asserted():
            closed = f", {count(len(result.closed), 'older one')} closed" if result.closed else ""
            return f"stated {count(len(result.facts), 'fact')}{closed}"
        case Linked():
            return "linked" if result.created else "was linked already"
        case Unlinked():
            return "unlinked" if result.changed else "was unlinked already"
        case WindowMoved():
            return "the window was moved" if result.changed else "the window was so already"
        case Registration():
            return (
                "registered" if result.created else f"known already, {count(len(result.aliases_added), 'name')} added"
            )
        case Vouched():
            return "vouched for" if result.changed else "was vouched for already"
        case KeyFile():
            return "a new key was made" if result.created else "the key that was made before"
        case Merge():
            return "done" if result.changed else "it was so already"
        case Exported():
            return f"exported {count(result.entries, 'entry', 'entries')}"
        case Imported():
            return f"took in {count(result.added, 'entry', 'entries')}, {result.skipped:,} were here already"
    return ""


def reembedded(done: Reembedded) -> str:
    if done.embedder == NOTHING:
        return f"nothing reads {done.space} for meaning " + ("any more" if done.switched else "here; nothing was done")
    read = f"{done.embedder} read {count(done.read, 'memory or name', 'memories and names')}"
    if not done.complete:
        return f"{read}, {done.left:,} left; the same command goes on"
    if done.switched:
        return f"{read}, and {done.space} is read by it from now on"
    return f"{read}, and so all of {done.space}" if done.read else f"{done.embedder} had read all of {done.space}"


def worked_off(done: WorkedOff) -> str:
    told = [f"{getattr(done, name):,} {name}" for name in done.__dataclass_fields__ if getattr(done, name)]
    return f"jobs: {', '.join(told)}" if told else "no job was ready"


def standing(job: Job) -> str:
    if job.stop_asked and not job.ended:
        return "asked to stop; it ends after the source that it is at"
    if job.status is JobStatus.FAILED and job.holds_words:
        return "failed, with its words still held: retry-job tries again, cancel-job lets them go"
    return f"{job.status.value}, {job.done:,} of {count(job.of, 'source')} done"


def count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _purged(report: PurgeReport) -> str:
    only = not report.memories and report.sources
    told = [f"purged {'a source' if only else count(len(report.memories), 'memory', 'memories')}"]
    if report.restored:
        told.append(f"{count(len(report.restored), 'memory', 'memories')} that it stood for came back")
    if report.probed and not report.remains:
        told.append(f"nothing of it is found in {report.probed} tables")
    if report.remains:
        told.append(f"something of it is still in {', '.join(report.remains)}: run `treering doctor --repair`")
    if report.notes_removed:
        told.append(f"{count(len(report.notes_removed), 'note')} of the vault went too")
    if report.notes_left:
        told.append(f"look at {', '.join(report.notes_left[:3])}: it may still be written there")
    if not report.scrubbed and not report.dry_run:
        told.append("a reader elsewhere holds old pages, the bytes go at the next open or purge")
    return "; ".join(told)
