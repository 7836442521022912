"""The part of the door for stores that share a space: what one wrote, the other takes over."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from treering import parameters as p
from treering.door.ground import Ground
from treering.errors import InvalidRequest
from treering.exchange.sync import folder as meeting
from treering.exchange.sync.receive import Here, ReceivedJournal, read_cut, receive
from treering.exchange.sync.server import ServerPeer, is_address
from treering.model.changes import Changes
from treering.model.journal import Entry
from treering.model.value import Value
from treering.operation import WRITES_ONCE, operation
from treering.store.contract import Plan, Reader, Weight
from treering.upkeep.purge import purge
from treering.upkeep.reembed import ReembedWish, reembed
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Synced(Value):
    """What an exchange brought. `received`: entries that were made elsewhere and are known here from now on; `known`
    were here already; `purged`: how many of them removed something. `contradictions`: memories that two stores put in
    one place, now linked as contradicting each other. `sent`: entries that were laid out for the others. `cut` names
    journals that ended in the middle of a line: the rest is taken the next time."""

    space: str
    place: str
    stores: int
    received: int
    known: int
    purged: int = 0
    contradictions: int = 0
    sent: int = 0
    cut: tuple[str, ...] = ()
    read: int = 0
    head_hash: str = ""


class Syncs(Ground):
    """Two stores of one space."""

    @operation(WRITES_ONCE)
    def sync(self, place: p.MeetingPlace, *, key: p.PlaceKey = None, space: p.Space = None) -> Synced:
        """Exchange what was written with other stores of a space, both ways, through a folder or a server.

        In a folder each store lays its journal in a file of its own and takes over those of the others. At a server it
        is done at once in both directions. Broken off, it goes on where it was. What two stores made of the same thing
        both stays, and is told as a contradiction.
        """
        name, folder = space or self._space, self._place(place, "place")
        if is_address(place):
            return self._sync_with_server(place, key, name)
        meeting.must_be_a_folder(folder)
        done = self._received(name, place, meeting.others(self._store, folder, name))
        return replace(done, sent=meeting.publish(self._store, folder, name))

    @operation(WRITES_ONCE)
    def receive_journal(self, path: p.JournalFile, *, space: p.Space = None) -> Synced:
        """Take over what another store of the same space wrote, from its journal; what is known is passed over.

        Unlike an import it may have gone its own way: both histories stay, and what they disagree on is told.
        """
        found = self._place(path, "path")
        done = self._received(space or self._space, found.name, [found])
        if done.cut and not done.received + done.known:
            raise InvalidRequest("path: no entry of a journal can be read in it; send what `export` writes")
        return done

    def _sync_with_server(self, place: str, key: str | None, name: str) -> Synced:
        with ServerPeer(place, name, key) as far, TemporaryDirectory(prefix="treering-") as folder:
            done = self._received(name, place, [far.fetch(Path(folder))])
            far.send(self._store, name)
        return replace(done, cut=(place,) if done.cut else (), sent=self._store.head(name).seq)

    def _received(self, name: str, place: str, journals: Iterable[Path]) -> Synced:
        here = Here(
            store=self._store,
            space=name,
            writer=self._writer,
            now=self._now,
            purge=lambda reader, one, why: purge(reader, one, why)[0],
            hold=lambda plan: self._held(name, plan),
        )
        all_of_them, cut, stores = ReceivedJournal(), list[str](), 0
        for path in journals:
            stores, taken = stores + 1, ReceivedJournal()
            receive(here, read_cut(path, taken, name), taken, self._progress)
            all_of_them.add(taken)
            cut += [path.name] if taken.cut else []
        if all_of_them.purged:
            self._drop_indexes(name)
        return Synced(
            space=name,
            place=place,
            stores=stores,
            received=all_of_them.received,
            known=all_of_them.known,
            purged=all_of_them.purged,
            contradictions=all_of_them.contradictions,
            cut=tuple(cut),
            read=self._read_what_came(name) if all_of_them.received else 0,
            head_hash=self._store.head(name).hash,
        )

    def _held(self, name: str, plan: Plan) -> tuple[Plan, Callable[[Entry], None]]:
        """Within the space's quota, as every other write."""
        weights = list[Weight | None]()

        def within(reader: Reader, at: datetime) -> Changes:
            changes = plan(reader, at)
            weights.append(self._ledger.must_hold(reader, name, changes))
            return changes

        return within, lambda entry: self._ledger.wrote(name, entry.seq, weights[-1])

    def _read_what_came(self, name: str) -> int:
        """What was received was read by no embedder of this store."""
        with self._reading(name) as reader:
            own = reader.setting("embedder")
        chosen = self._minds.choose(own, self._store.embedders(name))
        done = reembed(self._store, self._minds, ReembedWish(name, chosen, None, None), self._progress)
        self._keep_indexes()
        return done.read
