"""The part of the door for what must not be lost and what must not stay: backups, holds, and how long a space keeps."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from treering import parameters as p
from treering.door.rehearsing import Rehearsal, rehearse
from treering.door.upkeep import Keeps
from treering.errors import Corrupted, Held, InvalidRequest, TreeringError
from treering.exchange import backups as backups_room
from treering.exchange.backups import BackupMade, BackupRun
from treering.exchange.sealing import is_sealed
from treering.files import OnDisk
from treering.model.changes import Changes, Purged
from treering.model.memory import Memory
from treering.operation import READS, REMOVES, WRITES_ONCE, operation
from treering.store import open_store
from treering.store.contract import Act
from treering.store.verify import verify as verify_store
from treering.store.whole_file import must_be_new
from treering.upkeep import hold as hold_room
from treering.upkeep import retention as retention_room
from treering.upkeep.hold import HoldChange
from treering.upkeep.purge import purge
from treering.upkeep.retention import Retained


class Safekeeps(Keeps):
    """Backups that come back, holds, and retention."""

    @operation(READS)
    def backup(self, path: p.NewFile, *, passphrase: p.Passphrase = None, verify: p.VerifyCopy = True) -> BackupMade:
        """Copy the whole store to another file while others go on using it, and verify the copy.

        With a passphrase, given here or set up, the copy is sealed: encrypted, and opened by `treering backups restore`
        alone. Without one it is a store that opens as it is.
        """
        made = self._backed_up(self._place(path, "path"), passphrase or self._backups.passphrase(), verify)
        return made if isinstance(path, OnDisk) else replace(made, path=Path(made.path).name)

    @operation(WRITES_ONCE)
    def backup_run(self, force: p.ForceBackup = False) -> BackupRun:
        """Make the next backup in the folder that is set up, if it is time; the oldest go once it is verified.

        A server does this by itself. Of several processes one makes it.
        """
        folder, passphrase = self._backups.place(), self._backups.passphrase()
        drawer = self._store.drawer
        mine, told = backups_room.take_turn(drawer, self._now(), self._backups, force)
        if not mine:
            return told
        backups_room.sweep(folder, datetime.now(UTC))  # by the clock that files are dated with
        try:
            target = backups_room.new_name(folder, self._now(), sealed=passphrase is not None)
            made = self._backed_up(target, passphrase, verify=True)
        except (TreeringError, OSError) as error:
            backups_room.note(drawer, self._now(), None, f"{type(error).__name__}: {error}"[:500])
            raise
        backups_room.note(drawer, self._now(), made)
        removed = backups_room.prune(folder, self._backups.keep)
        due = backups_room.schedule(drawer).next_at(self._backups.hours)
        return replace(told, backup=replace(made, path=target.name), removed=tuple(removed), next_at=due)

    @operation(READS)
    def backup_list(self) -> p.Backups:
        """The backups of the folder that is set up, the newest first."""
        return backups_room.listed(self._backups.place())

    @operation(READS)
    def backup_rehearse(
        self, path: p.BackupFile = None, *, passphrase: p.Passphrase = None, questions: p.Questions = 20
    ) -> Rehearsal:
        """Restore a backup into a throw-away store, verify it there, and compare its answers with this store's.

        Both are asked as things were known when the backup was made: every journal must be the beginning of the one
        here, counts must agree, and questions must find the same memories in the same order.
        """
        found = backups_room.newest(self._backups.place()) if path is None else self._place(path, "path")
        with TemporaryDirectory(prefix="treering-") as folder:
            copy, sealed = opened_copy(found, Path(folder), passphrase or self._backups.passphrase())
            with closing(open_store(str(copy))) as store:
                checked = verify_store(store, None, self._progress)
                there = self._on(store)
                try:
                    told = rehearse(self.unnoticed(), there.unnoticed(), store, checked, questions)
                finally:
                    for finder in there._found:
                        finder.close()
        return replace(told, name=found.name, sealed=sealed)

    @property
    def makes_backups(self) -> bool:
        """Whether a folder is set up for them."""
        return bool(self._backups.folder)

    def _backed_up(self, target: Path, passphrase: str | None, verify: bool) -> BackupMade:
        if passphrase is None:
            self._store.backup(target, self._progress)
            try:
                return self._looked_at(target, target, verify, sealed=False)
            except BaseException:
                target.unlink(missing_ok=True)
                raise
        must_be_new(target)
        # in the folder where it will lie: there is room for it, and nobody else can look in
        with TemporaryDirectory(prefix=backups_room.WORKING, dir=target.parent) as folder:
            plain = Path(folder) / "plain.db"
            self._store.backup(plain, self._progress)
            made = self._looked_at(plain, target, verify, sealed=True)
            backups_room.seal_file(plain, target, passphrase)
        return replace(made, bytes=target.stat().st_size, sha256=backups_room.digest(target))

    def _looked_at(self, plain: Path, target: Path, verify: bool, sealed: bool) -> BackupMade:
        with closing(open_store(str(plain))) as copy:
            spaces = copy.spaces()
            found = verify_store(copy).differences if verify else ()
        if found:
            raise Corrupted(
                f"backup: the copy does not verify ({found[0]}); `treering verify` looks at the store itself"
            )
        return BackupMade(
            path=str(target),
            bytes=plain.stat().st_size,
            sha256=backups_room.digest(plain),
            sealed=sealed,
            spaces=len(spaces),
            entries=sum(one.seq for one in spaces),
            verified=verify,
        )

    # holds

    @operation(WRITES_ONCE)
    def hold(
        self, why: p.Reason, id: p.HeldId = None, *, space: p.Space = None, dry_run: p.DryRun = False
    ) -> HoldChange:
        """Put a memory, or a whole space, on hold: nothing can purge it until it is released."""
        return self._write(space, lambda act: hold_room.set_hold(act.reader, act.space, id, why, on=True), dry_run)

    @operation(WRITES_ONCE)
    def release(
        self, why: p.Reason, id: p.HeldId = None, *, space: p.Space = None, dry_run: p.DryRun = False
    ) -> HoldChange:
        """Lift the hold on a memory, or that on the whole space."""
        return self._write(space, lambda act: hold_room.set_hold(act.reader, act.space, id, why, on=False), dry_run)

    @operation(READS)
    def holds(self, *, space: p.Space = None, known_at: p.KnownAt = None, principal: p.Principal = None) -> p.Holds:
        """What is on hold in a space, since when, by whom and why."""
        with self._reading(space, None, known_at, principal) as reader:
            return hold_room.holds(reader)

    # retention

    @operation(REMOVES)
    def retain(self, *, dry_run: p.Preview = True, limit: p.MostCollected = None, space: p.Space = None) -> Retained:
        """Purge what a space no longer keeps (its setting `purging`). Only counts it, unless dry_run is false.

        What is on hold stays. When all is done it is looked for in every table and in the journal.
        """
        name, now = space or self._space, self._now()
        with self._reading(space) as reader:
            found = retention_room.due(reader, now, limit)
        told = Retained(space=name, due=found.in_all, held=found.held, purged=len(found.ids), left=found.more)
        if dry_run:
            return replace(told, dry_run=True)
        quoted, gone = list[Memory](), list[Purged]()
        held = sum(not self._retained(name, one, now, quoted, gone) for one in found.ids)
        told = replace(told, held=told.held + held, purged=told.purged - held)
        if not gone:
            return told
        self._drop_indexes(name)
        scrubbed = self._store.scrub()
        ids = {one.id for purged in gone for one in purged.gone}
        first = min((cut.seq for purged in gone for cut in purged.cuts), default=1)
        seen = self._store.probe(name, ids, first)
        notes = self._remove_notes(quoted, dry_run=False)
        return replace(
            told,
            scrubbed=scrubbed,
            probed=len(seen.places),
            remains=seen.found,
            notes_removed=notes.removed,
            notes_left=notes.left,
        )

    def _retained(self, space: str, thing_id: str, now: datetime, quoted: list[Memory], gone: list[Purged]) -> bool:
        """Whether nothing kept it from going."""
        went, words = list[Purged](), list[Memory]()

        def planned(act: Act) -> tuple[Changes, None]:
            everything = act.reader.all_seeing()
            went.clear()
            words.clear()
            if not retention_room.is_due(everything, thing_id, now):  # it went with another, or was brought back
                return Changes("purge"), None
            changes, report = purge(everything, thing_id, retention_room.WHY)
            words.extend(one for each in report.memories if (one := everything.memory(each)) is not None)
            went.extend(one for one in changes if isinstance(one, Purged))
            return changes, None

        try:
            self._write(space, planned)
        except Held:
            return False
        quoted += words
        gone += went
        return True


def opened_copy(found: Path, folder: Path, passphrase: str | None) -> tuple[Path, bool]:
    """A copy of a backup, unsealed, in a folder of one's own; whether it was sealed."""
    copy = folder / "restored.db"
    if not is_sealed(found):
        copyfile(found, copy)
        return copy, False
    if passphrase is None:
        raise InvalidRequest(
            f"passphrase: {found.name} is sealed; give the passphrase, or name its file in TREERING_BACKUP_PASSPHRASE_FILE"
        )
    backups_room.unseal_file(found, copy, passphrase)
    return copy, True
