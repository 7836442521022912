"""Which space is meant by another system's namespace? One name for one name, and back again.

Namespaces there may hold capitals, colons and any other letter; spaces are segments of `a-z 0-9 . _ -`. What a space
cannot hold is written as `..` and two hex digits for each byte of it in UTF-8: `Team:a` is `..54eam..3aa`. Names that
can be a space as they stand are one, so that most look the same on both sides.
"""

from __future__ import annotations

import re

from treering.errors import InvalidRequest, LimitExceeded
from treering.model import limits
from treering.model.space import space_name

_ESCAPE = ".."
_NOTHING = ".."
"""A segment with nothing in it: no other is written like this."""
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")
_WRITTEN = re.compile(r"(?:\.\.[0-9a-f]{2})+")


def space_of(namespace: str) -> str:
    """The space that stands for a namespace."""
    limits.text(namespace, "namespace", limits.SPACE_CHARS, least=1)
    segments = namespace.split("/")
    whole, beyond = segments[: limits.SPACE_SEGMENTS - 1], segments[limits.SPACE_SEGMENTS - 1 :]
    written = "/".join(_segment(one) for one in (*whole, *(("/".join(beyond),) if beyond else ())))
    if len(written) > limits.SPACE_CHARS:
        raise LimitExceeded(
            f"namespace: {namespace!r} takes {len(written)} characters as a space; at most {limits.SPACE_CHARS}. "
            "Shorten it: capitals and signs take four each"
        )
    return space_name(written)


def namespace_of(space: str) -> str:
    """The namespace that a space stands for."""
    return "/".join("" if one == _NOTHING else _WRITTEN.sub(_read, one) for one in space.split("/"))


def _segment(text: str) -> str:
    if not text:
        return _NOTHING
    written = ""
    for place, char in enumerate(text):
        onward = text[place + 1 : place + 2]
        # a full stop stands for itself unless what comes after it begins with one
        plain = char in _PLAIN or (char == "." and (not onward or onward in _PLAIN))
        written += char if plain else "".join(f"{_ESCAPE}{byte:02x}" for byte in char.encode())
    return written


def _read(found: re.Match[str]) -> str:
    """The letters of a run of escapes; what is no UTF-8 was not written here, and stays as it is."""
    try:
        return bytes.fromhex(found[0].replace(_ESCAPE, "")).decode()
    except UnicodeDecodeError:
        return found[0]


def namespace_or_none(space: str) -> str | None:
    """The namespace of a space that can be asked for by it; a space of a name that nobody writes here has none."""
    name = namespace_of(space)
    try:
        return name if space_of(name) == space else None
    except (InvalidRequest, LimitExceeded):
        return None
