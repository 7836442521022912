"""WHICH notes go with a memory that is purged? Those in which its words stand and that Treering wrote itself, if nobody
has changed them since. A note of somebody's own, or one that was worked on, is never removed: it is named instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treering.exchange.vault.note import read_note
from treering.exchange.vault.place import Seen, Unreadable, Vault
from treering.exchange.vault.writing import is_untouched, link_to
from treering.model.memory import Memory
from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class NotesOf:
    """Paths inside the vault: `removed` were ours, `left` are somebody's to look after, or could not be read."""

    removed: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def remove_notes(
    vault: Vault, purged: Sequence[Memory], dry_run: bool, progress: Callable[[int, int], None]
) -> NotesOf:
    """Every note is read: a vault keeps no list of who quotes whom."""
    removed, left = list[str](), list[str]()
    seen = list(vault.notes())
    for number, one in enumerate(seen, 1):
        text = _text(vault, one)
        if text is None or _may_quote(one.path, text, purged):
            gone = text is not None and is_untouched(text) and (dry_run or _removed(vault, one, text))
            (removed if gone else left).append(one.path)
        progress(number, len(seen))
    return NotesOf(tuple(removed), (*left, *(one.path for one in vault.passed)))


def _text(vault: Vault, seen: Seen) -> str | None:
    try:
        return vault.read(seen).decode()
    except (Unreadable, UnicodeDecodeError):
        return None


def _may_quote(path: str, text: str, purged: Sequence[Memory]) -> bool:
    """What is no text may hold anything."""
    try:
        owner = read_note(path, text.encode()).memory_id
    except Unreadable:
        return True
    plain = " ".join(text.split())
    return any(owner == one.id or " ".join(one.content.split()) in plain or link_to(one) in text for one in purged)


def _removed(vault: Vault, seen: Seen, text: str) -> bool:
    """Not if it changed since it was read."""
    if _text(vault, seen) != text:
        return False
    try:
        (vault.root / seen.path).unlink()
    except OSError:
        return False
    return True
