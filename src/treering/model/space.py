"""What keeps one tenant's knowledge from another's? A space, known by a path-like name."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache

from treering.errors import InvalidRequest
from treering.model import limits
from treering.model.value import Value
from treering.values import dataclass

DEFAULT_SPACE = "default"
_SEGMENT = re.compile(r"[a-z0-9._-]+")


def space_name(value: object) -> str:
    return _checked(value) if isinstance(value, str) else limits.text(value, "space", limits.SPACE_CHARS)


@lru_cache(maxsize=256)
def _checked(value: str) -> str:
    name = limits.text(value, "space", limits.SPACE_CHARS, least=1)
    segments = name.split("/")
    if len(segments) > limits.SPACE_SEGMENTS:
        raise InvalidRequest(
            f"space: {name!r} has {len(segments)} segments; at most {limits.SPACE_SEGMENTS}, joined by '/'"
        )
    for segment in segments:
        if not _SEGMENT.fullmatch(segment):
            raise InvalidRequest(
                f"space: {name!r} has the segment {segment!r}; each is one or more of a-z 0-9 . _ - in lower case, "
                "joined by '/', such as acme/research"
            )
    return name


@dataclass(frozen=True, slots=True, repr=False)
class SignerInfo(Value):
    """An actor that signs what it writes in a space: its public key, and since when."""

    space: str
    actor: str
    public_key: str
    since: datetime


@dataclass(frozen=True, slots=True, repr=False)
class SpaceInfo(Value):
    """A space as its journal's head tells it."""

    name: str
    seq: int
    created_at: datetime
    changed_at: datetime
