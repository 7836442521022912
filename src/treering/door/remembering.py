"""The part of the door by which things come to be known: said, added, corrected, taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from treering import parameters as p
from treering.access.rights import Role
from treering.door.ground import Ground
from treering.errors import CallerError, InvalidRequest, NotFound
from treering.ingest import add as add_room
from treering.ingest.draft import Draft, DraftEntity
from treering.ingest.hear import SharedFields, Utterance, in_parts
from treering.ingest.receipt import Receipt
from treering.ingest.revise import revise
from treering.ingest.telling import Telling, telling
from treering.ingest.undo import ROWS, Undone, changes_rows, undo_edge, undo_entries
from treering.language.masking import Masking
from treering.model import limits
from treering.model.journal import Entry
from treering.model.memory import WRITTEN_BY, Kind, Tier, Visibility, written
from treering.model.time import MICROSECOND, utc_or_none
from treering.operation import WRITES, WRITES_ONCE, operation, table

if TYPE_CHECKING:
    from treering.ingest.files.read import FileRead
    from treering.ingest.files.read import FileSource as Filed

T = TypeVar("T")


class Remembers(Ground):
    """What is told becomes knowledge."""

    @operation(WRITES)
    def remember(
        self,
        content: p.Telling = None,
        *,
        messages: p.Messages = None,
        drafts: p.Drafts = None,
        space: p.Space = None,
        at: p.SaidAt = None,
        speaker: p.Speaker = None,
        session: p.Session = None,
        key: p.Key = None,
        tags: p.Tags = (),
        meta: p.Meta = None,
        observed_by: p.ObservedBy = None,
        visibility: p.Visibility = Visibility.SPACE,
        visible_to: p.VisibleTo = (),
        extractor: p.ExtractorName = None,
        dry_run: p.DryRun = False,
    ) -> Receipt:
        """Remember what was said: keep it word for word, read it for statements and facts, relate it to the known.

        Give a text, a conversation as messages, or drafts: statements you have drawn yourself. What was said is kept
        before it is read, so that nothing is lost if reading fails; the same key again goes on where it stopped.
        """
        said = {
            "content": content, "messages": messages, "drafts": drafts, "at": at, "speaker": speaker, "session": session,
            "key": key, "tags": tags, "meta": meta, "observed_by": observed_by, "visibility": visibility,
            "visible_to": visible_to, "extractor": extractor,
        }  # fmt: skip
        told = told_in(self._attributed(said))
        return self._journey(space).remember(told, dry_run)

    @operation(WRITES_ONCE)
    def resume(self, *, space: p.Space = None, extractor: p.ExtractorName = None) -> Receipt:
        """Read what was kept and not yet read, such as after a crash."""
        return self._journey(space).resume(extractor)

    @operation(WRITES_ONCE)
    def undo(self, what: p.Undoable, *, space: p.Space = None, why: p.Why = None, dry_run: p.DryRun = False) -> Undone:
        """Take back a write by its receipt's seq, or a closing or link by its edge's id. Nothing is removed."""
        numbers = what.replace(",", " ").split()
        if not numbers or not all(one.isdecimal() for one in numbers):
            return self._write(space, lambda act: undo_edge(act.reader, what, why), dry_run)
        if any(len(one) > len(str(limits.SEQ)) for one in numbers):
            raise NotFound(f"what: there is no entry {what[:40]} in the journal of {space or self._space}")
        entries = [self._entry(space, int(one)) for one in sorted(set(numbers), key=int)]
        rows = {entry.seq: self._rows_before(space, entry) for entry in entries if changes_rows(entry)}
        if rows:  # whose relations they are says who may take that back
            self._must_open(space, Role.ADMIN)
        return self._write(space, lambda act: undo_entries(act, entries, why, rows), dry_run)

    def _rows_before(self, space: str | None, entry: Entry) -> dict[str, Any]:
        with self._reading(space, None, entry.at - MICROSECOND) as reader:
            return dict(reader.setting(ROWS))

    @operation(WRITES)
    def add(
        self,
        content: p.Content,
        *,
        space: p.Space = None,
        kind: p.Kind = Kind.SEMANTIC,
        title: p.Title = None,
        context: p.Context = None,
        tags: p.Tags = (),
        meta: p.Meta = None,
        importance: p.Importance = 0.6,
        confidence: p.Confidence = 1.0,
        strength: p.Strength = None,
        tier: p.Tier = Tier.MID,
        event_time: p.EventTime = None,
        event_end: p.EventEnd = None,
        expires_at: p.ExpiresAt = None,
        entities: p.Entities = (),
        triples: p.Triples = (),
        derived_from: p.Origins = (),
        at: p.SaidAt = None,
        speaker: p.Speaker = None,
        session: p.Session = None,
        key: p.Key = None,
        observed_by: p.ObservedBy = None,
        visibility: p.Visibility = Visibility.SPACE,
        visible_to: p.VisibleTo = (),
        dry_run: p.DryRun = False,
    ) -> Receipt:
        """Remember one statement as it stands: never split, never sent to a language model."""
        said = {
            "content": content, "kind": kind, "title": title, "context": context, "tags": tags, "meta": meta,
            "importance": importance, "confidence": confidence, "strength": strength, "tier": tier,
            "event_time": event_time, "event_end": event_end, "expires_at": expires_at, "entities": entities,
            "triples": triples, "derived_from": derived_from, "at": at, "speaker": speaker, "session": session,
            "key": key, "observed_by": observed_by, "visibility": visibility, "visible_to": visible_to,
        }  # fmt: skip
        drafts = [_draft(self._attributed(said))]
        reading = self._read(space, drafts, dry_run)
        return self._write(space, lambda act: add_room.add(act, drafts, "add", reading), dry_run)

    @operation(WRITES)
    def add_many(
        self, items: p.Items, *, space: p.Space = None, embed_later: p.EmbedLater = False, dry_run: p.DryRun = False
    ) -> Receipt:
        """Remember many statements at once, all or none, in one journal entry."""
        drafts = [self._item_draft(number, item) for number, item in enumerate(items)]
        reading = self._read(space, drafts, dry_run or embed_later, self._progress)
        return self._write(space, lambda act: add_room.add(act, drafts, "add_many", reading), dry_run)

    @operation(WRITES_ONCE)
    def add_file(
        self,
        file: p.FileOrBytes,
        *,
        space: p.Space = None,
        name: p.FileName = None,
        at: p.SaidAt = None,
        speaker: p.Speaker = None,
        session: p.Session = None,
        key: p.Key = None,
        tags: p.Tags = (),
        meta: p.Meta = None,
        observed_by: p.ObservedBy = None,
        visibility: p.Visibility = Visibility.SPACE,
        visible_to: p.VisibleTo = (),
        embed_later: p.EmbedLater = False,
        dry_run: p.DryRun = False,
    ) -> Receipt:
        """Remember a file, section by section; of an exported chat, message by message.

        Markdown, text, HTML, PDF, DOCX, JSON, JSON Lines, CSV and chat exports are read, never by a language model. What
        another memory kept (the MCP reference server, CortexGraph, mem0, records with words) is taken over record by
        record. The same file again is recognised and not written twice.
        """
        from treering.ingest import add_file as file_room
        from treering.ingest.files.opened import opened
        from treering.ingest.files.read import read_file

        named, data = opened(self._file(file), name)
        given = Draft(
            content=named,
            at=utc_or_none(at, "at"),
            speaker=speaker,
            session=session,
            tags=tags,
            meta=self._attributed({"meta": meta, "observed_by": observed_by})["meta"],
            observed_by=observed_by,
            visibility=Visibility(visibility),
            visible_to=visible_to,
        )
        masking = Masking(self._masks_secrets)
        read = self._attributed_file(read_file(named, data, given, masking, apart=not self._at_hand), observed_by)
        with self._reading(space) as reader:
            known = file_room.known_already(reader, read, key, self._writer.actor)
        reading = self._read(space, known.new(read), dry_run or embed_later, self._progress)
        return self._write(space, lambda act: file_room.add_file(act, read, key, known, reading), dry_run)

    @operation(WRITES)
    def revise(
        self,
        id: p.MemoryId,
        content: p.Content,
        *,
        space: p.Space = None,
        kind: p.OtherKind = None,
        title: p.Title = None,
        tags: p.OtherTags = None,
        meta: p.Meta = None,
        tier: p.OtherTier = None,
        importance: p.OtherImportance = None,
        confidence: p.OtherConfidence = None,
        event_time: p.EventTime = None,
        expires_at: p.ExpiresAt = None,
        entities: p.Entities = (),
        triples: p.Triples = (),
        at: p.SaidAt = None,
        key: p.Key = None,
        why: p.Why = None,
        extractor: p.Rereader = None,
        dry_run: p.DryRun = False,
    ) -> Receipt:
        """Correct a memory: a new one takes its place from when it holds, and the old one stays readable.

        What is not given is kept as it was, except when it happened. The new memory holds from its event_time or from
        when it was said, whichever is earlier: give the old event_time to say that it was never as first remembered.
        Facts follow the wording: they are the triples that are given, else what is read in the new words. Those that the
        old words stated and the new ones do not are closed.
        """
        otherwise = {
            "content": content,
            "kind": kind,
            "title": title,
            "tags": tags,
            "meta": self._attributed({"meta": meta, "observed_by": None})["meta"],
            "tier": tier,
            "importance": importance,
            "confidence": confidence,
            "event_time": event_time,
            "expires_at": expires_at,
            "entities": entities,
            "triples": triples,
            "at": at,
            "key": key,
        }
        said = utc_or_none(at, "at") or self._now()
        reread = None if triples else self._journey(space).reread(id, content, said, extractor)
        named = [*entities, *(map(DraftEntity, reread.names) if reread else ())][: limits.ENTITIES_OF_A_MEMORY]
        draft = _draft({"content": content, "entities": named, "triples": triples, "key": key})
        reading = self._read(space, [draft], dry_run)
        return self._write(space, lambda act: revise(act, id, otherwise, why, reading, reread), dry_run)

    def _item_draft(self, number: int, item: dict[str, Any]) -> Draft:
        try:
            return _draft(self._attributed(table(Remembers)["add"].check(item)))
        except CallerError as error:
            raise type(error)(f"items[{number}].{error}") from None

    def _attributed(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """What is reported in another's name says who has written it; nobody says that of themselves."""
        meta, reported, writer = arguments["meta"], arguments["observed_by"], self._writer.actor
        if meta and meta.get(WRITTEN_BY, writer) != writer:
            raise InvalidRequest(f"meta: {WRITTEN_BY} says who has written it, and is written here; leave it out")
        if reported in (None, writer):
            return arguments
        return {**arguments, "meta": {**(meta or {}), WRITTEN_BY: writer}}

    def _attributed_file(self, read: FileRead, reported: str | None) -> FileRead:
        """What a file says of its own records is not who has written them here."""

        def held(said: Filed) -> Filed:
            memories = tuple((self._written(draft, reported), span) for draft, span in said.memories)
            return replace(said, draft=self._written(said.draft, reported), memories=memories)

        return replace(read, sources=tuple(map(held, read.sources)))

    def _written(self, draft: Draft, reported: str | None) -> Draft:
        limits.must_be_whole(draft.meta, "meta")
        if not draft.meta or WRITTEN_BY not in draft.meta:
            return draft
        return replace(draft, meta=written(draft.meta, reported, self._writer.actor) or None)


_ABOUT_THE_CALL = {"space", "dry_run"}


def told_in(arguments: dict[str, Any]) -> Telling:
    """From the checked arguments of `remember`."""
    manner = SharedFields(
        **{name: arguments[name] for name in ("tags", "meta", "observed_by", "visible_to")},
        visibility=Visibility(arguments["visibility"]),
    )
    content, at = arguments["content"], utc_or_none(arguments["at"], "at")
    said = Utterance(content or "", arguments["speaker"], arguments["session"], at, arguments["key"])
    told = telling(content, arguments["messages"], arguments["drafts"], said, manner, arguments["extractor"])
    if told.drawn:  # their places are those in the whole
        return told
    return replace(told, said=tuple(part for one in told.said for part in in_parts(one)))


def _draft(arguments: dict[str, Any]) -> Draft:
    """From the checked arguments of `add`: every one but those about the call itself is a field of the draft."""
    return Draft(**{name: value for name, value in arguments.items() if name not in _ABOUT_THE_CALL})
