"""THE DOOR: everything Treering can do, one short method each.

A method's signature and docstring are what every face shows; the work is done in the rooms. One clock reading an
operation, one way to write, and every read bound to its space, moment and principal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from treering import parameters as p
from treering.errors import CallerError, NotFound
from treering.exchange.journal import Exported, Imported, export_journal, import_journal
from treering.graph import entities as entities_room
from treering.graph import facts as facts_room
from treering.graph import links as links_room
from treering.graph.entities import Merge, Registration
from treering.graph.facts import Asserted
from treering.graph.history import History
from treering.graph.history import history as history_of
from treering.graph.links import Linked, Unlinked, WindowMoved
from treering.ingest import add as add_room
from treering.ingest.draft import Draft
from treering.ingest.extract.contract import Extractor
from treering.ingest.extract.extractors import Extractors
from treering.ingest.hear import Kept, Manner, Said, hear
from treering.ingest.jobs import PATIENT, Done, RetryPolicy, Watch, WorkedOff, Worker
from treering.ingest.journey import Journey
from treering.ingest.later import remember_later
from treering.ingest.reading import Reading, read_drafts, read_passages
from treering.ingest.receipt import Receipt
from treering.ingest.telling import Telling, telling
from treering.ingest.undo import Undone, undo_edge, undo_entries
from treering.mind import NO_EMBEDDER
from treering.mind.contract import Embedder, Passage
from treering.mind.minds import Minds
from treering.model import limits
from treering.model.changes import Changes, SettingChanged
from treering.model.entity import Entity
from treering.model.fact import Statement
from treering.model.identity import Identity
from treering.model.ids import mint
from treering.model.job import Asked, Job, JobStatus, Stage
from treering.model.journal import Entry
from treering.model.memory import Kind, Memory, Tier, View, Visibility
from treering.model.setting import SETTINGS, checked_setting
from treering.model.space import DEFAULT_SPACE, space_name
from treering.model.time import Clock, from_micros, system_clock, utc, utc_or_none
from treering.model.value import Value, plain
from treering.operation import READS, REMOVES, WRITES, WRITES_ONCE, Operation, operation, table
from treering.recall.answer import Answer, Context, WhyNot
from treering.recall.listing import Page, page
from treering.store import open_store
from treering.store.admission import known_time
from treering.store.contract import Act, MemoryFilter, Reader, Scope, Store, Writer
from treering.store.naming import entity_of, missing
from treering.store.verify import Verification, verify
from treering.upkeep.forget import Hidden, set_forgotten
from treering.upkeep.purge import PurgeReport, purge
from treering.upkeep.reembed import Progress, Reembedded, Work, finish, reembed, take_over
from treering.version import VERSION

if TYPE_CHECKING:
    from treering.recall.find import Finder
    from treering.recall.wish import Wish
    from treering.settings import Settings

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Status(Value):
    """How a space and its store are doing at a moment."""

    version: str
    space: str
    seq: int
    changed_at: datetime | None
    head_hash: str
    memories: dict[str, int]
    entities: int
    edges: int
    spaces: int
    store: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Diagnosis(Value):
    """What `doctor` found and did."""

    ok: bool
    before: Verification
    repaired: tuple[str, ...] = ()
    after: Verification | None = None


class Treering:
    """Memory for an agent: open it with `treering.open`, close it when done (it is a context manager)."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock = system_clock,
        actor: str = "local",
        identity: Identity | None = None,
        space: str = DEFAULT_SPACE,
        embedder: str | Embedder = NO_EMBEDDER,
        minds: Minds | None = None,
        extractors: Extractors | None = None,
    ) -> None:
        """`embedder` and `extractors`: who reads spaces that chose none of their own."""
        self._store = store
        self._extractors = extractors or Extractors()
        self._minds = minds or Minds(embedder)
        self._found: list[Finder] = []
        self._progress: Progress = _unseen
        self._clock = clock
        self._writer = Writer(limits.text(actor, "actor", limits.NAME_CHARS, least=1), identity)
        self._space = space_name(space)

    def space(self, name: str) -> Treering:
        """The same door, bound to a space."""
        bound = copy(self)
        bound._space = space_name(name)
        return bound

    def watched(self, progress: Progress) -> Treering:
        """The same door, telling of long work as it goes: `progress(done, of)` after every step."""
        watched = copy(self)
        watched._progress = progress
        return watched

    # how every operation reads and writes

    @contextmanager
    def _reading(
        self,
        space: str | None,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        principal: str | None = None,
        children: bool = False,
    ) -> Iterator[Reader]:
        with self._store.reader(self._scope(space, as_of, known_at, principal, children)) as reader:
            yield reader

    def _scope(
        self,
        space: str | None,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        principal: str | None = None,
        children: bool = False,
    ) -> Scope:
        who = self._writer.actor if principal is None else principal
        moment = utc_or_none(as_of, "as_of"), utc_or_none(known_at, "known_at")
        return Scope(space or self._space, self._now(), *moment, who, children)

    @property
    def _finder(self) -> Finder:
        """Made at the first question: what it stands on takes time to load."""
        if not self._found:
            from treering.recall.find import Finder

            self._found.append(Finder(self._store, self._minds))
        return self._found[0]

    def _write(
        self,
        space: str | None,
        planned: Callable[[Act], tuple[Changes, T]],
        dry_run: bool = False,
        now: datetime | None = None,
    ) -> T:
        """Plans under the write lock, writes what is to change, and answers with the plan's result.

        A dry run is the same without the writing. `now`: the reading of the clock that several writes share.
        """
        name, now = space or self._space, now or self._now()
        fresh, results = mint(now), list[T]()

        def plan(reader: Reader, at: datetime) -> Changes:
            changes, result = planned(Act(reader, name, self._writer, now, at, fresh))
            results.append(result)
            return changes

        if dry_run:
            with self._store.reader(Scope(name, now, principal=self._writer.actor)) as reader:
                plan(reader, known_time(now, reader.head))
            return replace(results[-1], dry_run=True)  # type: ignore[type-var]
        self._store.write(name, self._writer, now, plan)
        self._keep_indexes()
        return results[-1]

    def _keep_indexes(self) -> None:
        for finder in self._found:
            finder.keep_indexes()

    def _drop_indexes(self, space: str) -> None:
        for finder in self._found:
            finder.drop_indexes(space)

    def _read(self, space: str | None, drafts: list[Draft], skip: bool) -> Reading:
        """What the space's embedder makes of the drafts, before anything is locked."""
        if skip:
            return add_room.NOTHING_READ
        name = space or self._space
        with self._store.reader(Scope(name, from_micros(0))) as reader:  # at present, whatever the clock says
            own = reader.setting("embedder")
            new = [one for one in drafts if one.key is None or reader.source_by_key(one.key) is None]
        return read_drafts(self._minds.reads(own, self._store.embedders(name)), own, new)

    def _entry(self, space: str | None, seq: int) -> Entry:
        entry = next(self._store.entries(space or self._space, seq - 1, 1), None) if seq > 0 else None
        if entry is None or entry.seq != seq:
            raise NotFound(f"what: there is no entry {seq} in the journal of {space or self._space}")
        return entry

    def _journey(self, space: str | None) -> Journey:
        name = space or self._space
        return Journey(_Ground(self, name), self._extractors, name, self._progress)

    def _now(self) -> datetime:
        return utc(self._clock(), "clock")

    def _chosen(self, space: str | None) -> p.Names:
        return [space] if space is not None else [one.name for one in self._store.spaces()]

    # remembering

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
        told = _told(locals())
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
        entries = [self._entry(space, int(one)) for one in sorted(set(numbers), key=int)]
        return self._write(space, lambda act: undo_entries(act.reader, entries, why), dry_run)

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
        strength: p.Strength = 1.0,
        tier: p.Tier = Tier.MID,
        event_time: p.EventTime = None,
        event_end: p.EventEnd = None,
        expires_at: p.ExpiresAt = None,
        entities: p.Entities = (),
        triples: p.Triples = (),
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
        drafts = [_draft(locals())]
        reading = self._read(space, drafts, dry_run)
        return self._write(space, lambda act: add_room.add(act, drafts, "add", reading), dry_run)

    @operation(WRITES)
    def add_many(
        self, items: p.Items, *, space: p.Space = None, embed_later: p.EmbedLater = False, dry_run: p.DryRun = False
    ) -> Receipt:
        """Remember many statements at once, all or none, in one journal entry."""
        drafts = [_item_draft(number, item) for number, item in enumerate(items)]
        reading = self._read(space, drafts, dry_run or embed_later)
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
        embed_later: p.EmbedLater = False,
        dry_run: p.DryRun = False,
    ) -> Receipt:
        """Remember a file, section by section; of an exported chat, message by message.

        Markdown, text, HTML, PDF, DOCX, JSON, JSON Lines and chat exports are read, never by a language model. The same
        file again is recognised and not written twice.
        """
        from treering.ingest import add_file as file_room
        from treering.ingest.files.opened import opened
        from treering.ingest.files.read import read_file

        named, data = opened(file, name)
        given = Draft(
            content=named,
            at=utc_or_none(at, "at"),
            speaker=speaker,
            session=session,
            tags=tags,
            meta=meta,
            observed_by=observed_by,
            visibility=Visibility(visibility),
        )
        read = read_file(named, data, given)
        with self._reading(space) as reader:
            known = file_room.known_already(reader, read, key, self._writer.actor)
        reading = self._read(space, known.new(read), dry_run or embed_later)
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
        importance: p.OtherImportance = None,
        confidence: p.OtherConfidence = None,
        event_time: p.EventTime = None,
        expires_at: p.ExpiresAt = None,
        entities: p.Entities = (),
        triples: p.Triples = (),
        at: p.SaidAt = None,
        key: p.Key = None,
        why: p.Why = None,
        dry_run: p.DryRun = False,
    ) -> Receipt:
        """Correct a memory: a new one takes its place from when it holds, and the old one stays readable.

        What is not given is kept as it was, except when it happened. The new memory holds from its event_time or from
        when it was said, whichever is earlier: give the old event_time to say that it was never as first remembered. If
        triples are given, facts that rest on the old memory and are not stated again are closed.
        """
        otherwise = {
            "content": content,
            "kind": kind,
            "title": title,
            "tags": tags,
            "meta": meta,
            "importance": importance,
            "confidence": confidence,
            "event_time": event_time,
            "expires_at": expires_at,
            "entities": entities,
            "triples": triples,
            "at": at,
            "key": key,
        }
        said = {"content": content, "entities": entities, "triples": triples, "key": key}
        reading = self._read(space, [_draft(said)], dry_run)
        return self._write(space, lambda act: add_room.revise(act, id, otherwise, why, reading), dry_run)

    # reading

    @operation(READS)
    def get(
        self,
        id: p.MemoryId,
        *,
        space: p.Space = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Memory:
        """One memory by its id, in whatever state it is at the moment."""
        with self._reading(space, as_of, known_at, principal, children) as reader:
            memory = reader.memory(id)
            if memory is None:
                raise missing(reader, id, "id", "memory")
            return memory

    @operation(READS)
    def list(
        self,
        *,
        space: p.Space = None,
        view: p.View = View.CURRENT,
        kinds: p.Kinds = None,
        tags: p.WithTags = (),
        entities: p.Mentioning = (),
        session: p.InSession = None,
        speaker: p.BySpeaker = None,
        since: p.Since = None,
        until: p.Until = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        order: p.Order = "oldest",
        limit: p.Limit = 50,
        cursor: p.Cursor = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Page:
        """Memories by filter, page by page, in the order they were learned."""
        which = MemoryFilter(
            view=View(view),
            kinds=None if kinds is None else tuple(Kind(kind) for kind in kinds),
            tags=tuple(tags),
            session=session,
            speaker=speaker,
            since=utc_or_none(since, "since"),
            until=utc_or_none(until, "until"),
            newest_first=order == "newest",
        )
        with self._reading(space, as_of, known_at, principal, children) as reader:
            return page(reader, which, tuple(entities), cursor, limit)

    @operation(READS)
    def recall(
        self,
        query: p.Query,
        *,
        space: p.Space = None,
        limit: p.Hits = 10,
        view: p.Looking = "auto",
        kinds: p.Kinds = None,
        tags: p.WithTags = (),
        entities: p.Mentioning = (),
        session: p.InSession = None,
        speaker: p.BySpeaker = None,
        since: p.Since = None,
        until: p.Until = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        min_score: p.MinScore = None,
        recency_bias: p.RecencyBias = None,
        diversify: p.Diversify = 0.0,
        include_source: p.IncludeSource = True,
        explain: p.Explain = False,
        budget_tokens: p.BudgetTokens = None,
        neighbours: p.Neighbours = 0,
        children: p.Children = False,
        principal: p.Principal = None,
    ) -> Answer:
        """Find what is known about a question, by meaning, words, graph and time together. Changes nothing."""
        wish = _wish(locals())
        return self._finder.recall(self._scope(space, as_of, known_at, principal, children), wish)

    @operation(READS)
    def context(
        self,
        query: p.Query,
        *,
        space: p.Space = None,
        budget_tokens: p.Budget = 2_000,
        format: p.Format = "markdown",
        view: p.Looking = "auto",
        kinds: p.Kinds = None,
        tags: p.WithTags = (),
        entities: p.Mentioning = (),
        session: p.InSession = None,
        speaker: p.BySpeaker = None,
        since: p.Since = None,
        until: p.Until = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        children: p.Children = False,
        principal: p.Principal = None,
    ) -> Context:
        """What is known about a question as a block of text for a prompt: dated, cited, and quoted as data.

        What holds comes first, and what no longer does under a heading of its own. What happened or was said in a
        conversation is in order of time, the rest in order of rank. Never over budget; empty if nothing is known.
        """
        from treering.recall.context import context

        wish = _wish(locals())
        scope = self._scope(space, as_of, known_at, principal, children)
        return context(self._store, self._finder, scope, wish, format)

    @operation(READS)
    def why_not(
        self,
        query: p.Query,
        id: p.MemoryId,
        *,
        space: p.Space = None,
        limit: p.Hits = 10,
        view: p.Looking = "auto",
        kinds: p.Kinds = None,
        tags: p.WithTags = (),
        entities: p.Mentioning = (),
        session: p.InSession = None,
        speaker: p.BySpeaker = None,
        since: p.Since = None,
        until: p.Until = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        min_score: p.MinScore = None,
        principal: p.Principal = None,
    ) -> WhyNot:
        """What keeps a memory out of what `recall` answers to the same question and wishes."""
        from treering.recall.why_not import why_not

        wish = _wish(locals())
        return why_not(self._store, self._finder, self._scope(space, as_of, known_at, principal), wish, id)

    @operation(READS)
    def history(
        self, id: p.AnyId, *, space: p.Space = None, known_at: p.KnownAt = None, principal: p.Principal = None
    ) -> History:
        """Everything that ever happened to a memory, entity or edge: when, by whom, by which rule and why."""
        with self._reading(space, None, known_at, principal) as reader:
            return history_of(reader, id)

    # forgetting

    @operation(WRITES_ONCE)
    def forget(self, id: p.Id, *, space: p.Space = None, why: p.Why = None, dry_run: p.DryRun = False) -> Hidden:
        """Hide a memory, and the edges that touch or rest on it, from every reading; nothing is removed."""
        return self._write(space, lambda act: set_forgotten(act.reader, id, True, why), dry_run)

    @operation(WRITES_ONCE)
    def restore(self, id: p.Id, *, space: p.Space = None, why: p.Why = None, dry_run: p.DryRun = False) -> Hidden:
        """Bring back what was forgotten, exactly as it was."""
        return self._write(space, lambda act: set_forgotten(act.reader, id, False, why), dry_run)

    @operation(REMOVES)
    def purge(self, id: p.MemoryId, why: p.Reason, *, space: p.Space = None, dry_run: p.DryRun = False) -> PurgeReport:
        """Remove a memory's bytes everywhere, with all that quotes it. This alone cannot be undone."""
        words = self.get(id, space=space).content
        report = self._write(space, lambda act: purge(act.reader, id, why), dry_run)
        report = replace(report, jobs=self._store.jobs.saying(space or self._space, self._writer.actor, words))
        if dry_run:
            return report
        self._drop_indexes(space or self._space)
        return replace(report, scrubbed=self._store.scrub())

    # jobs

    @operation(WRITES)
    def enqueue(
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
    ) -> Job:
        """Accept something to be remembered later, as `remember` would: it is on disk when this answers.

        `run_jobs` does it, here or in any other process. Jobs of one session are done in order. The same key again
        answers the same job.
        """
        request = {name: value for name, value in locals().items() if name not in ("self", "space")}
        told = _told(request)
        self._write(space, lambda act: self._would_hear(act, told), dry_run=True)
        now, signs = self._now(), self._writer.identity
        asked = Asked(
            id=mint(now)(),
            space=space or self._space,
            actor=self._writer.actor,
            kind="remember",
            request=plain(request),
            sources=len(told.said),
            session=session,
            key=key,
            signer=None if signs is None else signs.public,
        )
        return self._store.jobs.put(asked, now)

    @operation(READS)
    def job(self, id: p.JobId, *, space: p.Space = None, principal: p.Principal = None) -> Job:
        """One of your jobs: where it stands, how far it came, and what came of it."""
        return _own_job(self._store.jobs.get(space or self._space, principal or self._writer.actor, id), id)

    @operation(READS)
    def jobs(
        self,
        *,
        space: p.Space = None,
        status: p.OfStatus = None,
        limit: p.Limit = 50,
        principal: p.Principal = None,
    ) -> p.Jobs:
        """Your jobs, the newest first."""
        chosen = None if status is None else JobStatus(status)
        return self._store.jobs.listed(space or self._space, principal or self._writer.actor, chosen, limit)

    @operation(WRITES_ONCE)
    def cancel_job(self, id: p.JobId, *, space: p.Space = None) -> Job:
        """Drop a job. If a worker is at it, it stops after the source it is at; what was remembered by then stays."""
        return _own_job(self._store.jobs.cancel(space or self._space, self._writer.actor, id, self._now()), id)

    @operation(WRITES_ONCE)
    def retry_job(self, id: p.JobId, *, space: p.Space = None) -> Job:
        """Try a job again that failed before its words were stored."""
        return _own_job(self._store.jobs.revive(space or self._space, self._writer.actor, id, self._now()), id)

    @operation(WRITES_ONCE)
    def run_jobs(self, *, limit: p.MostJobs = None) -> WorkedOff:
        """Do the jobs that are ready, of all spaces, each on behalf of who asked for it."""
        return self.worker().work_off(limit)

    def worker(self, policy: RetryPolicy = PATIENT) -> Worker:
        """One that does jobs until it is told to stop: run its `work` in a thread of your own."""
        signs = self._writer.identity
        signer = None if signs is None else signs.public
        return Worker(self._store.jobs, self._do_job, clock=self._now, policy=policy, signer=signer)

    def _do_job(self, job: Job, request: Mapping[str, Any], watch: Watch) -> Done:
        door = self.space(job.space).watched(lambda done, of: watch.progress(done, of, Stage.STORED))
        if job.actor != self._writer.actor:
            door._writer = Writer(job.actor)
        return remember_later(job, request, watch, door.remember, door._has_key)

    def _would_hear(self, act: Act, told: Telling) -> tuple[Changes, Kept]:
        self._extractors.name(told.extractor, act.reader.setting("extractor"))
        return hear(act, told.said, told.manner)

    def _has_key(self, key: str) -> bool:
        with self._reading(None) as reader:
            return reader.source_by_key(key) is not None

    # the graph

    @operation(WRITES_ONCE)
    def link(
        self,
        source: p.Newer,
        target: p.Older,
        relation: p.LinkRelation = "related_to",
        *,
        space: p.Space = None,
        strength: p.TieStrength = 1.0,
        meta: p.Meta = None,
        valid_from: p.LinkedFrom = None,
        why: p.Why = None,
    ) -> Linked:
        """Link two memories. A link that stands already is answered, not doubled."""
        tie = links_room.Tie(strength, meta, utc_or_none(valid_from, "valid_from"), why)
        return self._write(space, lambda act: links_room.link(act, source, target, relation, tie))

    @operation(WRITES_ONCE)
    def unlink(
        self,
        source: p.Newer,
        target: p.Older,
        relation: p.LinkRelation = "related_to",
        *,
        space: p.Space = None,
        why: p.Why = None,
    ) -> Unlinked:
        """Forget a link between two memories; `restore` with the edge's id brings it back."""
        return self._write(space, lambda act: links_room.unlink(act.reader, source, target, relation, why))

    @operation(WRITES_ONCE)
    def invalidate(
        self,
        source: p.Node,
        target: p.Node,
        relation: p.Relation,
        *,
        at: p.ClosedAt = None,
        space: p.Space = None,
        why: p.Why = None,
    ) -> WindowMoved:
        """Close an edge's window: it was true before that time and is not from then on. Repeating changes nothing."""
        end = utc_or_none(at, "at")
        return self._write(
            space, lambda act: links_room.invalidate(act.reader, source, target, relation, end or act.now, why)
        )

    @operation(WRITES_ONCE)
    def reopen(self, source: p.Node, target: p.Node, relation: p.Relation, *, space: p.Space = None) -> WindowMoved:
        """Undo the latest closing of an edge: its window ends again where it did before."""
        return self._write(space, lambda act: links_room.reopen(act.reader, source, target, relation))

    @operation(WRITES)
    def assert_fact(
        self,
        subject: p.EntityRef,
        relation: p.Relation,
        object: p.EntityRef,
        *,
        space: p.Space = None,
        valid_from: p.ValidFrom = None,
        valid_until: p.ValidUntil = None,
        confidence: p.Confidence = 1.0,
        memory_id: p.Evidence = None,
        supersede: p.Supersede = False,
    ) -> Asserted:
        """State a fact between two entities; entities are made as needed."""
        window = utc_or_none(valid_from, "valid_from"), utc_or_none(valid_until, "valid_until")
        fact = Statement(subject, relation, object, *window, confidence, memory_id)
        return self._write(space, lambda act: facts_room.assert_facts(act, [fact], supersede, "assert_fact"))

    @operation(WRITES)
    def assert_facts(self, facts: p.Statements, *, space: p.Space = None, supersede: p.Supersede = False) -> Asserted:
        """State many facts at once, all or none."""
        stated = [Statement.read(fact) for fact in facts]
        return self._write(space, lambda act: facts_room.assert_facts(act, stated, supersede, "assert_facts"))

    @operation(READS)
    def facts(
        self,
        *,
        space: p.Space = None,
        subject: p.OfSubject = None,
        relation: p.OneRelation = None,
        object: p.AboutObject = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        include_closed: p.IncludeClosed = False,
        limit: p.FactLimit = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> p.Facts:
        """Facts between entities that hold at the moment, with their windows and evidence."""
        with self._reading(space, as_of, known_at, principal, children) as reader:
            return facts_room.facts(reader, subject, relation, object, include_closed, limit)

    @operation(WRITES_ONCE)
    def entity_register(
        self, name: p.CanonicalName, *, space: p.Space = None, aliases: p.Aliases = (), kind: p.EntityKind = None
    ) -> Registration:
        """Make an entity known by name and aliases. One of that name is reused, and new aliases are added to it."""
        return self._write(space, lambda act: entities_room.register(act, name, tuple(aliases), kind))

    @operation(READS)
    def entity_get(
        self,
        alias: p.EntityRef,
        *,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Entity:
        """The entity that answers to a name, alias or id, with all its names; the newest if several do."""
        with self._reading(space, None, known_at, principal, children) as reader:
            return entity_of(reader, alias, "alias")

    @operation(WRITES_ONCE)
    def entity_merge(
        self, entity: p.EntityRef, into: p.EntityRef, *, space: p.Space = None, why: p.Why = None
    ) -> Merge:
        """Join two entities that are one: names and edges of the first follow into the second. A split undoes it."""
        return self._write(space, lambda act: entities_room.merge(act.reader, entity, into, why))

    @operation(WRITES_ONCE)
    def entity_split(self, entity_id: p.MergedId, *, space: p.Space = None, why: p.Why = None) -> Merge:
        """Undo a merge: the entity stands for itself again, with its own names and edges."""
        return self._write(space, lambda act: entities_room.split(act.reader, entity_id, why))

    # the store

    @operation(READS)
    def spaces(self, *, prefix: p.Prefix = None) -> p.Spaces:
        """The spaces of the store, with how far each journal has come."""
        every = self._store.spaces()
        return [one for one in every if prefix is None or one.name == prefix or one.name.startswith(prefix + "/")]

    @operation(READS)
    def status(
        self,
        *,
        space: p.Space = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Status:
        """Counts by state, the journal's head, and what the store is."""
        with self._reading(space, as_of, known_at, principal, children) as reader:
            counts, head = reader.counts(), reader.head
        return Status(
            version=VERSION,
            space=space or self._space,
            seq=head.seq,
            changed_at=head.at,
            head_hash=head.hash,
            memories=dict(counts.memories),
            entities=counts.entities,
            edges=counts.edges,
            spaces=len(self._store.spaces()),
            store=self._store.describe(),
        )

    @operation(WRITES_ONCE)
    def settings(self, changes: p.SettingChanges = {}, *, space: p.Space = None) -> dict[str, Any]:
        """What a space decides for itself: changes what is given, answers all."""
        checked = {name: checked_setting(name, value) for name, value in changes.items()}

        def planned(act: Act) -> tuple[Changes, dict[str, Any]]:
            now = {name: act.reader.setting(name) for name in SETTINGS}
            new = {name: value for name, value in checked.items() if value != now[name]}
            return Changes("settings", tuple(SettingChanged(*one) for one in new.items())), {**now, **new}

        return self._write(space, planned)

    @operation(READS)
    def verify(self, *, space: p.OneSpace = None) -> Verification:
        """Recompute the hash chain, check every signature, replay the journal and compare every row."""
        return verify(self._store, space)

    @operation(WRITES_ONCE)
    def doctor(self, *, repair: p.Repair = False, space: p.OneSpace = None) -> Diagnosis:
        """Verify, and if asked mend: tables that differ from the journal are made again from it."""
        before = verify(self._store, space)
        broken = sorted({one.space for one in before.differences if one.table is not None})
        if not repair or not broken:
            return Diagnosis(ok=before.ok, before=before)
        for name in broken:
            self._store.rebuild(name)
            self._drop_indexes(name)
        after = verify(self._store, space)
        return Diagnosis(ok=after.ok, before=before, repaired=tuple(broken), after=after)

    @operation(WRITES_ONCE)
    def reembed(self, embedder: p.EmbedderName = None, *, space: p.Space = None, limit: p.Things = None) -> Reembedded:
        """Let an embedder read what it has not read yet.

        If it is another than the space's own, it takes over when it has read all. Reading goes on with the old one until
        then. What was read is kept: run it again to go on.
        """
        name = space or self._space
        with self._store.reader(Scope(name, self._now())) as reader:
            own = reader.setting("embedder")
        work = Work(name, self._minds.choose(own, self._store.embedders(name)), embedder, limit)
        done = reembed(self._store, self._minds, work, self._progress)
        if done.switched:
            done = self._write(space, lambda act: take_over(act, done))
        if done.complete and embedder is not None:
            done = finish(self._store, self._minds, done, self._progress)
        self._keep_indexes()
        return done

    @operation(READS)
    def export(self, path: p.NewFile, *, space: p.OneSpace = None) -> Exported:
        """Write the journal as JSON Lines: lossless, and importable anywhere."""
        return export_journal(self._store, Path(path).expanduser(), self._chosen(space))

    @operation(WRITES_ONCE)
    def import_journal(self, path: p.JournalFile, *, space: p.NewName = None) -> Imported:
        """Take in an exported journal by replay, all or nothing; what is here already is passed over."""
        return import_journal(self._store, Path(path).expanduser(), space)

    @operation(READS)
    def backup(self, path: p.NewFile) -> str:
        """Copy the whole store to another file while others go on using it."""
        self._store.backup(Path(path).expanduser())
        return path

    # the door itself

    def close(self) -> None:
        for finder in self._found:
            finder.close()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Treering({self._store.describe()['url']!r}, space={self._space!r}, actor={self._writer.actor!r})"


class _Ground:
    """The door as the journey of a sentence sees it: one space of it."""

    def __init__(self, door: Treering, space: str) -> None:
        self._door, self._space, self._now = door, space, door._now()

    @property
    def _scope(self) -> Scope:
        return Scope(self._space, self._now, principal=self._door._writer.actor)

    def write(self, planned: Callable[[Act], tuple[Changes, T]], dry_run: bool) -> T:
        return self._door._write(self._space, planned, dry_run, self._now)

    def reading(self) -> AbstractContextManager[Reader]:
        return self._door._store.reader(self._scope)

    def embed(self, passages: Sequence[Passage]) -> Reading:
        with self.reading() as reader:
            own = reader.setting("embedder")
        embedder = self._door._minds.reads(own, self._door._store.embedders(self._space))
        return read_passages(embedder, own, passages)

    def nearest(self, reading: Reading, passages: Sequence[Passage], limit: int) -> list[list[tuple[str, float]]]:
        if not reading.read:
            return [[] for _ in passages]
        vectors = [reading.vector(passage) for passage in passages]
        return self._door._finder.nearest(self._scope, reading.embedder, vectors, limit)


def _unseen(done: int, of: int) -> None:
    """Progress that nobody looks at."""


def _own_job(job: Job | None, job_id: str) -> Job:
    if job is None:
        raise NotFound(f"id: you have no job {job_id!r} here; `jobs` lists those of a space")
    return job


OPERATIONS: dict[str, Operation] = table(Treering)
"""Every capability, for the faces to loop over."""


_ABOUT_THE_CALL = {"self", "space", "dry_run"}
_WISHED = {
    "query",
    "limit",
    "min_score",
    "recency_bias",
    "diversify",
    "include_source",
    "explain",
    "budget_tokens",
    "neighbours",
}


def _wish(arguments: dict[str, Any]) -> Wish:
    """From the checked arguments of a question."""
    from treering.recall.wish import Looking, Wish

    given = {name: value for name, value in arguments.items() if name in _WISHED}
    kinds = arguments["kinds"]
    which = MemoryFilter(
        kinds=None if kinds is None else tuple(Kind(kind) for kind in kinds),
        tags=tuple(arguments["tags"]),
        session=arguments["session"],
        speaker=arguments["speaker"],
        since=utc_or_none(arguments["since"], "since"),
        until=utc_or_none(arguments["until"], "until"),
    )
    return Wish(
        **given,
        view=Looking(str(arguments["view"])),
        which=which,
        entities=tuple(arguments["entities"]) or None,
    )


def _told(arguments: dict[str, Any]) -> Telling:
    """From the checked arguments of `remember`."""
    manner = Manner(
        **{name: arguments[name] for name in ("tags", "meta", "observed_by", "visible_to")},
        visibility=Visibility(arguments["visibility"]),
    )
    content, at = arguments["content"], utc_or_none(arguments["at"], "at")
    said = Said(content or "", arguments["speaker"], arguments["session"], at, arguments["key"])
    return telling(content, arguments["messages"], arguments["drafts"], said, manner, arguments["extractor"])


def _item_draft(number: int, item: dict[str, Any]) -> Draft:
    try:
        return _draft(OPERATIONS["add"].check(item))
    except CallerError as error:
        raise type(error)(f"items[{number}].{error}") from None


def _draft(arguments: dict[str, Any]) -> Draft:
    """From the checked arguments of `add`: every one but those about the call itself is a field of the draft."""
    return Draft(**{name: value for name, value in arguments.items() if name not in _ABOUT_THE_CALL})


def open(  # noqa: A001
    url: str | Path | None = None,
    *,
    clock: Clock = system_clock,
    actor: str | None = None,
    identity: Identity | None = None,
    space: str | None = None,
    durability: str | None = None,
    embedder: str | Embedder | None = None,
    extractor: str | None = None,
) -> Treering:
    """Opens a store: a file path, `:memory:`, or by default what TREERING_URL says, else the user's own file."""
    from treering import settings

    default = settings.read()
    store = open_store(str(url) if url is not None else default.url, durability or default.durability)
    return Treering(
        store,
        clock=clock,
        actor=actor or default.actor,
        identity=identity or default.identity,
        space=space or default.space,
        minds=Minds(embedder or default.embedder, default.embedders),
        extractors=_extractors(store, default, extractor, clock),
    )


def _extractors(store: Store, default: Settings, chosen: str | None, clock: Clock) -> Extractors:
    """With a language model, if one is set up."""
    if not default.llm:
        return Extractors(chosen or default.extractor)

    readers: dict[str, Extractor] = {}

    def by_model(space: str, rules: Extractor) -> Extractor:
        """One a space: it knows what its requests under way may cost."""
        if space in readers:
            return readers[space]
        from treering.ingest.extract.budget import Budget
        from treering.ingest.extract.llm import ByModel
        from treering.ingest.extract.purse import PurseInStore
        from treering.mind.llm import open_model

        budget = Budget(tokens=default.llm_tokens)
        model, purse = open_model(**default.llm), PurseInStore(store)
        return readers.setdefault(space, ByModel(model, rules, purse, space=space, budget=budget, clock=clock))

    return Extractors(chosen or default.extractor, {"llm": by_model})
