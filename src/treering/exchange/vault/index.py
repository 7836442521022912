"""WHICH words stand in which note? Every note of a vault as counts of words, section by section, brought up to date
with what changed since: by time and size first, and by content where those differ or may deceive.

Texts are not kept: what is shown is read from the notes themselves.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from dataclasses import field

from treering.exchange.vault.note import Note, read_note
from treering.exchange.vault.place import Seen, Unread, Unreadable, Vault
from treering.language.words import words
from treering.model.value import Value
from treering.store.contract import Progress, unseen
from treering.values import dataclass

SETTLED_NS = 2_000_000_000
"""A file that was written shortly before it was read may be written again within the same tick of its clock."""
TITLE_COUNTS = 2


@dataclass(frozen=True, slots=True)
class IndexedSection:
    """A stretch of a note: its words with how often each stands there, and a digest of its text."""

    heading: str
    start: int
    end: int
    length: int
    hash: str
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class IndexedNote:
    seen: Seen
    checked_ns: int
    hash: str
    title: str
    tags: tuple[str, ...]
    memory_id: str | None
    space: str | None
    sections: tuple[IndexedSection, ...]

    def is_as(self, seen: Seen) -> bool:
        """Whether it cannot have changed since it was read."""
        same = (seen.mtime_ns, seen.size) == (self.seen.mtime_ns, self.seen.size)
        return same and self.checked_ns - self.seen.mtime_ns > SETTLED_NS


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Indexed(Value):
    """How many notes an index holds, and what it took to bring it up to date."""

    vault: str
    notes: int
    sections: int
    read: int = 0
    """Notes that were new or had changed."""
    removed: int = 0
    unchanged: int = 0
    embedded: int = 0
    unread: tuple[Unread, ...] = ()


@dataclass(slots=True)
class VaultIndex:
    notes: dict[str, IndexedNote] = field(default_factory=dict)
    changed: bool = False
    """Whether it holds more or less than what was last kept."""

    def refresh(self, vault: Vault, progress: Progress = unseen) -> Indexed:
        seen = list(vault.notes())
        passed = list(vault.passed)
        due = [one for one in seen if one.path not in self.notes or not self.notes[one.path].is_as(one)]
        read = 0
        for number, one in enumerate(due, 1):
            try:
                read += self._take(vault, one)
            except Unreadable as error:
                passed.append(Unread(one.path, str(error)))
                self._drop(one.path)
            progress(number, len(due))
        gone = self.notes.keys() - {one.path for one in seen}
        for path in gone:
            self._drop(path)
        return Indexed(
            vault=str(vault.root),
            notes=len(self.notes),
            sections=sum(len(one.sections) for one in self.notes.values()),
            read=read,
            removed=len(gone),
            unchanged=len(self.notes) - read,
            unread=tuple(passed),
        )

    def _take(self, vault: Vault, seen: Seen) -> bool:
        """Whether it says something else than it did. What is written while it is read is read again next time, since
        the time that is noted is that of before."""
        checked = time.time_ns()
        note = read_note(seen.path, vault.read(seen))
        before = self.notes.get(seen.path)
        same = before is not None and before.hash == note.hash
        sections = before.sections if same and before is not None else tuple(_sections(note))
        self.notes[seen.path] = IndexedNote(
            seen=seen,
            checked_ns=checked,
            hash=note.hash,
            title=note.title,
            tags=note.tags,
            memory_id=note.memory_id,
            space=note.space,
            sections=sections,
        )
        self.changed = True
        return not same

    def _drop(self, path: str) -> None:
        self.changed |= self.notes.pop(path, None) is not None


def _sections(note: Note) -> list[IndexedSection]:
    """The note's title, its tags and the headings above belong to each of its sections."""
    around = words(note.title) * TITLE_COUNTS + words(" ".join(note.tags))
    found = []
    for one in note.sections():
        text = note.text[one.start : one.end]
        counts = Counter(words(text))
        length = sum(counts.values())
        counts.update([*around, *words(" ".join(one.path))])
        found.append(
            IndexedSection(
                heading=" > ".join(one.path),
                start=one.start,
                end=one.end,
                length=length,
                hash=section_hash(note.title, text),
                counts=dict(counts),
            )
        )
    return found or [
        IndexedSection("", note.body, len(note.text), 0, section_hash(note.title, ""), dict(Counter(around)))
    ]


def section_of_text(text: str) -> IndexedSection:
    """Any text, as if it stood in a note."""
    counts = Counter(words(text))
    return IndexedSection("", 0, len(text), sum(counts.values()), "", dict(counts))


def section_hash(title: str, text: str) -> str:
    return hashlib.sha256(f"{title}\n{text}".encode()).hexdigest()[:32]
