"""What do the bare bytes say? Searching the files of a store, and changing one byte behind its back."""

from __future__ import annotations

from pathlib import Path


def occurrences(folder: Path, words: bytes) -> dict[str, int]:
    """How often the words stand in each file of a folder: the store, its write-ahead log, whatever is there."""
    return {file.name: file.read_bytes().count(words) for file in sorted(folder.iterdir()) if file.is_file()}


def flip_a_bit(file: Path, words: bytes, in_journal: bool) -> str:
    """Changes the first letter of the words where they stand in the journal, or in a table, and says what it did.

    In the journal they stand in JSON, between quotes; in a table they stand bare.
    """
    data = bytearray(file.read_bytes())
    place = _place(data, words, in_journal)
    before = chr(data[place])
    data[place] ^= 1
    file.write_bytes(data)
    return f"byte {place:,} of {len(data):,}: {before!r} is now {chr(data[place])!r}"


def _place(data: bytearray, words: bytes, in_journal: bool) -> int:
    place = data.find(words)
    while place >= 0:
        if (data[place - 1 : place] == b'"') == in_journal:
            return place
        place = data.find(words, place + 1)
    raise LookupError(f"{words!r} is not in the file")
