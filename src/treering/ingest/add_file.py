"""HOW is a file remembered? Its sources and their sections, in one write; what is known already is not written again.

Without a key a file is known by what it says: a part with the same text, a message of the same session, speaker, time
and words. So an export made anew adds only what came since. What is private to others is not looked at. With a key the
key decides, as everywhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from treering.errors import Conflict
from treering.ingest.add import NOTHING_READ, Adding, what_it_says
from treering.ingest.draft import Draft
from treering.ingest.files.read import FileRead, Said
from treering.ingest.reading import Reading
from treering.ingest.receipt import Receipt, remembered
from treering.model.changes import Changes
from treering.model.memory import Memory, View, Visibility
from treering.model.source import BLANK, Source, SourceKind
from treering.store.contract import Act, MemoryFilter, Reader

Known = list[list[Memory]]
"""For each source of a file the memories that rest on the same one already; none if it is new."""


def add_file(act: Act, file: FileRead, key: str | None, reading: Reading = NOTHING_READ) -> tuple[Changes, Receipt]:
    adding, known = Adding(act), known_already(act.reader, file, key, act.writer.actor)
    for number, (said, before) in enumerate(zip(file.sources, known, strict=True)):
        if before:
            adding.memories += [remembered(memory, *what_it_says(act.reader, memory)) for memory in before]
            continue
        source = adding.source(replace(said.draft, key=key if number == 0 else None), said.content)
        for draft, span in said.memories:
            adding.memory(source, draft, span)
    receipt = adding.receipt(repeated=all(known))
    return adding.whole("add_file", reading), replace(receipt, notes=file.notes)


def still_new(reader: Reader, file: FileRead, key: str | None, actor: str) -> list[Draft]:
    """The memories that would be written."""
    known = known_already(reader, file, key, actor)
    return [draft for said, before in zip(file.sources, known, strict=True) if not before for draft, _ in said.memories]


def known_already(reader: Reader, file: FileRead, key: str | None, actor: str) -> Known:
    first = None if key is None else reader.source_by_key(key)
    if key is not None and first is None:
        return [[] for _ in file.sources]
    is_chat = file.sources[0].draft.source_kind is SourceKind.MESSAGE
    known = list(_messages(reader, file, actor) if is_chat else _parts(reader, file, actor))
    if first is not None:
        known[0] = _resting(reader, first)
        if not known[0]:  # private to others: the same words whether or not the contents are equal
            raise Conflict(f"key: {key!r} is in use; give a new key")
        if not all(known) or not _same(first.content, file.sources[0].content):
            raise Conflict(f"key: {key!r} was used before with other content; give a new key for new content")
    return known


def _same(first: str, now: str) -> bool:
    """But for what was purged of it since."""
    return first == now or (len(first) == len(now) and all(a in (b, BLANK) for a, b in zip(first, now, strict=True)))


def _resting(reader: Reader, source: Source) -> list[Memory]:
    return reader.memories(MemoryFilter(view=View.ALL, source_id=source.id))


def _parts(reader: Reader, file: FileRead, actor: str) -> Iterator[list[Memory]]:
    """A file whose first part is new is taken for new: only what grew at its end has parts in common."""
    known = True
    for said in file.sources:
        before = _same_text(reader, said, actor) if known else []
        known = bool(before)
        yield before


def _same_text(reader: Reader, said: Said, actor: str) -> list[Memory]:
    longest = max((draft for draft, _ in said.memories), key=lambda draft: len(draft.content))
    for memory in reader.memories(MemoryFilter(view=View.ALL, containing=longest.content)):
        source = reader.source(memory.source_id) if _reaches_as_far(memory, longest, actor) else None
        if source is not None and (source.kind, source.content) == (said.draft.source_kind, said.content):
            return _resting(reader, source)
    return []


def _reaches_as_far(memory: Memory, draft: Draft, actor: str) -> bool:
    """Whether all who are to see it see the one that is there."""
    if memory.visibility is Visibility.SPACE:
        return True
    return draft.visibility is Visibility.PRIVATE and memory.observed_by == (draft.observed_by or actor)


def _messages(reader: Reader, file: FileRead, actor: str) -> Iterator[list[Memory]]:
    """Each message there is stands for one message of the file."""
    there: dict[tuple[str | None, str | None, str], list[tuple[datetime, list[Memory]]]] = defaultdict(list)
    for session in dict.fromkeys(said.draft.session for said in file.sources):
        for source, memories in _said_in(reader, session):
            there[session, source.speaker, source.content].append((source.occurred_at, memories))
    for said in file.sources:
        draft = said.draft
        same = there.get((draft.session, draft.speaker, said.content), [])
        found = next(
            (one for one in same if draft.at in (None, one[0]) and _reaches_as_far(one[1][0], draft, actor)), None
        )
        if found is not None:
            same.remove(found)
        yield found[1] if found else []


def _said_in(reader: Reader, session: str | None) -> Iterator[tuple[Source, list[Memory]]]:
    resting: dict[str, list[Memory]] = defaultdict(list)
    for memory in reader.memories(MemoryFilter(view=View.ALL, session=session)):
        resting[memory.source_id].append(memory)
    for source_id, source in reader.sources(resting).items():
        if source.kind is SourceKind.MESSAGE:
            yield source, resting[source_id]
