"""How do stored words reach a model? As data: every tool's text goes through here. What was said, named or noted by
somebody stands on one line between marks that it cannot close; what stands without marks is ours, or a single word.

Words are quoted in the answer itself, before anything is written of it. So no telling can forget to, and what stands
between the quotes in a line is its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from treering.model import limits
from treering.recall.quote import clean, quoted

_A_WORD = re.compile(r"[A-Za-z0-9_…~@%&=?+:;/.,-]{0,120}", re.ASCII)
"""Ids, states, relations, spaces, times, addresses: no blank, so no sentence, and nothing that opens a mark."""
Quoting = tuple[Any, bool]


def harmless(result: Any) -> Quoting:
    """The same answer with its words quoted, and whether there were any."""
    hand = _Hand()
    return hand.of(result), hand.has_quoted


def one_line(text: str) -> str:
    """What is ours, and may speak of what was stored: it takes one line and hides nothing."""
    return clean(text, limits.CONTENT_CHARS)


def as_json(answer: Any, indent: int | None = None) -> str:
    """JSON whose texts hold no character that shows nothing of itself: those are written as escapes, and so mean what
    they meant."""
    text = json.dumps(answer, ensure_ascii=False, indent=indent)
    return text if text.isprintable() else "".join(one if _is_plain(one) else json.dumps(one)[1:-1] for one in text)


def _is_plain(one: str) -> bool:
    return one.isprintable() or one == "\n"  # within its texts JSON has escapes for it


class _Hand:
    def __init__(self) -> None:
        self.has_quoted = False

    def of(self, value: Any) -> Any:
        match value:
            case Enum():
                return value
            case str():
                return self._words(value)
            case Mapping():
                return {self.of(key): self.of(one) for key, one in value.items()}
            case tuple() | list() | set() | frozenset():
                return [self.of(one) for one in value] if type(value) is list else tuple(map(self.of, value))
        return self._fields(value) if is_dataclass(value) and not isinstance(value, type) else value

    def _words(self, text: str) -> str:
        if _A_WORD.fullmatch(text):
            return text
        self.has_quoted = True
        return quoted(text)

    def _fields(self, value: Any) -> Any:
        """Made without its checks: quotes may be more than a name can be long."""
        told = object.__new__(type(value))
        for field in fields(value):
            object.__setattr__(told, field.name, self.of(getattr(value, field.name)))
        return told
