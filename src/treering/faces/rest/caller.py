"""Who is calling, and may they? From a request's key to a caller with a name, a role and spaces.

Where there are no keys the server listens on loopback only, and whoever reaches it is who they say they are.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken

from treering.access.keys import ApiKey, Role
from treering.door import Treering
from treering.errors import Forbidden

REMEMBERED_SECONDS = 1.0
"""How long a key that was just looked up is not looked up again: so long a revoked one may still open."""


@dataclass(frozen=True, slots=True)
class Caller:
    name: str
    key: ApiKey | None = None

    @property
    def role(self) -> Role:
        return Role.ADMIN if self.key is None else self.key.role

    def as_user(self) -> AuthenticatedUser:
        """As the protocol of agents knows who has opened a session: it is nobody else's, by whatever key they come."""
        who = f"name:{self.name}" if self.key is None else f"key:{self.key.id}"
        return AuthenticatedUser(AccessToken(token="", client_id=who, scopes=[]))

    @property
    def sees_all(self) -> bool:
        return self.key is None or "*" in self.key.spaces

    @property
    def only_space(self) -> str | None:
        opened = () if self.key is None else self.key.spaces
        return opened[0] if len(opened) == 1 and "*" not in opened[0] else None

    def must_be(self, role: Role) -> None:
        if not self.role.includes(role):
            raise Forbidden(f"this key may {self.role}, and this takes one that may {role}")

    def must_open(self, space: str, below: bool = False) -> None:
        """The answer is the same whether or not there is such a space."""
        if self.key is not None and not self.key.opens(space, below):
            also = " and all below it" if below else ""
            raise Forbidden(f"this key does not open the space {space!r}{also}; {self._opens()}")

    def must_see_all(self) -> None:
        if not self.sees_all:
            raise Forbidden(
                f"this is about the whole store, and takes a key that opens every space (*); {self._opens()}"
            )

    def _opens(self) -> str:
        """Whoever holds a key may know what it opens: then a space that was left out can be named."""
        assert self.key is not None, "without keys every space is open"
        return f"it opens {', '.join(self.key.spaces)}: say which in `space`"

    def must_speak_for(self, principal: str | None) -> None:
        if principal not in (None, self.name) and self.role is not Role.ADMIN:
            raise Forbidden(f"principal: this key speaks for {self.name!r}; leave it out, or use an admin's key")

    def may_report_for(self, name: str) -> None:
        if name != self.name and self.key is not None and not self.key.reports_for_others:
            raise Forbidden(
                f"observed_by: this key reports what {self.name!r} has to say; leave it out, or have a key made that "
                "may report for others"
            )


class Doorkeeper:
    """Knows the keys, and for a moment those it has just seen."""

    def __init__(self, door: Treering) -> None:
        self._door = door
        self.allowance = door.allowance()
        self._seen: dict[str, tuple[float, ApiKey]] = {}
        self._locked = False
        self._looked = -REMEMBERED_SECONDS

    def recalls(self, written: str) -> bool:
        """Whether it can answer for this key without looking."""
        now = time.monotonic()
        if not self._locked:
            return now - self._looked < REMEMBERED_SECONDS
        return written in self._seen and now - self._seen[written][0] < REMEMBERED_SECONDS

    def needs_key(self) -> bool:
        """Whether there is any key: then nobody comes in without one."""
        if not self._locked and time.monotonic() - self._looked >= REMEMBERED_SECONDS:
            self._locked = self._door.is_locked()
            self._looked = time.monotonic()
        return self._locked

    def bearer(self, written: str) -> ApiKey | None:
        now = time.monotonic()
        seen = self._seen.get(written)
        if seen is not None and now - seen[0] < REMEMBERED_SECONDS:
            return seen[1]
        key = self._door.bearer(written)
        self._seen = {one: what for one, what in self._seen.items() if now - what[0] < REMEMBERED_SECONDS}
        if key is not None:
            self._seen[written] = now, key
        return key
