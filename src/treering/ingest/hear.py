"""How is what was said kept, before anybody reads it? Sources first, word for word, each waiting to be read.

Whatever fails later, nothing said is lost: what waits can be read at any time, by `remember` with the same key, or by
`resume`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from treering.errors import Conflict, InvalidRequest
from treering.ingest.extract.contract import Heard, Turn
from treering.model import limits
from treering.model.changes import Changes, Marked, SourceAdded, SourceTold, Thing
from treering.model.memory import Mark, Visibility
from treering.model.source import Source, SourceKind
from treering.model.time import utc_or_none
from treering.model.value import plain
from treering.store.contract import Act, Reader

WINDOW = 8
"""How many turns before it a text is read with."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """One thing told, with who told it and when."""

    content: str
    speaker: str | None = None
    session: str | None = None
    at: datetime | None = None
    key: str | None = None
    kind: SourceKind = SourceKind.MESSAGE
    drafts: tuple[Mapping[str, Any], ...] = ()
    """Statements that the caller drew from it, as they were given."""
    place: Mapping[str, int] | None = None
    """Which part of something longer it is, of how many, and where it begins there; its source's meta tells it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedFields:
    """What all memories of one call share. It travels with the sources, so that they can be read later."""

    tags: Sequence[str] = ()
    meta: Mapping[str, Any] | None = None
    observed_by: str | None = None
    visibility: Visibility = Visibility.SPACE
    visible_to: Sequence[str] = ()

    def __post_init__(self) -> None:
        """What no memory could bear is refused before anything is kept."""
        limits.names(self.tags, "tags", limits.TAGS, limits.TAG_CHARS)
        limits.text_or_none(self.observed_by, "observed_by", limits.NAME_CHARS)
        limits.names(self.visible_to, "visible_to", limits.PRINCIPALS)
        if self.visible_to and self.visibility is not Visibility.PRIVATE:
            raise InvalidRequest("visible_to: names principals of a private memory; set visibility to private")

    def seen_by(self, actor: str) -> tuple[str, ...]:
        if self.visibility is not Visibility.PRIVATE:
            return ()
        return tuple(dict.fromkeys((self.observed_by or actor, *self.visible_to)))


@dataclass(frozen=True, slots=True)
class KeptSources:
    """The sources of a call, in order. `repeated`: all were there before."""

    sources: tuple[Source, ...]
    repeated: bool
    dry_run: bool = False


def messages_of(given: Sequence[Mapping[str, Any]], said: Utterance) -> list[Utterance]:
    """A conversation as things told one after the other; what a message does not say is as the call has it."""
    found = []
    for number, message in enumerate(given):
        content = message.get("content")
        if not isinstance(content, str) or not content.strip():
            raise InvalidRequest(f"messages[{number}].content: {content!r} is not a text; every message says something")
        who = limits.text_or_none(
            message.get("speaker") or message.get("role"), f"messages[{number}].speaker", limits.NAME_CHARS
        )
        at = utc_or_none(message.get("at"), f"messages[{number}].at")
        key = None if said.key is None else f"{said.key}/{number}"
        found.append(replace(said, content=content, speaker=who or said.speaker, at=at or said.at, key=key))
    return found


def in_parts(said: Utterance) -> Iterator[Utterance]:
    """What is longer than a source may be is told in parts, cut between sections; each knows where it begins. The first
    has the key, so that the same key with something else is noticed."""
    content = limits.text(said.content, "content", limits.TELLING_CHARS)
    if len(content) * 4 <= limits.SOURCE_BYTES or len(content.encode()) <= limits.SOURCE_BYTES:
        yield said
        return
    from treering.ingest.files.read import packed
    from treering.language.sections import sections

    parts = [(start, end) for start, end, _ in packed(content, sections(content))]
    for number, (start, end) in enumerate(parts):
        place = {"part": number + 1, "parts": len(parts), "offset": start}
        key = said.key if said.key is None or number == 0 else f"{said.key}/{number}"
        yield replace(said, content=content[start:end], key=key, place=place)


