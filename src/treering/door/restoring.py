"""How does a backup become a store again? It is unsealed, replayed or copied to a new place, and verified there."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from treering import settings
from treering.door.safekeeping import opened_copy
from treering.errors import Conflict, InvalidRequest
from treering.exchange.sealing import must_be_long
from treering.model.time import Clock, system_clock, utc_or_none
from treering.store import open_store
from treering.store.contract import Progress, Store, unseen
from treering.store.moving import move
from treering.store.restoring import Restored, copy_as_known
from treering.store.verify import verify
from treering.store.whole_file import must_be_new, written_whole


def restore_backup(
    path: str | Path,
    to: str | Path,
    *,
    known_at: datetime | str | None = None,
    passphrase: str | None = None,
    clock: Clock = system_clock,
    progress: Progress = unseen,
) -> Restored:
    """Makes a new store of a backup: a file that is not there yet, or an empty `postgresql://…` database. With `known_at`
    it knows what was known then, and nothing later. It is verified before this returns.

    A file restored whole has all that the backup has, keys and webhooks included; otherwise they stay behind."""
    found, moment = Path(path).expanduser(), utc_or_none(known_at, "known_at")
    if not found.is_file():
        raise InvalidRequest(f"path: there is no backup {found}; `treering backups list` names those that are kept")
    said = must_be_long(passphrase) if passphrase is not None else settings.read().backups.passphrase()
    to_file = "://" not in str(to) and str(to) != ":memory:"
    if to_file:
        must_be_new(Path(to).expanduser())
    beside = Path(to).expanduser().parent if to_file else None
    with TemporaryDirectory(prefix=".treering-", dir=beside) as folder:
        copy, _ = opened_copy(found, Path(folder), said)
        if to_file and moment is None:
            with written_whole(Path(to).expanduser()) as part:
                copyfile(copy, part)
            return _checked(str(to), None, 0, (), progress)
        with closing(open_store(str(copy))) as origin, closing(open_store(str(to))) as target:
            _must_be_empty(target, str(to))
            if moment is None:
                moved = move(origin, target, progress)
                return _checked_in(target, str(to), None, 0, moved.vectors, (), progress)
            with origin.snapshot() as held:
                done = copy_as_known(held, target, moment, clock(), progress)
            return _checked_in(target, str(to), moment, done.left_out, done.vectors, done.purged_since, progress)


def _must_be_empty(target: Store, to: str) -> None:
    if target.spaces():
        raise Conflict(f"to: {to} holds spaces already; a backup is restored into an empty store. Give another place")


def _checked(
    to: str, known_at: datetime | None, left_out: int, purged: tuple[str, ...], progress: Progress
) -> Restored:
    with closing(open_store(to)) as store:
        return _checked_in(store, to, known_at, left_out, 0, purged, progress)


def _checked_in(
    store: Store,
    to: str,
    known_at: datetime | None,
    left_out: int,
    vectors: int,
    purged: tuple[str, ...],
    progress: Progress,
) -> Restored:
    found = verify(store, None, progress)
    return Restored(
        ok=found.ok,
        to=to,
        spaces=found.spaces,
        entries=found.entries,
        left_out=left_out,
        vectors=vectors,
        known_at=known_at,
        purged_since=purged,
        differences=tuple(map(str, found.differences)),
    )
