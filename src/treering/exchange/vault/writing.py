"""HOW is a memory written down as a note? One Markdown file with what is known about it, put into its place whole.

A note that is there is never changed: if it is the memory's own, that is the answer, and else another name is taken.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from treering.errors import Conflict, InvalidRequest
from treering.exchange.vault import front_matter
from treering.exchange.vault.file_names import alike, numbered, safe_name
from treering.exchange.vault.place import Vault
from treering.model.memory import Memory
from treering.model.source import Source
from treering.model.value import Value
from treering.values import dataclass

FOLDER = "Treering"
"""Where notes are written, inside the vault."""
MOST_NAMESAKES = 1_000
_NOT_OF_A_LINK = re.compile(r"[\[\]|#^\\/:\n\r\t]+")
_NOT_OF_A_TAG = re.compile(r"[^\w/-]+")
_HEAD_BYTES = 64 << 10
_WRITTEN = re.compile(r"^written: ([0-9a-f]{32})\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Related:
    """Another memory that this one is tied to, as its note would be called."""

    relation: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteDraft:
    """A memory to be written down, with what the note tells of it."""

    memory: Memory
    entities: Sequence[str] = ()
    source: Source | None = None
    related: Sequence[Related] = ()
    last_used: datetime | None = None
    use_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class NoteWritten(Value):
    """Where the note of a memory is. `created` is false if it was there already, or would only be written."""

    memory_id: str
    path: str
    created: bool = True
    dry_run: bool = False


def write_note(vault: Vault, draft: NoteDraft, folder: str = FOLDER, dry_run: bool = False) -> NoteWritten:
    name, memory = title_of(draft.memory), draft.memory
    place = vault.folder(folder, make=not dry_run)
    there = _listed(place)
    for number in range(1, MOST_NAMESAKES + 1):
        path = place / numbered(name, number)
        namesakes = there.get(alike(path.name), [])
        own = next((one for one in namesakes if _is_note_of(place / one, memory.id)), None)
        if own is not None:
            return _told(vault, memory.id, place / own, created=False, dry_run=dry_run)
        if namesakes:
            continue
        if dry_run or _put(path, note_text(draft)):
            return _told(vault, memory.id, path, created=not dry_run, dry_run=dry_run)
        there[alike(path.name)].append(path.name)  # somebody else was quicker
    raise Conflict(f"vault: there are {MOST_NAMESAKES:,} notes called {name!r} in {place}; give the memory a title")


def title_of(memory: Memory) -> str:
    """What the note of a memory is called."""
    return safe_name(memory.title or memory.content, f"Memory {memory.id[-8:]}")


def link_to(memory: Memory) -> str:
    """How other notes name its note: with its first words, where it has no title."""
    return f"[[{_link(title_of(memory))}]]"


def is_untouched(text: str) -> bool:
    """Whether a note is as it was written here, to the letter."""
    found = _WRITTEN.search(text)
    return found is not None and found[1] == _checksum(text[: found.start()] + text[found.end() :])


def _sealed(text: str) -> str:
    """With a line in its front matter that tells whether somebody has changed it since."""
    end = text.index("\n---\n") + 1
    return f"{text[:end]}written: {_checksum(text)}\n{text[end:]}"


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def note_text(draft: NoteDraft) -> str:
    memory, source = draft.memory, draft.source
    told = {
        "id": memory.id,
        "space": memory.space,
        "created": memory.said_at,
        "last_used": draft.last_used or memory.said_at,
        "use_count": draft.use_count,
        "tags": [tag for one in memory.tags if (tag := _tag(one))],
        "entities": [f"[[{link}]]" for one in draft.entities if (link := _link(one))],
        "source": (source.key or source.id) if source is not None else memory.source_id,
    }
    parts = [front_matter.written(told), memory.content.strip("\n") + "\n"]
    if memory.context:
        parts.append(f"## Context\n\n{memory.context.strip()}\n")
    if draft.related:
        lines = "\n".join(f"- {one.relation} [[{_link(one.title)}]]" for one in draft.related)
        parts.append(f"## Related\n\n{lines}\n")
    return _sealed("\n".join(parts))


def _tag(tag: str) -> str:
    """As Obsidian takes tags: no blanks, and not a number alone."""
    plain = _NOT_OF_A_TAG.sub("-", tag.strip().lstrip("#")).strip("-/")
    return f"n{plain}" if plain.isdigit() else plain


def _link(name: str) -> str:
    return " ".join(_NOT_OF_A_LINK.sub(" ", name).split())


def _told(vault: Vault, memory_id: str, path: Path, created: bool, dry_run: bool = False) -> NoteWritten:
    inside = path.relative_to(vault.root).as_posix()
    return NoteWritten(memory_id=memory_id, path=inside, created=created, dry_run=dry_run)


# the folder


def _listed(place: Path) -> dict[str, list[str]]:
    """The names in a folder, by what some system takes for one."""
    names: dict[str, list[str]] = defaultdict(list)
    try:
        for path in place.iterdir():
            names[alike(path.name)].append(path.name)
    except FileNotFoundError:
        return names
    except OSError as error:
        raise InvalidRequest(f"vault: {place} cannot be read ({error.strerror})") from None
    return names


def _is_note_of(path: Path, memory_id: str) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return False
    return front_matter.split(head)[0].get("id") == memory_id


def _put(path: Path, text: str) -> bool:
    """Whole, or not at all, and never over another: false if there is a file of that name by now."""
    unfinished = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with os.fdopen(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666), "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        return _moved(unfinished, path, text)
    except OSError as error:
        raise InvalidRequest(f"vault: {path} cannot be written ({error.strerror})") from None
    finally:
        unfinished.unlink(missing_ok=True)


def _moved(unfinished: Path, path: Path, text: str) -> bool:
    try:
        os.link(unfinished, path)
    except FileExistsError:
        return False
    except OSError:  # a disk without hard links
        try:
            opened = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
        except FileExistsError:
            return False
        with os.fdopen(opened, "wb") as file:
            file.write(text.encode())
    return True
