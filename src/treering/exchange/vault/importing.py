"""WHAT of a vault is to be remembered? Its notes, read and taken apart, in the words of whoever remembers them; those
that were written for memories are known by these, and left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime
from typing import Any

from treering.exchange.vault.note import Note, hash_of, read_note
from treering.exchange.vault.place import Seen, Unread, Unreadable, Vault
from treering.language.masking import Masking
from treering.model.value import Value
from treering.values import dataclass


@dataclass(slots=True)
class NotesRead:
    """Some notes; `own` is how many more were written for memories."""

    notes: list[dict[str, Any]] = field(default_factory=list)
    own: int = 0
    unread: list[Unread] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class VaultImported(Value):
    """What became of the notes of a vault."""

    vault: str
    space: str
    notes: int = 0
    added: int = 0
    """Notes that were not known, or said something else."""
    unchanged: int = 0
    own: int = 0
    """Notes that were written for memories, and are known by these."""
    empty: int = 0
    memories: int = 0
    superseded: int = 0
    """Memories whose place is taken by what their note says now."""
    unread: tuple[Unread, ...] = ()
    masked: dict[str, int] = field(default_factory=dict)
    """Secrets by kind."""
    seqs: tuple[int, ...] = ()
    """The journal's entries, for `undo`."""
    dry_run: bool = False

    def with_part(self, read: NotesRead, written: Mapping[str, Any]) -> VaultImported:
        """And what became of some more: as they were read, and as they were written."""
        more = {**written, "own": read.own, "unread": tuple(read.unread), "notes": len(read.notes) + read.own}
        added = {name: getattr(self, name) + value for name, value in more.items() if name != "dry_run"}
        return replace(self, **added)


def read_notes(vault: Vault, seen: Sequence[Seen], masking: Masking) -> NotesRead:
    read = NotesRead()
    for one in seen:
        try:
            note = _masked(read_note(one.path, vault.read(one)), masking)
        except Unreadable as error:
            read.unread.append(Unread(one.path, str(error)))
            continue
        if note.memory_id is not None:
            read.own += 1
        else:
            read.notes.append(_told(note, one))
    return read


def _masked(note: Note, masking: Masking) -> Note:
    """Its front matter by itself: what stands in the place of a secret may be no YAML."""
    front, body = masking.value((note.text[: note.body], note.text[note.body :]))
    path = masking.text(note.path)
    if (path, front + body) == (note.path, note.text):
        return note
    told = read_note(note.path, (note.text[: note.body] + body).encode())
    moved = len(front) - note.body
    return replace(
        told,
        path=path,
        hash=hash_of((front + body).encode()),
        text=front + body,
        body=len(front),
        title=masking.text(told.title),
        tags=masking.value(told.tags),
        links=tuple(
            replace(one, name=masking.text(one.name), start=one.start and one.start + moved) for one in told.links
        ),
    )


def _told(note: Note, seen: Seen) -> dict[str, Any]:
    sections = [one for one in note.sections() if note.text[one.start : one.end].strip()]
    written = datetime.fromtimestamp(seen.mtime_ns / 1e9, UTC)
    return {
        "path": note.path,
        "hash": note.hash,
        "text": note.text,
        "title": note.title,
        "sections": sections,
        "tags": note.tags,
        "names": [(one.start, one.name) for one in note.links],
        "written_at": note.updated or written,
        "created_at": note.created,
    }
