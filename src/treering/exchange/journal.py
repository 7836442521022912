"""How does a whole space leave and arrive? As its journal, one entry a line: lossless, verifiable, idempotent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from treering.errors import Conflict, InvalidRequest
from treering.exchange.putting import put
from treering.model.changes import Purged
from treering.model.journal import Entry, read_line, write_line
from treering.model.space import space_name
from treering.model.value import Value
from treering.store.attestation import Vouching
from treering.store.contract import Progress, Store, unseen
from treering.values import dataclass


@dataclass(frozen=True, slots=True, repr=False)
class Exported(Value):
    """`entries`: of the journal; in other forms, how many memories, entities and edges."""

    path: str
    spaces: tuple[str, ...]
    entries: int
    format: str = "journal"


@dataclass(frozen=True, slots=True, repr=False)
class Imported(Value):
    """`skipped` entries were here already."""

    spaces: tuple[str, ...]
    added: int
    skipped: int


def export_journal(store: Store, path: Path, spaces: list[str], progress: Progress = unseen) -> Exported:
    count, of = 0, sum(store.head(space).seq for space in spaces)
    with put(path) as file:
        for space in spaces:
            for entry in store.entries(space):
                file.write(write_line(entry) + "\n")
                count += 1
                progress(count, max(of, count))
    return Exported(str(path), tuple(spaces), count)


def import_journal(
    store: Store, path: Path, space: str | None = None, progress: Progress = unseen, called: str | None = None
) -> Imported:
    """All entries or none. `space` takes a journal of one space in under another name. `called`: how errors speak of
    the file, if not by its path."""
    purges, of = 0, _lines_of(path)
    vouching: dict[str, Vouching] = defaultdict(Vouching)

    def watched() -> Iterator[Entry]:
        nonlocal purges
        for number, entry in enumerate(read_journal(path, space, called), 1):
            wrong = vouching[entry.space].fault(entry)
            if wrong:
                raise Conflict(f"journal of {entry.space}: entry {entry.seq} cannot be taken over: {wrong}")
            purges += any(isinstance(change, Purged) for change in entry.changes())
            yield entry
            progress(number, max(of, number))

    done = store.replay(watched())
    if purges:
        store.scrub()
    return Imported(tuple(one.space for one in done), sum(one.added for one in done), sum(one.skipped for one in done))


def _lines_of(path: Path) -> int:
    """How many entries there are to read; none that can be told of a pipe, which is read but once."""
    if not path.is_file():
        return 0
    try:
        with path.open("rb") as file:
            return sum(1 for line in file if line.strip())
    except OSError:
        return 0


def read_journal(path: Path, space: str | None = None, called: str | None = None) -> Iterator[Entry]:
    names: set[str] = set()
    called = called or str(path)
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                entry = read_line(line, f"{called}, line {number}")
                names.add(entry.space)
                if space is not None and len(names) > 1:
                    raise InvalidRequest(
                        f"space: {called} holds several spaces ({', '.join(sorted(names))}); leave it out"
                    )
                yield entry if space is None else replace(entry, space=space_name(space))
    except OSError as error:
        raise InvalidRequest(f"path: {called} cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise InvalidRequest(f"path: {called} is not UTF-8 text; give a file made by `treering export`") from error
