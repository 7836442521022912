"""What is a word by itself? How it is written, what it looks like, and the numbers by which the model knows it.

Nothing here depends on the words beside it, so everything is worked out once a word and kept.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MOST_KEPT = 1 << 16
LONGEST_SHAPE = 100
_MASK = (1 << 64) - 1
_MULTIPLIER = 0xC6A4A7935BD1E995
_EMAIL = re.compile(r"([a-zA-Z0-9_.+-]+@[a-zA-Z0-9-]+\.[a-zA-Z0-9-.]+)")
_SIGNS = ("+", "-", "±", "~")


@dataclass(frozen=True, slots=True)
class Lexeme:
    text: str
    lower_: str
    norm_: str
    is_alpha: bool
    is_punct: bool
    is_space: bool
    is_stop: bool
    like_num: bool
    like_email: bool
    like_url: bool
    written: tuple[int, int, int]
    """First letter, last three, and shape, as the model's numbers."""
    norm: int


class Lexicon:
    def __init__(self, tables: Mapping[str, Any]) -> None:
        self._symbols: Mapping[str, int] = tables["symbols"]
        self._norms: Mapping[str, str] = tables["norms"]
        self._stop_words = frozenset(tables["stop_words"])
        self._domains = frozenset(tables["top_level_domains"])
        self._numbers_as_words = frozenset(tables["number_words"])
        self._url = re.compile(tables["url"])
        self._kept: dict[str, Lexeme] = {}
        self._numbers: dict[str, int] = {}

    def __getitem__(self, text: str) -> Lexeme:
        found = self._kept.get(text)
        if found is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            found = self._kept[text] = self._made(text)
        return found

    def number(self, text: str) -> int:
        """By which the model knows a piece of text: a name of its own by its place in a list, else a hash."""
        found = self._numbers.get(text)
        if found is None:
            if len(self._numbers) >= MOST_KEPT:
                self._numbers.clear()
            found = self._symbols.get(text)
            if found is None:
                found = _hash(text.encode("utf-8"))
            self._numbers[text] = found
        return found

    def _made(self, text: str) -> Lexeme:
        norm = self._norms.get(str(self.number(text)), text.lower())
        return Lexeme(
            text=text,
            lower_=text.lower(),
            norm_=norm,
            is_alpha=text.isalpha(),
            is_punct=all(unicodedata.category(character).startswith("P") for character in text),
            is_space=text.isspace(),
            is_stop=text.lower() in self._stop_words,
            like_num=self._like_number(text),
            like_email=_EMAIL.match(text) is not None,
            like_url=self._like_url(text),
            written=(self.number(text[:1]), self.number(text[-3:]), self.number(_shape(text))),
            norm=self.number(norm),
        )

    def _like_number(self, text: str) -> bool:
        if text.startswith(_SIGNS):
            text = text[1:]
        text = text.replace(",", "").replace(".", "")
        if text.isdigit():
            return True
        if text.count("/") == 1:
            above, below = text.split("/")
            if above.isdigit() and below.isdigit():
                return True
        low = text.lower()
        return low in self._numbers_as_words or (low.endswith(("st", "nd", "rd", "th")) and low[:-2].isdigit())

    def _like_url(self, text: str) -> bool:
        if text.startswith(("http://", "https://")) or (text.startswith("www.") and len(text) >= 5):
            return True
        if not text or text[0] == "." or text[-1] == "." or "@" in text or "." not in text:
            return False
        domain = text.rsplit(".", 1)[1].split(":", 1)[0]
        if domain.endswith("/") or (domain.isalpha() and domain in self._domains):
            return True
        return self._url.match(text) is not None


def _shape(text: str) -> str:
    """Letters as X and x, digits as d, the same one at most four times in a row."""
    if len(text) >= LONGEST_SHAPE:
        return "LONG"
    shape, last, repeated = [], "", 0
    for character in text:
        if character.isalpha():
            seen = "X" if character.isupper() else "x"
        else:
            seen = "d" if character.isdigit() else character
        repeated = repeated + 1 if seen == last else 0
        last = seen
        if repeated < 4:
            shape.append(seen)
    return "".join(shape)


def _hash(data: bytes, seed: int = 1) -> int:
    """MurmurHash64A."""
    mixed = seed ^ (len(data) * _MULTIPLIER & _MASK)
    whole = len(data) // 8 * 8
    for start in range(0, whole, 8):
        part = int.from_bytes(data[start : start + 8], "little") * _MULTIPLIER & _MASK
        part = (part ^ (part >> 47)) * _MULTIPLIER & _MASK
        mixed = (mixed ^ part) * _MULTIPLIER & _MASK
    if rest := data[whole:]:
        mixed = (mixed ^ int.from_bytes(rest, "little")) * _MULTIPLIER & _MASK
    mixed = (mixed ^ (mixed >> 47)) * _MULTIPLIER & _MASK
    return mixed ^ (mixed >> 47)
