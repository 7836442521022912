"""HOW does a file become sources and memories? A document is one source, or several parts of at most 1 MiB, with a
memory a section; a chat is a source and a memory a message, and what another memory kept one of each a record. Nothing
is read by a model here, and nothing is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from treering.errors import LimitExceeded
from treering.ingest.draft import Draft
from treering.ingest.files.chats import ChatMessage
from treering.ingest.files.convert import Converted, convert
from treering.ingest.files.kept import MemoryExport
from treering.ingest.files.kinds import FileKind, UnreadFile
from treering.ingest.files.opened import UNNAMED
from treering.language.masking import Masking
from treering.language.sections import Section, Span, sections
from treering.model import limits
from treering.model.source import SourceKind

_BETWEEN = " > "


@dataclass(frozen=True, slots=True)
class FileSource:
    """A source to be: what it says, who said it and when (`draft`), and the memories that rest on stretches of it."""

    draft: Draft
    content: str
    memories: tuple[tuple[Draft, Span], ...]


@dataclass(frozen=True, slots=True)
class FileRead:
    """`notes` is what had to be guessed or left out."""

    name: str
    kind: FileKind
    sources: tuple[FileSource, ...]
    notes: tuple[str, ...] = ()
    apart: bool = False
    """Each source stands by itself: the order in which they come says nothing."""

    @property
    def drafts(self) -> list[Draft]:
        return [draft for one in self.sources for draft, _ in one.memories]


def read_file(name: str, data: bytes, given: Draft, masking: Masking | None = None, apart: bool = False) -> FileRead:
    """`given` is what the caller says of all of it: time, speaker, session, tags, meta, who may see it. `apart`: it
    came from elsewhere, and is read with bounds on what that costs."""
    masking = masking or Masking()
    found = convert(name, data, masking, apart)
    name = masking.text(name)
    sources = tuple(_sources(name, found, given))
    many = sum(len(one.memories) for one in sources)
    if many > limits.FILE_MEMORIES:
        raise LimitExceeded(
            f"file: {name} would make {many:,} memories; at most {limits.FILE_MEMORIES:,} at once. Split it"
        )
    return FileRead(name, found.kind, sources, found.notes, apart=found.kept is not None)


def _sources(name: str, found: Converted, given: Draft) -> Iterator[FileSource]:
    if found.chat is not None:
        return _messages(name, found, given)
    return _parts(name, found, given) if found.kept is None else _records(name, found.kept, found.kind, given)


def _about(given: Draft, **more: Any) -> dict[str, Any]:
    return {**(given.meta or {}), **more}


# Documents


def _parts(name: str, found: Converted, given: Draft) -> Iterator[FileSource]:
    parts = list(packed(found.text, found.sections))
    for number, (start, end, held) in enumerate(parts, 1):
        meta = _about(given, file=name, media_type=found.kind.media_type, part=number, parts=len(parts), offset=start)
        draft = replace(given, source_kind=found.kind.source_kind, meta=meta)
        own = [_section(name, found.text, one, draft, start, given) for one in held]
        yield FileSource(draft, found.text[start:end], tuple(own))


def _section(name: str, text: str, one: Section, part: Draft, offset: int, given: Draft) -> tuple[Draft, Span]:
    path = _BETWEEN.join(one.path)
    title = path or (None if name == UNNAMED else UnreadFile(name, b"").stem)
    draft = replace(
        part,
        content=text[one.start : one.end],
        title=title and _end_of(title, limits.TITLE_CHARS),
        context=_end_of(f"{name}: {path}" if path else name, limits.CONTEXT_CHARS),
        meta=_about(given, file=name),
    )
    return draft, (one.start - offset, one.end - offset)


def _end_of(text: str, most: int) -> str:
    """The nearest heading says the most."""
    return text if len(text) <= most else "…" + text[1 - most :]


def packed(text: str, found: Sequence[Section]) -> Iterator[tuple[int, int, list[Section]]]:
    """As many sections a part as it may hold; one part is the whole text."""
    if len(text.encode()) <= limits.SOURCE_BYTES:
        yield 0, len(text), list(found)
        return
    held: list[Section] = []
    size = 0
    for one in found:
        more = len(text[held[-1].end if held else one.start : one.end].encode())
        if held and size + more > limits.SOURCE_BYTES:
            yield held[0].start, held[-1].end, held
            held, size, more = [], 0, len(text[one.start : one.end].encode())
        held.append(one)
        size += more
    yield held[0].start, held[-1].end, held


# What another memory kept


def _records(name: str, kept: MemoryExport, kind: FileKind, given: Draft) -> Iterator[FileSource]:
    for one in kept.records:
        draft = replace(
            given,
            content=one.content,
            kind=one.kind,
            title=one.title,
            context=one.context or given.context,
            tags=tuple(dict.fromkeys((*given.tags, *one.tags))),
            at=one.at or given.at,
            source_kind=kind.source_kind,
            meta=_about(given, **one.meta, file=name),
            importance=given.importance if one.importance is None else one.importance,
            confidence=given.confidence if one.confidence is None else one.confidence,
            strength=one.strength,
            entities=one.entities,
            triples=one.triples,
        )
        yield from _said(draft, replace(draft, meta=_about(given, file=name, place=one.place)))


# Chats


def _messages(name: str, found: Converted, given: Draft) -> Iterator[FileSource]:
    assert found.chat is not None
    own = given.session or UnreadFile(name, b"").stem[: limits.NAME_CHARS]
    last: dict[str, Any] = {}
    for one in found.chat.messages:
        session = one.session or own
        at = one.at or last.get(session) or given.at
        last[session] = at
        meta = _about(given, file=name, media_type=found.kind.media_type, place=one.place)
        yield from _message(one, replace(given, session=session, at=at, meta=meta), given, name)


def _message(one: ChatMessage, around: Draft, given: Draft, name: str) -> Iterator[FileSource]:
    draft = replace(around, content=one.content, source_kind=SourceKind.MESSAGE, speaker=one.speaker or given.speaker)
    yield from _said(replace(draft, meta=_about(given, file=name)), draft)


def _said(memory: Draft, source: Draft) -> Iterator[FileSource]:
    """One memory, or several if it is long."""
    words = memory.content
    if len(words) <= limits.CONTENT_CHARS:
        yield FileSource(source, words, ((memory, (0, len(words))),))
        return
    for start, end, held in packed(words, sections(words)):
        cut = ((replace(memory, content=words[s.start : s.end]), (s.start - start, s.end - start)) for s in held)
        yield FileSource(source, words[start:end], tuple(cut))
