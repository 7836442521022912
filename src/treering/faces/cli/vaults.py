"""What is shown of a vault? Its notes beside memories, and what became of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treering.exchange.vault.importing import VaultImported
from treering.exchange.vault.index import Indexed
from treering.exchange.vault.place import Unread
from treering.exchange.vault.unified import Unified, UnifiedHit
from treering.faces.cli.blocks import Block, Cell, Line, Pairs, TimelineRow, TimelineRows, cell, short_time
from treering.faces.cli.headline import count

UNREAD_SHOWN = 20


def unified(found: Unified) -> Iterator[Block]:
    if found.results:
        yield TimelineRows(tuple(_hit(rank, hit) for rank, hit in enumerate(found.results, 1)))
    else:
        yield Line("nothing is known about that", "quiet", for_people=True)
    if found.vault is None:
        yield Line("no vault is set, only memories were searched: --vault FOLDER, or TREERING_VAULT", "quiet", True)
    yield from _unread(found.unread)


def _hit(rank: int, hit: UnifiedHit) -> TimelineRow:
    named = hit.title if hit.kind == "note" else None
    where = f"{named} > {hit.heading}" if named and hit.heading else named
    what = f"{where}: {hit.content}" if where else hit.content
    about = [hit.kind, f"{hit.score:.2f}", *([short_time(hit.at)] if hit.at else [])]
    notes = [" · ".join(about), *(one for one in (hit.id, hit.path) if one)]
    record = (str(rank), hit.kind, f"{hit.score:.4f}", hit.id or "", hit.path or "", what)
    return TimelineRow(Cell(f"{rank}", tone="quiet"), what, tuple(notes), record)


def indexed(done: Indexed) -> Iterator[Block]:
    told = f"{count(done.notes, 'note')} in {count(done.sections, 'section')}: {done.read:,} read anew"
    yield Line(f"{told}, {done.unchanged:,} unchanged, {done.removed:,} gone", "good", for_people=True)
    pairs = [
        (name, cell(getattr(done, name))) for name in ("vault", "notes", "sections", "read", "removed", "unchanged")
    ]
    yield Pairs((*pairs, ("embedded", cell(done.embedded))))
    yield from _unread(done.unread)


def imported(done: VaultImported) -> Iterator[Block]:
    taken = f"took in {count(done.added, 'note')} as {count(done.memories, 'memory', 'memories')}"
    told = f"{taken}, {done.unchanged:,} were known as they are"
    dry = f"dry run, nothing was written: {told}" if done.dry_run else told
    yield Line(dry, "warn" if done.dry_run else "good", for_people=not done.dry_run)
    names = ("vault", "space", "notes", "added", "unchanged", "own", "empty", "memories", "superseded")
    pairs = [(name, cell(getattr(done, name))) for name in names]
    if done.seqs:
        pairs.append(("undo", cell(f"treering undo {','.join(map(str, done.seqs))}")))
    yield Pairs(tuple(pairs))
    yield from _unread(done.unread)


def _unread(unread: Sequence[Unread]) -> Iterator[Block]:
    for one in unread[:UNREAD_SHOWN]:
        yield Line(f"not read: {one.path}: {one.why}", "warn")
    if len(unread) > UNREAD_SHOWN:
        yield Line(f"and {len(unread) - UNREAD_SHOWN:,} more were not read", "warn")
