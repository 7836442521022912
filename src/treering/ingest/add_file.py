"""HOW is a file remembered? Its sources and their sections, in one write; what is known already is not written again.

Without a key a file is known by what it says: a part with the same text, a message of the same session, speaker, time
and words. So an export made anew adds only what came since. What is private to others is not looked at. With a key the
key decides, as everywhere.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from treering.errors import Conflict
from treering.ingest.add import NOTHING_READ, Adding
from treering.ingest.draft import Draft
from treering.ingest.files.read import FileRead, FileSource
from treering.ingest.reading import Reading
from treering.ingest.receipt import Receipt, remembered
from treering.model.changes import Changes
from treering.model.memory import Memory, View, Visibility
from treering.model.source import BLANK, Source, SourceKind
from treering.store.contract import Act, MemoryFilter, Reader


@dataclass(frozen=True, slots=True)
class Known:
    """For each source of a file the memories that rest on the same one already, none if it is new, as it was when the
    journal stood at `seq`."""

    seq: int
    before: list[list[Memory]]

    def new(self, file: FileRead) -> list[Draft]:
        """The memories that are to be written."""
        both = zip(file.sources, self.before, strict=True)
        return [draft for said, before in both if not before for draft, _ in said.memories]


def add_file(
    act: Act, file: FileRead, key: str | None, known: Known | None = None, reading: Reading = NOTHING_READ
) -> tuple[Changes, Receipt]:
    """`known` is what a look before the write found; it is looked again if something was written since."""
    if known is None or known.seq != act.reader.head.seq:
        known = known_already(act.reader, file, key, act.writer.actor)
    adding = Adding(act)
    for number, (said, before) in enumerate(zip(file.sources, known.before, strict=True)):
        if before:
            adding.memories += [remembered(memory) for memory in before]
            continue
        source = adding.source(replace(said.draft, key=key if number == 0 else None), said.content)
        for draft, span in said.memories:
            adding.memory(source, draft, span)
    receipt = adding.receipt(repeated=all(known.before))
    return adding.whole("add_file", reading), replace(receipt, notes=file.notes)


def known_already(reader: Reader, file: FileRead, key: str | None, actor: str) -> Known:
    return Known(reader.head.seq, _before(reader, file, key, actor))


def _before(reader: Reader, file: FileRead, key: str | None, actor: str) -> list[list[Memory]]:
    first = None if key is None else reader.source_by_key(key)
    if key is not None and first is None:
        return [[] for _ in file.sources]
    known = list(_sources(reader, file, actor))
    if first is not None:
        known[0] = _resting(reader, first)
        if not known[0]:  # private to others: the same words whether or not the contents are equal
            raise Conflict(f"key: {key!r} is in use; give a new key")
        if not all(known) or not _same(first.content, file.sources[0].content):
            raise Conflict(f"key: {key!r} was used before with other content; give a new key for new content")
    return known


def _sources(reader: Reader, file: FileRead, actor: str) -> Iterator[list[Memory]]:
    if file.apart:
        return (_same_text(reader, said, actor) for said in file.sources)
    is_chat = file.sources[0].draft.source_kind is SourceKind.MESSAGE
    return _messages(reader, file, actor) if is_chat else _parts(reader, file, actor)


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


def _same_text(reader: Reader, said: FileSource, actor: str) -> list[Memory]:
    for source in reader.documents(said.content):
        resting = _resting(reader, source) if source.kind is said.draft.source_kind else []
        if resting and _reaches_as_far(resting[0], said.draft, actor):
            return resting
    return []


def _reaches_as_far(memory: Memory, draft: Draft, actor: str) -> bool:
    """Whether all who are to see it see the one that is there."""
    if memory.visibility is Visibility.SPACE:
        return True
    if draft.visibility is not Visibility.PRIVATE or memory.observed_by != (draft.observed_by or actor):
        return False
    return {*draft.visible_to} <= {memory.observed_by, *memory.visible_to}


def _messages(reader: Reader, file: FileRead, actor: str) -> Iterator[list[Memory]]:
    """Each message there is stands for one message of the file."""
    there: dict[tuple[str | None, str | None, str], list[tuple[datetime, list[Memory]]]] = defaultdict(list)
    for session in dict.fromkeys(said.draft.session for said in file.sources if said.draft.session is not None):
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


def _said_in(reader: Reader, session: str) -> Iterator[tuple[Source, list[Memory]]]:
    resting: dict[str, list[Memory]] = defaultdict(list)
    for memory in reader.memories(MemoryFilter(view=View.ALL, session=session)):
        resting[memory.source_id].append(memory)
    for source in reader.said(session, sys.maxsize) if resting else ():
        if source.kind is SourceKind.MESSAGE and source.id in resting:
            yield source, resting[source.id]
