"""Who bears this? Keys and tokens, looked up and for a moment kept in mind; who comes in is noted."""

from __future__ import annotations

import hashlib
import time
from contextlib import suppress
from datetime import datetime

from treering.access.audit import SIGNED_IN, AuditKind
from treering.access.oidc import is_token
from treering.door import Treering
from treering.errors import Unavailable
from treering.faces.rest.caller import Caller, by_key, by_token
from treering.values import dataclass

REMEMBERED_SECONDS = 1.0
"""How long a key that was just looked up is not looked up again: so long a revoked one may still open."""
MOST_SIGNED_IN = 10_000


@dataclass(frozen=True, slots=True)
class _Seen:
    at: float
    caller: Caller
    ends: datetime | None = None


class Authenticator:
    """Knows the keys and the identity provider, and for a moment those it has just seen."""

    def __init__(self, door: Treering) -> None:
        self._door = door
        self.auditor = door.auditor()
        self.allowance = door.allowance()
        self._issuer = door.issuer()
        self._seen: dict[str, _Seen] = {}
        self._signed_in: dict[str, datetime] = {}
        self._locked = False
        self._looked = -REMEMBERED_SECONDS

    def recalls(self, written: str) -> bool:
        """Whether it can answer for this key without looking."""
        if not self._locked:
            return time.monotonic() - self._looked < REMEMBERED_SECONDS
        return self._kept(written) is not None

    def is_token(self, written: str) -> bool:
        """Whether the identity provider may have to be asked."""
        return self._issuer is not None and is_token(written)

    def needs_key(self) -> bool:
        """Whether there is any key or an identity provider: then nobody comes in unknown."""
        if not self._locked and time.monotonic() - self._looked >= REMEMBERED_SECONDS:
            self._locked = self._door.is_locked()
            self._looked = time.monotonic()
        return self._locked

    def bearer(self, written: str) -> Caller | None:
        """Unauthentic if it is a token that does not hold; Unavailable if the provider's keys cannot be had to tell."""
        kept = self._kept(written)
        if kept is not None:
            return kept
        found = self._by_token(written) if self.is_token(written) else self._by_key(written)
        now = time.monotonic()
        self._seen = {one: what for one, what in self._seen.items() if now - what.at < REMEMBERED_SECONDS}
        if found is None:
            return None
        self._seen[written] = found
        self._welcome(written, found.caller)
        return found.caller

    def _kept(self, written: str) -> Caller | None:
        seen = self._seen.get(written)
        if seen is None or time.monotonic() - seen.at >= REMEMBERED_SECONDS:
            return None
        return None if seen.ends is not None and self._door.now() >= seen.ends else seen.caller

    def _by_key(self, written: str) -> _Seen | None:
        key = self._door.bearer(written)
        return None if key is None else _Seen(time.monotonic(), by_key(key), key.expires_at)

    def _by_token(self, written: str) -> _Seen:
        assert self._issuer is not None, "else it is taken for no token"
        person = self._issuer.person(written)
        return _Seen(time.monotonic(), by_token(person, self._door.rights_of(person)), person.expires_at)

    def _welcome(self, written: str, caller: Caller) -> None:
        """Notes that a key was used, and who has signed in."""
        if caller.key_id is not None:
            with suppress(Unavailable):  # a full disk or a read-only store keeps nobody from reading
                self._door.note_use(caller.key_id)
        if not self.auditor.is_on:
            return
        now, who = self._door.now(), hashlib.sha256(written.encode()).hexdigest()
        last = self._signed_in.get(who)
        if last is None or now - last >= SIGNED_IN:
            recent = {one: at for one, at in self._signed_in.items() if now - at < SIGNED_IN}
            self._signed_in = recent if len(recent) < MOST_SIGNED_IN else {}
            self._signed_in[who] = now
            by = "key" if caller.key_id is not None else "token"
            self.auditor.record(AuditKind.SIGN_IN, {"by": by}, caller=caller.name, key=caller.key_id)
