"""HOW are notes remembered? Each is a source, word for word, with a memory a section, known by its path and content.

A note that changed adds what is new in it: a section that says the same stays, and what now stands under a heading
takes the place of what stood there. Nothing is read by a model here.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from treering.ingest.add import NOTHING_READ, Adding
from treering.ingest.draft import Draft, DraftEntity
from treering.ingest.files.read import packed
from treering.ingest.reading import Reading
from treering.language.sections import Section
from treering.model import limits
from treering.model.changes import Changes
from treering.model.memory import Memory, MemoryRecord, View, Visibility
from treering.model.source import FROM_NOTE, SourceKind
from treering.store.contract import Act, MemoryFilter, Reader

IMPORTANCE = 0.5
"""A note is text that somebody kept; a statement about somebody weighs more."""
_BETWEEN = " > "


@dataclass(frozen=True, slots=True)
class NoteText:
    """A note as it is told to be remembered. `names`: what it links to, and where; 0 is about all of it."""

    path: str
    hash: str
    text: str
    title: str
    sections: Sequence[Section]
    tags: Sequence[str]
    names: Sequence[tuple[int, str]]
    written_at: datetime
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NotesAdded:
    """What became of some notes."""

    added: int = 0
    unchanged: int = 0
    empty: int = 0
    memories: int = 0
    superseded: int = 0
    seqs: tuple[int, ...] = ()
    dry_run: bool = False

    def and_one(self, added: bool, memories: int, superseded: int) -> NotesAdded:
        return replace(
            self,
            added=self.added + added,
            unchanged=self.unchanged + (not added),
            memories=self.memories + memories,
            superseded=self.superseded + superseded,
        )


def new_among(reader: Reader, notes: Sequence[NoteText], given: Draft, actor: str) -> list[NoteText]:
    """Those that are not known as they are."""
    return [note for note in notes if any(reader.source_by_key(key) is None for key, _ in _parts(note, given, actor))]


def drafts_of(notes: Sequence[NoteText], given: Draft) -> list[Draft]:
    return [_draft(note, one, given) for note in notes for one in note.sections]


def add_notes(
    act: Act, notes: Sequence[NoteText], given: Draft, reading: Reading = NOTHING_READ
) -> tuple[Changes, NotesAdded]:
    """`given` is what the caller says of all of them: tags, meta, who may see it."""
    adding, done = Adding(act), NotesAdded()
    for note in notes:
        if not note.sections:
            done = replace(done, empty=done.empty + 1)
            continue
        new = [part for part in _parts(note, given, act.writer.actor) if act.reader.source_by_key(part[0]) is None]
        written = [_add_part(adding, note, key, part, given) for key, part in new]
        done = done.and_one(bool(new), sum(one for one, _ in written), sum(one for _, one in written))
    seqs = (act.reader.head.seq + 1,) if adding.changes else ()
    return adding.whole("import_vault", reading), replace(done, seqs=seqs)


Part = tuple[int, int, list[Section]]


def _parts(note: NoteText, given: Draft, actor: str) -> Iterator[tuple[str, Part]]:
    """A note of more than a source may hold is several. What is private is known to its owner alone."""
    whose = (given.observed_by or actor) if given.visibility is Visibility.PRIVATE else ""
    digest = hashlib.sha256("\0".join((note.path, note.hash, whose)).encode()).hexdigest()[:40]
    if note.sections:
        for number, part in enumerate(packed(note.text, note.sections)):
            yield f"note:{digest}:{number}", part


def _add_part(adding: Adding, note: NoteText, key: str, part: Part, given: Draft) -> tuple[int, int]:
    """How many memories it brings, and how many it takes the place of."""
    start, end, held = part
    meta = {**(given.meta or {}), FROM_NOTE: note.path}
    before = _before(adding.act.reader, note, held)
    # what is known of it already was said before this version was written, however old the note is
    said_at = note.written_at if before else note.created_at or note.written_at
    about = replace(given, source_kind=SourceKind.NOTE, key=key, at=said_at, meta=meta)
    source = adding.source(about, note.text[start:end])
    fresh: dict[str, list[MemoryRecord]] = defaultdict(list)
    for one in held:
        draft = replace(_draft(note, one, given), meta=meta, key=None)
        stays = before[draft.title or ""].pop(draft.content, None)
        if stays is None:
            fresh[draft.title or ""].append(adding.memory(source, draft, (one.start - start, one.end - start)))
    gone = 0
    for title, old in before.items():
        for memory in old.values() if fresh[title] else ():
            adding.supersede(fresh[title][0], memory, "note changed")
            gone += 1
    return sum(map(len, fresh.values())), gone


def _before(reader: Reader, note: NoteText, held: Sequence[Section]) -> dict[str, dict[str, Memory]]:
    """What is known from this note, by heading and by content."""
    found: dict[str, dict[str, Memory]] = defaultdict(dict)
    for title in dict.fromkeys(_title(note, one) for one in held):
        for memory in reader.memories(MemoryFilter(view=View.CURRENT, title=title)):
            if memory.meta.get(FROM_NOTE) == note.path:
                found[title][memory.content] = memory
    return found


def _draft(note: NoteText, one: Section, given: Draft) -> Draft:
    names = dict.fromkeys(name for place, name in note.names if place == 0 or one.start <= place < one.end)
    tags = dict.fromkeys((*given.tags, *note.tags))
    return replace(
        given,
        content=note.text[one.start : one.end],
        title=_title(note, one),
        context=note.path[-limits.CONTEXT_CHARS :],
        tags=tuple(tags)[: limits.TAGS],
        importance=IMPORTANCE,
        entities=tuple(DraftEntity(name) for name in list(names)[: limits.ENTITIES_OF_A_MEMORY]),
    )


def _title(note: NoteText, one: Section) -> str:
    title = _BETWEEN.join((note.title, *(part for part in one.path if part != note.title)))
    return title if len(title) <= limits.TITLE_CHARS else "…" + title[1 - limits.TITLE_CHARS :]
