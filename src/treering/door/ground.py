"""How does every operation of the door read and write? One clock reading an operation, one way to write, and every
read bound to its space, moment and principal. The parts of the door stand on this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from treering import parameters as p
from treering.access.policy import KEYS_ALONE, AccessPolicy
from treering.access.quota import NO_QUOTA, Quota, QuotaUsage
from treering.access.rights import Role
from treering.door.heard import ObservedMinds, Tell
from treering.door.reading import open_reader_late
from treering.door.uses import Uses
from treering.errors import InvalidRequest, NotFound
from treering.exchange.backups import BackupPolicy
from treering.files import OnDisk, Scratch, Sent, must_be_sent
from treering.graph.atlas import Atlas
from treering.ingest import add as add_room
from treering.ingest.draft import Draft
from treering.ingest.extract.extractors import Extractors
from treering.ingest.journey import Journey
from treering.ingest.reading import Reading, read_drafts, read_passages
from treering.mind import NO_EMBEDDER
from treering.mind.contract import Embedder, Passage, Reranker
from treering.mind.minds import Minds
from treering.model import limits
from treering.model.changes import Changes
from treering.model.identity import Identity
from treering.model.ids import mint
from treering.model.journal import Entry
from treering.model.setting import SETTINGS
from treering.model.space import DEFAULT_SPACE, space_name
from treering.model.time import Clock, from_micros, system_clock, utc, utc_or_none
from treering.store.admission import known_time
from treering.store.contract import Act, Progress, Reader, Scope, Store, Weight, Writer, unseen
from treering.store.naming import whole_id
from treering.store.openness import is_told
from treering.timings import Timings
from treering.traces import Traces

if TYPE_CHECKING:
    from treering.door.wording import Wording
    from treering.exchange.vault.index_cache import VaultIndexCache
    from treering.ingest.extract.client import Sampler
    from treering.mind.judging import Judge
    from treering.recall.find import Finder

T = TypeVar("T")
NO_BACKUPS = BackupPolicy()
READ_AT_ONCE = 256
"""So many drafts are read for meaning before it is told how far it is."""


class Holder(Protocol):
    """Somebody elsewhere for whom a door works: which spaces are open to them, to read or to write in, and in whose name
    they may report."""

    def must_open(self, space: str, role: Role = Role.READ, below: bool = False) -> None: ...

    def may_report_for(self, name: str) -> None: ...


class Ground:
    """What the parts of the door share: the store, the clock, the writer, and who reads and embeds."""

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
        vault: str | Path | None = None,
        traces: Traces | None = None,
        quota: Quota = NO_QUOTA,
        backups: BackupPolicy = NO_BACKUPS,
        wording: Wording | None = None,
        reranker: Callable[[], Reranker] | None = None,
        judge: Callable[[str], Judge] | None = None,
        access: AccessPolicy = KEYS_ALONE,
        masks_secrets: bool = True,
    ) -> None:
        """`embedder` and `extractors`: who reads spaces that chose none of their own. `vault`: where notes lie. `traces`:
        who is told how long operations take. `quota`: how much a space may hold that has no quota of its own.
        `backups`: where they are kept, and how often one is made.
        `wording`: the language model that words profiles. `reranker`: opens who reads the best hits once more.
        `judge`: opens, for a space, who judges what replaces what and what answers a question; none judges nothing.
        `access`: who a server lets in besides the bearers of keys, and what it records.
        `masks_secrets`: whether keys and passwords in files and in what other tools kept are masked."""
        self._store = store
        self._masks_secrets = masks_secrets
        self._access = access
        self._ledger = QuotaUsage(quota)
        self._backups = backups
        self._wording = wording
        self._reranker = reranker
        self._opens_judge = judge
        self._reranks = self._judges = True
        self._among: tuple[str, ...] | None = None
        self._skips: frozenset[str] = frozenset()
        self._uses, self._counts_uses = Uses(), True
        self._changes: dict[tuple[str, str], tuple[int, datetime | None]] = {}
        self._timings = Timings()
        self._tells_private = True
        self._at_hand = True
        self._holder: Holder | None = None
        self._traces = traces
        self._extractors = (extractors or Extractors()).read_by(open_reader_late)
        self._minds = ObservedMinds(minds or Minds(embedder))
        self._found: list[Finder] = []
        self._vault_caches: list[VaultIndexCache] = []
        self._vault = None if vault is None else str(vault)
        self._charted: list[Atlas] = []
        self._progress: Progress = unseen
        self._clock = clock
        self._writer = Writer(limits.text(actor, "actor", limits.NAME_CHARS, least=1), identity)
        self._space = space_name(space)

    def space(self, name: str) -> Self:
        """The same door, bound to a space."""
        bound = copy(self)
        bound._space = space_name(name)
        return bound

    def watched(self, progress: Progress) -> Self:
        """The same door, telling of long work as it goes: `progress(done, of)` after every step."""
        watched = copy(self)
        watched._progress = progress
        return watched

    def lent(self, sample: Sampler | None) -> Self:
        """The same door, with the caller's own model to read for the extractor `client`; `reader` where it is none."""
        lent = copy(self)
        lent._extractors = self._extractors.with_client(sample)
        return lent

    def now(self) -> datetime:
        """What the door's clock says."""
        return self._now()

    def acting_for(self, actor: str) -> Self:
        """The same door, on behalf of another: what is written is written in that name, unsigned unless it is ours."""
        acting = copy(self)
        if actor != self._writer.actor:
            acting._writer = Writer(limits.text(actor, "actor", limits.NAME_CHARS, least=1))
        return acting

    def without_vault(self) -> Self:
        """The same door, knowing of no vault: notes belong to no space, and so to those who may see all of them."""
        bare = copy(self)
        bare._vault = None
        return bare

    def without_reranker(self) -> Self:
        """The same door, answering in the order of the signals alone."""
        bare = copy(self)
        bare._reranks = False
        return bare

    def without_judge(self) -> Self:
        """The same door, answering by how much speaks for each memory, whatever it is for the question."""
        bare = copy(self)
        bare._judges = False
        return bare

    def among(self, memory_ids: Iterable[str]) -> Self:
        """The same door, answering questions with these memories alone."""
        bound = copy(self)
        bound._among = tuple(memory_ids)
        return bound

    def without_meaning(self) -> Self:
        """The same door, finding by words, graph and time alone: no embedder is asked."""
        plain = copy(self)
        plain._skips = frozenset({"semantic"})
        return plain

    def unnoticed(self) -> Self:
        """The same door, to look something up: what it recalls counts as no use, whatever the space asks for."""
        looking = copy(self)
        looking._counts_uses = False
        return looking

    def must_allow(self, operation: str, **given: object) -> None:
        """Refuses who may not ask for that operation; whoever holds this door may ask for all."""

    def from_afar(self) -> Self:
        """The same door, for callers elsewhere: a file is what they send, and no word of theirs names one of ours."""
        afar = copy(self)
        afar._at_hand = False
        return afar

    def held_to(self, holder: Holder) -> Self:
        """The same door, which reads and writes nothing in a space that is not open to them, whoever it was that asked
        for it and in whatever words: also where what is written names its space itself."""
        held = copy(self)
        held._holder = holder
        return held

    def _on(self, store: Store) -> Self:
        """The same door at another store, with nothing learned of it yet; it is closed by `close`, and the store too."""
        there = copy(self)
        there._store, there._ledger, there._uses, there._traces = store, QuotaUsage(NO_QUOTA), Uses(), None
        there._found, there._vault_caches, there._charted, there._changes = [], [], [], {}
        return there

    def telling_only_public(self) -> Self:
        """The same door, taking no webhook whose address is not a public one: its server would never call it."""
        strict = copy(self)
        strict._tells_private = False
        return strict

    def hear_embedding(self, tell: Tell) -> None:
        """From now on `tell` is called with what embedders of this door, and of those made from it, have read."""
        self._minds.listeners.append(tell)

    @property
    def actor(self) -> str:
        """On whose behalf it writes."""
        return self._writer.actor

    @property
    def traces(self) -> Traces | None:
        """Who is told how long things take, if anybody is."""
        return self._traces

    @property
    def masks_secrets(self) -> bool:
        """Whether keys and passwords in what is taken in from files and other tools are masked."""
        return self._masks_secrets

    @property
    def bound_space(self) -> str:
        """The space that is meant where none is named."""
        return self._space

    def whole_id(self, ending: str, field_name: str, space: str | None = None, children: bool = False) -> str:
        """The id that is meant by its end, as people are shown it; what is no such end is given back."""
        with self._reading(space, children=children) as reader:
            return whole_id(reader, ending, field_name)

    # whose word a path is

    def _place(self, named: OnDisk | Scratch, parameter: str) -> Path:
        if isinstance(named, Scratch):
            return named.path
        if not self._at_hand:
            must_be_sent(named, parameter)
        try:
            return Path(named).expanduser()
        except RuntimeError as error:  # of a user that there is not
            raise InvalidRequest(f"{parameter}: {named} is not a path ({error})") from None

    def _file(self, given: OnDisk | bytes | Sent) -> Path | bytes | Sent:
        return given if isinstance(given, bytes | Sent) else self._place(given, "file")

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
        self._must_open(space, below=children)
        return Scope(space or self._space, self._now(), *moment, who, children)

    def _must_open(self, space: str | None, role: Role = Role.READ, below: bool = False) -> None:
        if self._holder is not None:
            self._holder.must_open(space or self._space, role, below)

    @property
    def _finder(self) -> Finder:
        """Made at the first question: what it stands on takes time to load."""
        if not self._found:
            from treering.recall.find import Finder

            finder = Finder(
                self._store, self._minds, self._reranker() if self._reranker else None, self._judge(self._space)
            )
            self._found.append(finder)
            self._store.follow(finder.kept_spaces, finder.bring_up)
        return self._found[0]

    def _judge(self, space: str) -> Judge | None:
        return self._opens_judge(space) if self._opens_judge is not None else None

    @property
    def _vaults(self) -> VaultIndexCache:
        """Made at the first look into a vault."""
        if not self._vault_caches:
            from treering.exchange.vault.index_cache import VaultIndexCache

            self._vault_caches.append(VaultIndexCache(self._store))
        return self._vault_caches[0]

    @property
    def _atlas(self) -> Atlas:
        """Made at the first walk; it follows the store from one walk to the next."""
        if not self._charted:
            atlas = Atlas(self._store)
            self._charted.append(atlas)
            self._store.follow(atlas.kept_spaces, atlas.bring_up)
        return self._charted[0]

    def _write(
        self,
        space: str | None,
        planned: Callable[[Act], tuple[Changes, T]],
        dry_run: bool = False,
        now: datetime | None = None,
        takes: Role = Role.WRITE,
    ) -> T:
        """Plans under the write lock, writes what is to change, and answers with the plan's result.

        A dry run is the same without the writing. `now`: the reading of the clock that several writes share. `takes`:
        what one elsewhere must be allowed to do in that space.
        """
        self._must_open(space, takes)
        name, now = space or self._space, now or self._now()
        fresh, results, held = mint(now), list[T](), list[Weight | None]()

        def plan(reader: Reader, at: datetime) -> Changes:
            changes, result = planned(Act(reader, name, self._writer, now, at, fresh))
            held.append(self._ledger.must_hold(reader, name, changes))
            results.append(result)
            return changes

        if dry_run:
            with self._store.reader(Scope(name, now, principal=self._writer.actor)) as reader:
                plan(reader, known_time(now, reader.head))
            return replace(results[-1], dry_run=True)  # type: ignore[type-var]
        entry = self._store.write(name, self._writer, now, plan)
        if entry is not None:
            self._ledger.wrote(name, entry.seq, held[-1])
        self._keep_indexes()
        return results[-1]

    def _keep_indexes(self) -> None:
        for finder in self._found:
            finder.keep_indexes()

    def _drop_indexes(self, space: str) -> None:
        for finder in self._found:
            finder.drop_indexes(space)
        for cache in self._vault_caches:
            cache.drop(space)
        for atlas in self._charted:
            atlas.drop(space)

    def _read(self, space: str | None, drafts: list[Draft], skip: bool, progress: Progress = unseen) -> Reading:
        """What the space's embedder makes of the drafts, before anything is locked. Of many `progress` is told."""
        if skip:
            return add_room.NOTHING_READ
        name = space or self._space
        with self._store.reader(Scope(name, from_micros(0))) as reader:  # at present, whatever the clock says
            own = reader.setting("embedder")
            new = [one for one in drafts if one.key is None or reader.source_by_key(one.key) is None]
        embedder, reading = self._minds.reads(own, self._store.embedders(name)), add_room.NOTHING_READ
        for start in range(0, len(new), READ_AT_ONCE):
            reading = reading.with_more(read_drafts(embedder, own, new[start : start + READ_AT_ONCE]))
            if len(new) > READ_AT_ONCE:
                progress(min(start + READ_AT_ONCE, len(new)), len(new))
        return reading

    def _setting(self, name: str, space: str | None) -> Any:
        """Whole, also where a part is newer than what the space has kept."""
        with self._reading(space) as reader:
            kept = reader.setting(name)
        default = SETTINGS[name].default
        return {**default, **kept} if isinstance(default, dict) else kept

    def _entry(self, space: str | None, seq: int) -> Entry:
        entry = next(self._store.entries(space or self._space, seq - 1, 1), None) if 0 < seq <= limits.SEQ else None
        if entry is None or entry.seq != seq or not self._tells(space, seq):
            raise NotFound(f"what: there is no entry {seq} in the journal of {space or self._space}")
        return entry

    def _tells(self, space: str | None, seq: int) -> bool:
        """Whether the actor may know anything of an entry."""
        with self._reading(space) as reader:
            return any(is_told(one.change) for one in reader.happened(seq - 1, 1)[0])

    def _journey(self, space: str | None) -> Journey:
        self._must_open(space, Role.WRITE)
        name = space or self._space
        return Journey(DoorIngestSpace(self, name), self._extractors, name, self._progress, self._judge(name))

    def _now(self) -> datetime:
        return utc(self._clock(), "clock")

    def _chosen(self, space: str | None) -> p.Names:
        return [space] if space is not None else [one.name for one in self._store.spaces()]

    # the door itself

    def close(self) -> None:
        self._uses.close()
        for finder in self._found:
            finder.close()
        for atlas in self._charted:
            atlas.close()
        self._store.close()
        if self._traces is not None:
            self._traces.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Treering({self._store.describe()['url']!r}, space={self._space!r}, actor={self._writer.actor!r})"


