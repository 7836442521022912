"""Which texts were read lately? A turn is read when it is said, and again as what was said before the next ones."""

from __future__ import annotations

import threading
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treering.language.english import read_many
from treering.language.mentions import Mention, mentions
from treering.language.names import Name, names_in

if TYPE_CHECKING:
    from treering.language.parse.doc import Doc

MOST_TEXTS = 512
_NO_NAMES = frozenset(("everybody", "everyone", "nobody", "somebody", "someone", "anyone", "anybody"))


@dataclass(frozen=True, slots=True)
class ParsedWord:
    """What the parser knows of a word, by the parser's own names. Rules ask each word some fifty times, and a token
    looks into its store of strings every time."""

    i: int
    idx: int
    text: str
    lower_: str
    tag_: str
    dep_: str
    lemma_: str
    whitespace_: str
    is_alpha: bool
    is_punct: bool
    is_space: bool

    def __len__(self) -> int:
        return len(self.text)


@dataclass(frozen=True, slots=True)
class Parsed:
    """`starts` and `ends` are where its tokens are: going over a document's tokens is slow, over a list is not."""

    doc: Doc
    words: tuple[ParsedWord, ...]
    names: tuple[Name, ...]
    mentions: tuple[Mention, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def tokens(self, start: int, end: int) -> range:
        """The tokens that any character from `start` to `end` is in."""
        return range(bisect_right(self.ends, start), bisect_left(self.starts, end))


def parsed(doc: Doc, names: tuple[Name, ...]) -> Parsed:
    words = tuple(
        ParsedWord(
            token.i,
            token.idx,
            token.text,
            token.lower_,
            token.tag_,
            token.dep_,
            token.lemma_,
            token.whitespace_,
            token.is_alpha,
            token.is_punct,
            token.is_space,
        )
        for token in doc
    )
    starts = tuple(word.idx for word in words)
    return Parsed(doc, words, names, mentions(doc, names), starts, tuple(word.idx + len(word) for word in words))


class Recent:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Parsed] = OrderedDict()

    def parsed(self, texts: Iterable[str]) -> dict[str, Parsed]:
        """Each text once; those not read lately are read in one go."""
        wanted = dict.fromkeys(texts)
        found: dict[str, Parsed] = {}
        with self._lock:
            for text in wanted:
                if text in self._kept:
                    self._kept.move_to_end(text)
                    found[text] = self._kept[text]
        new = [text for text in wanted if text not in found]
        for text, doc in zip(new, read_many(new), strict=True):
            names = tuple(name for name in names_in(doc) if name.text.lower() not in _NO_NAMES)
            found[text] = parsed(doc, names)
        with self._lock:
            for text in new:
                self._kept[text] = found[text]
            while len(self._kept) > MOST_TEXTS:
                self._kept.popitem(last=False)
        return found
