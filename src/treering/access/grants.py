"""What may a group do? Roles granted to the groups of an identity provider, each on a path and all below it.

They lie in the store's drawer, so that every server of it knows them; some may stand in the server's settings besides.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from datetime import datetime

from treering.access.rights import Right, Rights, Role, whole_path
from treering.errors import InvalidRequest, NotFound
from treering.model import limits
from treering.model.time import utc_or_none
from treering.model.value import Value
from treering.store.drawer import Drawer, Paper
from treering.values import dataclass

KIND = "grant"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Grant(Value):
    """Whoever is of the group has the role on the path: a space with all below it, such as acme/*, or * for all."""

    group: str
    path: str
    role: Role
    granted_at: datetime | None = None
    """None if it stands in the server's settings, and can be taken back only there."""
    granted_by: str | None = None

    @property
    def right(self) -> Right:
        return Right(self.role, self.path)


def add(drawer: Drawer, grant: Grant) -> Grant:
    """In place of what the group had on the same path."""
    limits.text(grant.group, "group", limits.NAME_CHARS, least=1)
    name = _name(grant.group, grant.path)
    while True:
        paper = drawer.get(KIND, name)
        if drawer.put(KIND, name, grant.to_dict(), version=paper.version if paper else 0) is not None:
            return grant


def remove(drawer: Drawer, group: str, path: str) -> Grant:
    """Those of the group who came in by it are refused from then on, within seconds."""
    name = _name(group, path)
    paper = drawer.get(KIND, name)
    if paper is None or not drawer.remove(KIND, name):
        raise NotFound(f"group: {group!r} has no grant on {path}; `keys grants` shows those there are", group)
    return _read(paper)


def listed(drawer: Drawer, fixed: Iterable[Grant] = ()) -> list[Grant]:
    """`fixed`: those of the settings."""
    kept = (_read(one) for one in drawer.listed(KIND))
    return sorted([*fixed, *kept], key=lambda one: (one.path, one.group))


def rights_of(groups: Collection[str], grants: Iterable[Grant]) -> Rights:
    """All that the groups have together."""
    return Rights(tuple(dict.fromkeys(one.right for one in grants if one.group in groups)))


def written_grants(text: str, field_name: str) -> tuple[Grant, ...]:
    """As settings have them: `platform=admin:*, research=write:acme/research`."""
    return tuple(_of_settings(one.strip(), field_name) for one in text.split(",") if one.strip())


def _of_settings(text: str, field_name: str) -> Grant:
    group, _, granted = text.rpartition("=")
    role, _, path = granted.partition(":")
    if not group or role not in list(Role) or not path:
        raise InvalidRequest(f"{field_name}: {text!r} is not a grant, such as research=write:acme/research")
    return Grant(group=group.strip(), path=whole_path(path.strip(), field_name), role=Role(role))


def _name(group: str, path: str) -> str:
    return hashlib.sha256(f"{path}\n{group}".encode()).hexdigest()[:32]


def _read(paper: Paper) -> Grant:
    value = paper.value
    return Grant(
        group=value["group"],
        path=value["path"],
        role=Role(value["role"]),
        granted_at=utc_or_none(value["granted_at"]),
        granted_by=value["granted_by"],
    )
