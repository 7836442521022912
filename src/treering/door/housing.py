"""The part of the door for the store itself: spaces, settings, checks, copies."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from treering import parameters as p
from treering.door.ground import Ground
from treering.errors import Fault, InvalidRequest
from treering.exchange.journal import Exported, Imported, export_journal, import_journal
from treering.files import Scratch
from treering.model import limits
from treering.model.changes import Changes, SettingChanged
from treering.model.meta import EMPTY, Meta
from treering.model.setting import SETTINGS, checked_setting
from treering.model.space import SpaceInfo
from treering.model.value import Value
from treering.operation import READS, WRITES_ONCE, operation
from treering.store.contract import Act, Scope
from treering.store.verify import Verification, verify
from treering.upkeep.reembed import Reembedded, ReembedWish, finish, reembed, take_over
from treering.values import dataclass
from treering.version import VERSION

T = TypeVar("T")

MOST_KEPT = 10_000
"""Of so many spaces and actors it is kept at hand when something that they may see was written last."""


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
class Described(Value):
    """What a space is for."""

    space: str
    description: str | None = None
    metadata: Meta = EMPTY


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Diagnosis(Value):
    """What `doctor` found and did. `set_aside`: where the damaged file lies, if the whole file was made anew from its
    journals; `lost` names what is in no journal and could not all be read from it, such as vectors, which `reembed`
    makes again. `trouble` says why something could not be mended."""

    ok: bool
    before: Verification
    repaired: tuple[str, ...] = ()
    after: Verification | None = None
    set_aside: str | None = None
    lost: tuple[str, ...] = ()
    trouble: str | None = None


class Houses(Ground):
    """The store and its spaces."""

    @operation(READS)
    def spaces(self, *, prefix: p.Prefix = None) -> p.Spaces:
        """The spaces of the store, with how far each journal has come."""
        every = self._store.spaces()
        below = [one for one in every if prefix is None or one.name == prefix or one.name.startswith(prefix + "/")]
        return [replace(one, changed_at=self._changed_at(one)) for one in below]

    def _changed_at(self, info: SpaceInfo) -> datetime:
        """As far as the actor may know: what others write in private does not count."""
        key = info.name, self._writer.actor
        seq, at = self._changes.get(key, (0, None))
        if seq != info.seq or at is None:
            try:
                with self._store.reader(Scope(info.name, self._now(), principal=self._writer.actor)) as reader:
                    seq, at = reader.head.seq, reader.last_told() or info.created_at
            except Fault:  # of a damaged file it must still be told which spaces it has; `verify` says what is wrong
                return info.created_at
            if len(self._changes) >= MOST_KEPT:
                self._changes.clear()
            self._changes[key] = seq, at
        return at

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
            counts, head, changed_at = reader.counts(), reader.head, reader.last_told()
        return Status(
            version=VERSION,
            space=space or self._space,
            seq=head.seq,
            changed_at=changed_at,
            head_hash=head.hash,
            memories=dict(counts.memories),
            entities=counts.entities,
            edges=counts.edges,
            spaces=len(self._store.spaces()),
            store=self._store.describe(),
        )

    @operation(READS)
    def signers(self, *, space: p.Space = None, known_at: p.KnownAt = None, children: p.Children = False) -> p.Signers:
        """Which actors sign what they write in a space, and with which key."""
        with self._reading(space, None, known_at, None, children) as reader:
            return reader.signers()

    @operation(WRITES_ONCE)
    def describe(
        self, *, description: p.Description = None, metadata: p.Meta = None, space: p.Space = None
    ) -> Described:
        """Say what a space is for; made so, it is there before anything is remembered in it."""
        name = space or self._space
        told = Described(space=name, description=description, metadata=limits.meta(metadata or {}))
        about = checked_setting("about", {"description": description, "metadata": dict(told.metadata)})

        def planned(act: Act) -> tuple[Changes, Described]:
            new = not act.reader.head.seq or act.reader.setting("about") != about
            return Changes("describe", (SettingChanged("about", about),) if new else ()), told

        return self._write(space, planned)

    @operation(READS)
    def about(self, *, space: p.Space = None, known_at: p.KnownAt = None) -> Described:
        """What a space is for, in its owner's words."""
        with self._reading(space, None, known_at) as reader:
            told = reader.setting("about")
        return Described(
            space=space or self._space, description=told["description"], metadata=limits.meta(told["metadata"])
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
    def setting(self, name: p.SettingName, *, space: p.Space = None) -> dict[str, Any]:
        """One thing that a space decides for itself, such as decay or consolidation, by its name."""
        if name not in SETTINGS:
            raise InvalidRequest(f"name: there is no setting {name!r}; there are: {', '.join(sorted(SETTINGS))}")
        return {name: self._setting(name, space)}

    @operation(READS)
    def verify(self, *, space: p.OneSpace = None) -> Verification:
        """Recompute the hash chain, check every signature, replay the journal and compare every row."""
        return verify(self._store, space, self._progress)

    @operation(WRITES_ONCE)
    def doctor(self, *, repair: p.Repair = False, space: p.OneSpace = None) -> Diagnosis:
        """Verify, and if asked mend: tables that differ from the journal are made again from it.

        So is a whole file that is damaged, as long as its journals can be read; a copy of the damaged one is set aside.
        """
        before = verify(self._store, space, self._progress)
        broken = sorted({one.space for one in before.differences if one.table is not None})
        if not repair or not (broken or before.damaged):
            return Diagnosis(ok=before.ok, before=before)
        try:
            return self._mended(before, space, broken)
        except Fault as error:
            return Diagnosis(ok=False, before=before, trouble=f"nothing was mended: {error}")

    def _mended(self, before: Verification, space: str | None, broken: list[str]) -> Diagnosis:
        """Tables first; if the engine still complains, the file."""
        with suppress(Fault):
            for name in broken:
                self._store.rebuild(name)
                self._drop_indexes(name)
        after = verify(self._store, space, self._progress) if broken else before
        if not after.damaged:
            return Diagnosis(ok=after.ok, before=before, repaired=tuple(broken), after=after)
        renewed = self._store.renew()
        if renewed is None:
            return Diagnosis(ok=False, before=before, trouble="the engine must mend its own files; see its manual")
        after, every = verify(self._store, space, self._progress), tuple(one.name for one in self._store.spaces())
        for name in every:
            self._drop_indexes(name)
        aside = str(renewed.aside)
        return Diagnosis(ok=after.ok, before=before, repaired=every, after=after, set_aside=aside, lost=renewed.lost)

    @operation(WRITES_ONCE)
    def reembed(self, embedder: p.EmbedderName = None, *, space: p.Space = None, limit: p.Things = None) -> Reembedded:
        """Let an embedder read what it has not read yet.

        If it is another than the space's own, it takes over when it has read all. Reading goes on with the old one until
        then. What was read is kept: run it again to go on.
        """
        name = space or self._space
        with self._store.reader(Scope(name, self._now())) as reader:
            own = reader.setting("embedder")
        work = ReembedWish(name, self._minds.choose(own, self._store.embedders(name)), embedder, limit)
        done = reembed(self._store, self._minds, work, self._progress)
        if done.switched:
            done = self._write(space, lambda act: take_over(act, done))
        if done.complete and embedder is not None:
            done = finish(self._store, self._minds, done, self._progress)
        self._keep_indexes()
        return done

    @operation(READS)
    def export(self, path: p.NewFile, *, space: p.OneSpace = None, format: p.ExportFormat = None) -> Exported:
        """Write the journal as JSON Lines: lossless, and importable anywhere; or what is known in another form.

        The other forms hold what the actor may see: jsonl has a memory a line, markdown is a folder of notes, graphml
        and cypher are graphs of entities, memories and edges with their times; mem0, mcp (the reference server's file),
        mcp-memory-service and graphiti are what those systems export themselves.
        """
        from treering.exchange.forms import JOURNAL, export_as, form_of
        from treering.exchange.putting import must_be_new

        target = self._place(path, "path")
        must_be_new(target)
        form = form_of(target, format)
        if form == JOURNAL:
            return export_journal(self._store, target, self._chosen(space), self._progress)
        return export_as(form, target, self._chosen(space), self._reading)

    @operation(WRITES_ONCE)
    def import_journal(self, path: p.JournalFile, *, space: p.NewName = None) -> Imported:
        """Take in an exported journal by replay, all or nothing; what is here already is passed over."""
        called = "what was sent" if isinstance(path, Scratch) else None
        return import_journal(self._store, self._place(path, "path"), space, self._progress, called)
