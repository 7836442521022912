"""Who holds a key, and what does it open? Keys with a role and spaces, kept as hashes: shown once, revocable.

A key's name is who its bearer acts for: what is written is written in that name, and what is private to it can be read.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from treering.errors import Conflict, InvalidRequest, NotFound
from treering.model import limits
from treering.model.space import space_name
from treering.model.time import utc
from treering.model.value import Value
from treering.store.drawer import Drawer, Paper

KIND = "key"
_WRITTEN = re.compile(r"tr_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")
_NOBODY = hashlib.sha256(b"").hexdigest()


class Role(StrEnum):
    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def includes(self, other: Role) -> bool:
        order = list(Role)
        return order.index(self) >= order.index(other)


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

    def opens(self, space: str, below: bool = False) -> bool:
        """Whether it covers the space, and if asked all that lie below."""
        return any(_covers(pattern, space, below) for pattern in self.spaces)


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
) -> IssuedKey:
    limits.text(name, "name", limits.NAME_CHARS, least=1)
    key = ApiKey(
        id=secrets.token_hex(6),
        name=name,
        role=role,
        spaces=tuple(_pattern(one) for one in spaces),
        created_at=now,
        requests_a_minute=rate.a_minute,
        requests_a_day=rate.a_day,
        reports_for_others=reports_for_others,
    )
    secret = secrets.token_urlsafe(32)
    if drawer.put(KIND, key.id, _written(key, _hash(secret)), version=0) is None:
        raise Conflict("keys: this id is taken; try again")
    return IssuedKey(secret=f"tr_{key.id}_{secret}", key=key)


def bearer(drawer: Drawer, written: str) -> ApiKey | None:
    """Whose key this is, if it is one and still holds. It takes as long for a wrong one as for a right one."""
    match = _WRITTEN.fullmatch(written)
    paper = drawer.get(KIND, match[1] if match else "0" * 12)
    kept = str(paper.value["hash"]) if paper else _NOBODY
    same = hmac.compare_digest(kept, _hash(match[2] if match else written))
    if paper is None or not same:
        return None
    key = _read(paper)
    return key if key.revoked_at is None else None


def listed(drawer: Drawer) -> list[ApiKey]:
    return sorted((_read(one) for one in drawer.listed(KIND)), key=lambda key: key.created_at)


def any_key(drawer: Drawer) -> bool:
    """Also a revoked one: who has once locked the door does not mean to open it to all."""
    return bool(drawer.listed(KIND, limit=1))


def revoke(drawer: Drawer, key_id: str, now: datetime) -> ApiKey:
    """From now on it opens nothing. Repeating changes nothing."""
    while True:
        paper = drawer.get(KIND, key_id)
        if paper is None:
            raise NotFound(f"id: there is no key {key_id!r}; `keys list` shows those there are", key_id)
        key = _read(paper)
        if key.revoked_at is not None:
            return key
        key = replace(key, revoked_at=now)
        if drawer.put(KIND, key_id, _written(key, str(paper.value["hash"])), version=paper.version):
            return key


def _pattern(given: str) -> str:
    if given == "*":
        return given
    try:
        space_name(given.removesuffix("/*"))
    except InvalidRequest:
        raise InvalidRequest(
            f"space: {given!r} is neither a space, such as acme/research, nor one with all below it, such as acme/*, "
            "nor * for all"
        ) from None
    return given


def _covers(pattern: str, space: str, below: bool) -> bool:
    if pattern == "*":
        return True
    if pattern.endswith("/*"):
        root = pattern.removesuffix("/*")
        return space == root or space.startswith(root + "/")
    return space == pattern and not below


def _hash(secret: str) -> str:
    """A key is long and random: one round is enough, and fast enough for every request."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _written(key: ApiKey, hashed: str) -> dict[str, Any]:
    return {**key.to_dict(), "hash": hashed}


def _read(paper: Paper) -> ApiKey:
    value = paper.value
    revoked = value["revoked_at"]
    return ApiKey(
        id=paper.id,
        name=value["name"],
        role=Role(value["role"]),
        spaces=tuple(value["spaces"]),
        created_at=utc(value["created_at"]),
        revoked_at=None if revoked is None else utc(revoked),
        requests_a_minute=value.get("requests_a_minute"),
        requests_a_day=value.get("requests_a_day"),
        reports_for_others=value.get("reports_for_others", False),
    )
