"""What may be done where? A role on a path, and whether what somebody holds covers what is asked for.

Organisations, teams and spaces are paths: `acme/research/papers` lies below `acme/research`, which lies below `acme`. A
path is written as one space (`acme`), as one with all below it (`acme/*`), or as everything (`*`).
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from treering.errors import InvalidRequest
from treering.model.space import space_name
from treering.values import dataclass

ALL, BELOW = "*", "/*"


class Role(StrEnum):
    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def includes(self, other: Role) -> bool:
        order = list(Role)
        return order.index(self) >= order.index(other)


@dataclass(frozen=True, slots=True)
class Right:
    """A role on a path."""

    role: Role
    path: str

    def __str__(self) -> str:
        return f"{self.role} on {self.path}"


@dataclass(frozen=True, slots=True)
class Rights:
    """All that somebody holds."""

    held: tuple[Right, ...] = ()

    @property
    def highest(self) -> Role | None:
        """The role that it has anywhere; none if it holds nothing."""
        return max((one.role for one in self.held), key=list(Role).index, default=None)

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.path for one in self.held))

    def cover(self, role: Role, asked: str) -> bool:
        """Whether it has the role on the whole of a path."""
        return any(one.role.includes(role) and covers(one.path, asked) for one in self.held)

    def stand_above(self, role: Role, space: str) -> bool:
        """Whether it has the role on a path that the space lies below, and not only on the space itself."""
        parent = space.rpartition("/")[0]
        return self.cover(role, parent + BELOW if parent else ALL)

    def within(self, role: Role) -> tuple[str, ...]:
        """The paths on which it has the role."""
        return tuple(dict.fromkeys(one.path for one in self.held if one.role.includes(role)))


EVERYTHING = Rights((Right(Role.ADMIN, ALL),))


def rights_on(role: Role, paths: Iterable[str]) -> Rights:
    return Rights(tuple(Right(role, one) for one in paths))


def covers(path: str, asked: str) -> bool:
    """Whether all of the asked path lies in the other."""
    if path == ALL:
        return True
    if not path.endswith(BELOW):
        return asked == path
    root = path.removesuffix(BELOW)
    return asked == root or asked.startswith(root + "/")


def checked_path(given: str, field_name: str = "space") -> str:
    """As it may be written."""
    if given == ALL:
        return given
    try:
        space_name(given.removesuffix(BELOW))
    except InvalidRequest:
        raise InvalidRequest(
            f"{field_name}: {given!r} is neither a space, such as acme/research, nor one with all below it, such as "
            "acme/*, nor * for all"
        ) from None
    return given


def whole_path(given: str, field_name: str = "path") -> str:
    """With everything below it: what a group is granted holds for all of a path."""
    path = checked_path(given, field_name)
    return path if path == ALL or path.endswith(BELOW) else path + BELOW
