"""Who is let in besides the bearers of keys, and what is recorded of it? As the settings of a server have it."""

from __future__ import annotations

from treering.access.audit import Level
from treering.access.grants import Grant
from treering.access.oidc import OidcPolicy
from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    oidc: OidcPolicy | None = None
    """The identity provider whose tokens are taken; none are if none."""
    grants: tuple[Grant, ...] = ()
    """What groups may do, besides what is granted in the store."""
    audit: Level = Level.OFF


KEYS_ALONE = AccessPolicy()