def hear(
    act: Act, said: Sequence[Utterance], manner: SharedFields, extractor: str | None = None
) -> tuple[Changes, KeptSources]:
    known = [None if one.key is None else act.reader.source_by_key(one.key) for one in said]
    if any(known):
        return Changes("hear"), KeptSources(tuple(_the_same(act.reader, said, known)), True)
    visible_to = manner.seen_by(act.writer.actor)
    sources = tuple(_source(act, one, manner, visible_to) for one in said)
    told = (_told(source.id, one, manner, extractor) for source, one in zip(sources, said, strict=True))
    waiting = (Marked(Thing.SOURCE, source.id, Mark.WAITING, True) for source in sources)
    wishes = [one for one in told if one != SourceTold(one.source_id)]
    return Changes("hear", (*map(SourceAdded, sources), *wishes, *waiting)), KeptSources(sources, False)


def _told(source_id: str, said: Utterance, manner: SharedFields, extractor: str | None) -> SourceTold:
    """What a later reader could not tell from the source itself."""
    return SourceTold(source_id, tuple(manner.tags), manner.observed_by, extractor, tuple(plain(list(said.drafts))))


def told_of(reader: Reader, source_id: str) -> SourceTold:
    """How it was told that the source is to be read."""
    told = [event.change for event in reader.events(source_id) if isinstance(event.change, SourceTold)]
    return told[0] if told else SourceTold(source_id)


def _source(act: Act, said: Utterance, manner: SharedFields, visible_to: tuple[str, ...]) -> Source:
    return Source(
        id=act.mint(),
        space=act.space,
        content=said.content,
        kind=said.kind,
        speaker=said.speaker,
        session=said.session,
        key=said.key,
        occurred_at=said.at or act.now,
        recorded_at=act.at,
        meta=_meta(said, manner),  # type: ignore[arg-type]  # Source copies and freezes it
        visible_to=visible_to,
    )


def _meta(said: Utterance, manner: SharedFields) -> Mapping[str, Any] | None:
    return manner.meta if said.place is None else {**(manner.meta or {}), **said.place}


def _the_same(reader: Reader, said: Sequence[Utterance], known: Sequence[Source | None]) -> list[Source]:
    found = []
    for one, source in zip(said, known, strict=True):
        if source is None:
            raise Conflict(f"key: {one.key!r} was used before for fewer messages; give a new key for new content")
        if reader.source(source.id) is None:  # private to others: the same words whether or not the contents are equal
            raise Conflict(f"key: {one.key!r} is in use; give a new key")
        if source.content != one.content:
            raise Conflict(f"key: {one.key!r} was used before with other content; give a new key for new content")
        found.append(source)
    return found


@dataclass
class SessionWindow:
    """What was said before each of some sources, and who was heard beside it: in the store, and among themselves."""

    reader: Reader
    sources: Sequence[Source]
    _turns: dict[str, list[Turn]] = field(default_factory=dict)
    _speakers: dict[str, frozenset[str | None]] = field(default_factory=dict)

    def heard(self, source: Source, owner: str | None) -> Heard:
        """The source as an extractor reads it; from then on it is one of those before."""
        turn = Turn(source.speaker, source.content, source.occurred_at)
        session, before = source.session, tuple[Turn, ...]()
        if session is not None:
            if session not in self._turns:
                self._learn(session, source)
            before = tuple(self._turns[session][-WINDOW:])
            self._turns[session].append(turn)
        beside = frozenset[str | None]() if session is None else self._speakers[session]
        return Heard(
            text=source.content,
            at=source.occurred_at,
            speaker=source.speaker,
            before=before,
            owner=owner,
            beside=beside,
        )

    def _learn(self, session: str, source: Source) -> None:
        said = self.reader.said(session, 2 * WINDOW)
        older = [one for one in said if (one.recorded_at, one.id) < (source.recorded_at, source.id)]
        self._turns[session] = [Turn(one.speaker, one.content, one.occurred_at) for one in older]
        together = (one for one in self.sources if one.session == session)
        self._speakers[session] = frozenset(one.speaker for one in (*said, *together))