class DoorIngestSpace:
    """The door as the journey of a sentence sees it: one space of it."""

    def __init__(self, door: Ground, space: str) -> None:
        self._door, self._space, self._now = door, space, door._now()

    @property
    def _scope(self) -> Scope:
        return Scope(self._space, self._now, principal=self._door._writer.actor)

    def write(self, planned: Callable[[Act], tuple[Changes, T]], dry_run: bool) -> T:
        return self._door._write(self._space, planned, dry_run, self._now)

    def together(self) -> AbstractContextManager[None]:
        return self._door._store.together()

    def reading(self) -> AbstractContextManager[Reader]:
        return self._door._store.reader(self._scope)

    def embed(self, passages: Sequence[Passage]) -> Reading:
        with self.reading() as reader:
            own = reader.setting("embedder")
        embedder = self._door._minds.reads(own, self._door._store.embedders(self._space))
        return read_passages(embedder, own, passages)

    def nearest(self, reading: Reading, passages: Sequence[Passage], limit: int) -> list[list[tuple[str, float]]]:
        if not reading.read or not (self._door._found or self._door._store.embedders(self._space)):
            return [
                [] for _ in passages
            ]  # nothing reads, or nothing was read in this space yet: no index to load for it
        vectors = [reading.vector(passage) for passage in passages]
        return self._door._finder.nearest(self._scope, reading.embedder, vectors, limit)
