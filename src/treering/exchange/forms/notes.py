"""HOW is knowledge written as notes? A folder of Markdown, one note a memory that holds, a folder a space: an Obsidian
vault."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from treering.errors import InvalidRequest
from treering.exchange.putting import must_be_new
from treering.exchange.vault.drafting import note_drafts
from treering.exchange.vault.place import Vault
from treering.exchange.vault.writing import write_note
from treering.model.memory import View
from treering.store.contract import MemoryFilter, Reader


def write_notes(path: Path, spaces: list[str], opens: Callable[[str], AbstractContextManager[Reader]]) -> int:
    """Of what all who read the space may see: a folder knows no principals."""
    must_be_new(path)
    try:
        path.mkdir(parents=True, mode=0o700)
    except OSError as error:
        raise InvalidRequest(f"path: {path} cannot be made ({error.strerror}); give another path") from error
    vault, count = Vault.opened(path), 0
    for space in spaces:
        with opens(space) as reader:
            for draft in note_drafts(reader, [one.id for one in reader.memories(MemoryFilter(view=View.CURRENT))]):
                write_note(vault, draft, folder=space)
                count += 1
    return count
