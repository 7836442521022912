"""Who is calling, and may they? From a request's key or token to a caller with a name and rights.

Where there are no keys and no identity provider the server listens on loopback only, and whoever reaches it is who they
say they are.
"""

from __future__ import annotations

from dataclasses import field

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken

from treering.access.audit import Auditor
from treering.access.keys import ApiKey
from treering.access.oidc import Person
from treering.access.rights import ALL, BELOW, EVERYTHING, Rights, Role
from treering.errors import Forbidden
from treering.model.space import space_name
from treering.values import dataclass


@dataclass(slots=True)
class ServedRequest:
    """One request, for the log and the record: its number, and the spaces it was about."""

    request: str | None = None
    auditor: Auditor | None = None
    spaces: dict[str, None] = field(default_factory=dict)

    def was_about(self, space: str) -> None:
        self.spaces[space_name(space)] = None


@dataclass(frozen=True, slots=True)
class Caller:
    name: str
    rights: Rights = EVERYTHING
    id: str = ""
    """Of its key, or who the identity provider says it is; empty where nobody needs a key."""
    key_id: str | None = None
    requests_a_minute: int | None = None
    requests_a_day: int | None = None
    reports_for_others: bool = True
    visit: ServedRequest = field(default_factory=ServedRequest, compare=False)
    """Who comes again is the same, whatever the request."""

    @property
    def is_known(self) -> bool:
        """Whether it has shown who it is."""
        return bool(self.id)

    @property
    def role(self) -> Role | None:
        """The highest that it has anywhere; none if it may do nothing."""
        return self.rights.highest

    def as_user(self) -> AuthenticatedUser:
        """As the protocol of agents knows who has opened a session: it is nobody else's, by whatever key they come."""
        who = f"id:{self.id}" if self.is_known else f"name:{self.name}"
        return AuthenticatedUser(AccessToken(token="", client_id=who, scopes=[]))

    @property
    def sees_all(self) -> bool:
        return self.rights.cover(Role.READ, ALL)

    @property
    def is_the_same_everywhere(self) -> bool:
        """Whether it has its highest role on everything."""
        return self.role is not None and self.rights.cover(self.role, ALL)

    @property
    def only_space(self) -> str | None:
        opened = self.rights.paths
        return opened[0] if len(opened) == 1 and ALL not in opened[0] else None

    def must_be(self, role: Role) -> None:
        """Somewhere at least."""
        have = self.role
        if have is None:
            raise Forbidden(f"{self.name!r} may do nothing here: none of its groups is granted anything; ask an admin")
        if not have.includes(role):
            raise Forbidden(f"this key may {have}, and this takes one that may {role}")

    def must_open(self, space: str, role: Role = Role.READ, below: bool = False) -> None:
        """The answer is the same whether or not there is such a space."""
        asked = space + BELOW if below else space
        if self.rights.cover(role, asked):
            return
        if self.rights.cover(Role.READ, asked):
            raise Forbidden(f"this takes one who may {role} in the space {space!r}; you may not: {self._holds()}")
        also = " and all below it" if below else ""
        raise Forbidden(f"this key does not open the space {space!r}{also}; {self._opens()}")

    def must_see_all(self, role: Role = Role.READ) -> None:
        if not self.rights.cover(role, ALL):
            raise Forbidden(
                f"this is about the whole store, and takes a key that opens every space (*); {self._opens()}"
            )

    def must_administer(self, path: str, what: str) -> None:
        """Of a path's keys, grants and webhooks: never of what lies above or beside it."""
        if not self.rights.cover(Role.ADMIN, path):
            held = ", ".join(self.rights.within(Role.ADMIN))
            raise Forbidden(f"{what}: {path} is not within what you administer; that is {held or 'nothing'}")

    def must_stand_above(self, space: str) -> None:
        """Nobody grants their own space more room: that is for the admins of a path above it."""
        if not self.rights.stand_above(Role.ADMIN, space):
            raise Forbidden(f"quota: that of {space!r} is set by an admin of a path above it; {self._opens()}")

    def _opens(self) -> str:
        """Whoever holds a key may know what it opens: then a space that was left out can be named."""
        return f"it opens {', '.join(self.rights.paths) or 'nothing'}: say which in `space`"

    def _holds(self) -> str:
        return ", ".join(str(one) for one in self.rights.held)

    def must_speak_for(self, principal: str | None, space: str) -> None:
        if principal not in (None, self.name) and not self.rights.cover(Role.ADMIN, space):
            raise Forbidden(f"principal: this key speaks for {self.name!r}; leave it out, or use an admin's key")

    def may_report_for(self, name: str) -> None:
        if name != self.name and not self.reports_for_others:
            raise Forbidden(
                f"observed_by: this key reports what {self.name!r} has to say; leave it out, or have a key made that "
                "may report for others"
            )


def by_key(key: ApiKey) -> Caller:
    return Caller(
        name=key.name,
        rights=key.rights,
        id=key.id,
        key_id=key.id,
        requests_a_minute=key.requests_a_minute,
        requests_a_day=key.requests_a_day,
        reports_for_others=key.reports_for_others,
    )


def by_token(person: Person, rights: Rights) -> Caller:
    return Caller(name=person.name, rights=rights, id=person.name, reports_for_others=False)
