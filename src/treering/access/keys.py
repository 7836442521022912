"""Who holds a key, and what does it open? Keys with a role and spaces, kept as hashes: shown once, revocable.

A key's name is who its bearer acts for: what is written is written in that name, and what is private to it can be read.
A key may expire. Rotated, it gets a successor with the same rights, and holds a while longer beside it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from treering.access.rights import Rights, Role, checked_path, rights_on
from treering.errors import Conflict, InvalidRequest, NotFound
from treering.model import limits
from treering.model.time import to_text, utc, utc_or_none
from treering.model.value import Value
from treering.store.drawer import Drawer, Paper
from treering.values import dataclass

KIND, USED = "key", "key_used"
NEXT = "next_expires_at"
"""Beside a key that was rotated: until when the one after it is to hold."""
USED_SECONDS = 60
"""So much later at least is a use noted again: not every request writes."""
_WRITTEN = re.compile(r"tr_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")
_NOBODY = hashlib.sha256(b"").hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ApiKey(Value):
    id: str
    name: str
    role: Role
    spaces: tuple[str, ...]
    """A space, or with `/*` one and all below it, or `*` for all."""
    created_at: datetime
    revoked_at: datetime | None = None
    requests_a_minute: int | None = None
    """Of its bearer; the server's own bound if none."""
    requests_a_day: int | None = None
    reports_for_others: bool = False
    """Whether its bearer may say that somebody else has reported something; who has written it is shown beside it."""
    expires_at: datetime | None = None
    """From then on it opens nothing; never if none."""
    replaced_by: str | None = None
    """The id of the key that took its place when it was rotated."""
    last_used_at: datetime | None = None
    """To the minute; none if it was never used."""

    @property
    def rights(self) -> Rights:
        return rights_on(self.role, self.spaces)

    def holds(self, now: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class IssuedKey(Value):
    """The only time a key can be read: what is kept does not tell it."""

    secret: str
    key: ApiKey


@dataclass(frozen=True, slots=True)
class Rate:
    """How often a key's bearer may call; none is no bound of its own."""

    a_minute: int | None = None
    a_day: int | None = None


NO_RATE = Rate()


def issue(
    drawer: Drawer,
    name: str,
    role: Role,
    spaces: Sequence[str],
    now: datetime,
    rate: Rate = NO_RATE,
    *,
    reports_for_others: bool = False,
    expires_at: datetime | None = None,
) -> IssuedKey:
    limits.text(name, "name", limits.NAME_CHARS, least=1)
    _must_be_to_come(expires_at, now)
    key = ApiKey(
        id=secrets.token_hex(6),
        name=name,
        role=role,
        spaces=tuple(checked_path(one) for one in spaces),
        created_at=now,
        requests_a_minute=rate.a_minute,
        requests_a_day=rate.a_day,
        reports_for_others=reports_for_others,
        expires_at=expires_at,
    )
    return _laid_in(drawer, key)


def _laid_in(drawer: Drawer, key: ApiKey) -> IssuedKey:
    secret = secrets.token_urlsafe(32)
    if drawer.put(KIND, key.id, _written(key, _hash(secret)), version=0) is None:
        raise Conflict("keys: this id is taken; try again")
    return IssuedKey(secret=f"tr_{key.id}_{secret}", key=key)


def bearer(drawer: Drawer, written: str, now: datetime) -> ApiKey | None:
    """Whose key this is, if it is one and still holds. It takes as long for a wrong one as for a right one."""
    match = _WRITTEN.fullmatch(written)
    paper = drawer.get(KIND, match[1] if match else "0" * 12)
    kept = str(paper.value["hash"]) if paper else _NOBODY
    same = hmac.compare_digest(kept, _hash(match[2] if match else written))
    if paper is None or not same:
        return None
    key = _read(paper)
    return key if key.holds(now) else None


def id_in(written: str) -> str | None:
    """The id that a key says it has, whether or not there is one; it is no secret."""
    match = _WRITTEN.fullmatch(written)
    return match[1] if match else None


def note_use(drawer: Drawer, key_id: str, now: datetime) -> None:
    """Once a minute at most. Of several servers that note it at once one does."""
    paper = drawer.get(USED, key_id)
    if paper is not None and now - utc(paper.value["at"]) < timedelta(seconds=USED_SECONDS):
        return
    drawer.put(USED, key_id, {"at": to_text(now)}, version=paper.version if paper else 0)


def listed(drawer: Drawer) -> list[ApiKey]:
    used = {one.id: utc(one.value["at"]) for one in drawer.listed(USED)}
    keys = (replace(key, last_used_at=used.get(key.id)) for key in map(_read, drawer.listed(KIND)))
    return sorted(keys, key=lambda key: key.created_at)


def any_key(drawer: Drawer) -> bool:
    """Also a revoked one: who has once locked the door does not mean to open it to all."""
    return bool(drawer.listed(KIND, limit=1))


def revoke(drawer: Drawer, key_id: str, now: datetime) -> ApiKey:
    """From now on it opens nothing. Repeating changes nothing."""
    while True:
        key, paper = found(drawer, key_id)
        if key.revoked_at is not None:
            return key
        if _changed(drawer, paper, key := replace(key, revoked_at=now)):
            return key


def rotate(
    drawer: Drawer, key_id: str, now: datetime, overlap: timedelta, expires_at: datetime | None = None
) -> IssuedKey:
    """A new key with the same rights. The old one holds for the overlap, so that its bearers can change over; the new
    one as long as the old was made to, unless it is said how long. The old one names the new before that is there: of
    several who rotate it one does, and who is cut off between asks again."""
    key, paper = found(drawer, key_id)
    if key.replaced_by is not None and drawer.get(KIND, key.replaced_by) is not None:
        raise Conflict(f"id: the key {key_id} was replaced by {key.replaced_by}; rotate that one")
    if not key.holds(now):
        raise Conflict(f"id: the key {key_id} does not hold any more; make a new one with `keys create`")
    _must_be_to_come(expires_at, now)
    lasts = utc_or_none(paper.value.get(NEXT))
    if key.replaced_by is None:
        lasts = None if key.expires_at is None else now + (key.expires_at - key.created_at)
        ends = now + overlap if key.expires_at is None else min(key.expires_at, now + overlap)
        key = replace(key, expires_at=ends, replaced_by=secrets.token_hex(6))
        kept = {**_written(key, str(paper.value["hash"])), NEXT: None if lasts is None else to_text(lasts)}
        if drawer.put(KIND, key_id, kept, version=paper.version) is None:
            raise Conflict(f"id: the key {key_id} was changed by somebody else just now; look at it, and try again")
    assert key.replaced_by is not None
    new = replace(
        key, id=key.replaced_by, created_at=now, expires_at=expires_at or lasts, replaced_by=None, last_used_at=None
    )
    return _laid_in(drawer, new)


def _must_be_to_come(expires_at: datetime | None, now: datetime) -> None:
    if expires_at is not None and expires_at <= now:
        raise InvalidRequest(f"expires_at: {expires_at:%Y-%m-%dT%H:%M:%SZ} has passed; give a later time, or none")


def found(drawer: Drawer, key_id: str) -> tuple[ApiKey, Paper]:
    paper = drawer.get(KIND, key_id)
    if paper is None:
        raise NotFound(f"id: there is no key {key_id!r}; `keys list` shows those there are", key_id)
    return _read(paper), paper


def _changed(drawer: Drawer, paper: Paper, key: ApiKey) -> bool:
    """False, and nothing is changed, if somebody else has changed it meanwhile."""
    return drawer.put(KIND, key.id, _written(key, str(paper.value["hash"])), version=paper.version) is not None


def _hash(secret: str) -> str:
    """A key is long and random: one round is enough, and fast enough for every request."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _written(key: ApiKey, hashed: str) -> dict[str, Any]:
    return {name: one for name, one in key.to_dict().items() if name != "last_used_at"} | {"hash": hashed}


def _read(paper: Paper) -> ApiKey:
    value = paper.value
    return ApiKey(
        id=paper.id,
        name=value["name"],
        role=Role(value["role"]),
        spaces=tuple(value["spaces"]),
        created_at=utc(value["created_at"]),
        revoked_at=utc_or_none(value["revoked_at"]),
        requests_a_minute=value.get("requests_a_minute"),
        requests_a_day=value.get("requests_a_day"),
        reports_for_others=value.get("reports_for_others", False),
        expires_at=utc_or_none(value.get("expires_at")),
        replaced_by=value.get("replaced_by"),
    )
