"""What does the caller keep beside a memory? A JSON object of its own, copied and frozen when it is given."""

from __future__ import annotations

from typing import Any, NoReturn


class Meta(dict[str, Any]):
    """A JSON object that refuses to be changed. It equals a dict with the same content and is written as one."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self))

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("meta cannot be changed after the write; revise the memory with another meta")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[Meta], tuple[dict[str, Any]]]:
        return Meta, (dict(self),)


EMPTY = Meta()
