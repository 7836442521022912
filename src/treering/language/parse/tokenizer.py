"""Where does a word end? Text is split at blanks, then before, after and within each piece; some have their own rules.

As spaCy's tokenizer does it, with the rules of its English model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from treering.language.parse.doc import Doc
from treering.language.parse.lexicon import Lexicon

Piece = tuple[str, str | None]
"""A word, and its norm where a rule says one."""
MOST_KEPT = 1 << 14


class Tokenizer:
    def __init__(self, tables: Mapping[str, Any], lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._special: dict[str, list[Piece]] = {
            text: [(word, norm) for word, norm in parts] for text, parts in tables["special"].items()
        }
        self._prefix, self._suffix = re.compile(tables["prefix"]), re.compile(tables["suffix"])
        self._infix, self._url = re.compile(tables["infix"]), re.compile(tables["url"])
        self._kept: dict[str, list[Piece]] = {}
        self._apart: dict[str, list[tuple[str, ...]]] = {}
        """By its first word: a special text as it is when taken apart by the common rules."""
        for text in self._special:
            if " " in text or any(one.search(text) for one in (self._prefix, self._infix, self._suffix)):
                words = tuple(word for word, _, _ in self._split(text, special=False))
                self._apart.setdefault(words[0], []).append(words)

    def __call__(self, text: str) -> Doc:
        words = self._put_together(list(self._split(text, special=True)))
        return Doc([(self._lexicon[word], norm, space) for word, norm, space in words])

    def of_words(self, words: Sequence[str], spaces: Sequence[bool]) -> Doc:
        return Doc([(self._lexicon[word], None, space) for word, space in zip(words, spaces, strict=True)])

    def _split(self, text: str, special: bool) -> Iterator[tuple[str, str | None, bool]]:
        """At blanks: one blank belongs to the word before it, more are a word of their own."""
        waiting: list[Piece] = []
        start, blank = 0, text[:1].isspace()
        for place, character in enumerate(text):
            if character.isspace() == blank:
                continue
            if start < place:
                yield from ((*piece, False) for piece in waiting)
                waiting = self._pieces(text[start:place], special)
            if character == " ":
                yield from ((*piece, False) for piece in waiting[:-1])
                yield from ((*piece, True) for piece in waiting[-1:])
                waiting, start = [], place + 1
            else:
                start = place
            blank = not blank
        yield from ((*piece, False) for piece in waiting)
        if start < len(text):
            *pieces, last = self._pieces(text[start:], special)
            yield from ((*piece, False) for piece in pieces)
            yield (*last, text[-1] == " " and not blank)

    def _pieces(self, text: str, special: bool) -> list[Piece]:
        if not special:
            return self._taken_apart(text, special=False)
        found = self._special.get(text) or self._kept.get(text)
        if found is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            found = self._kept[text] = self._taken_apart(text, special=True)
        return found

    def _taken_apart(self, text: str, special: bool) -> list[Piece]:
        rules = self._special if special else {}
        before: list[Piece] = []
        after: list[Piece] = []
        size = -1
        while text and len(text) != size and text not in rules:
            size = len(text)
            prefix, suffix = self._prefix.search(text), None
            head = prefix.end() - prefix.start() if prefix else 0
            if head and text[head:] in rules:
                before.append((text[:head], None))
                text = text[head:]
                break
            suffix = self._suffix.search(text[head:])
            tail = suffix.end() - suffix.start() if suffix else 0
            if tail and text[:-tail] in rules:
                after.append((text[-tail:], None))
                text = text[:-tail]
                break
            if head and tail and head + tail <= len(text):
                before.append((text[:head], None))
                after.append((text[-tail:], None))
                text = text[head:-tail]
            elif head:
                before.append((text[:head], None))
                text = text[head:]
            elif tail:
                after.append((text[-tail:], None))
                text = text[:-tail]
        return [*before, *self._middle(text, rules), *reversed(after)]

    def _middle(self, text: str, rules: Mapping[str, list[Piece]]) -> Iterator[Piece]:
        if not text:
            return
        if text in rules:
            yield from rules[text]
            return
        start = 0
        if not self._url.match(text):
            for infix in self._infix.finditer(text):
                if infix.start() == 0:
                    continue
                if infix.start() != start:
                    yield text[start : infix.start()], None
                if infix.start() != infix.end():
                    yield infix.group(), None
                start = infix.end()
        if text[start:]:
            yield text[start:], None

    def _put_together(self, words: list[tuple[str, str | None, bool]]) -> list[tuple[str, str | None, bool]]:
        """Special texts that the common rules took apart, longest first and no word twice."""
        spans = [
            (len(parts), -place)
            for place, (word, _, _) in enumerate(words)
            for parts in self._apart.get(word, ())
            if tuple(one for one, _, _ in words[place : place + len(parts)]) == parts
        ]
        if not spans:
            return words
        seen: set[int] = set()
        instead: dict[int, tuple[int, list[tuple[str, str | None, bool]]]] = {}
        for size, minus in sorted(spans, reverse=True):
            start = -minus
            if start not in seen and start + size - 1 not in seen:
                text = "".join(word + " " * space for word, _, space in words[start : start + size - 1])
                parts = self._special.get(text + words[start + size - 1][0])
                if parts is not None:
                    made = [(word, norm, False) for word, norm in parts[:-1]]
                    instead[start] = size, [*made, (*parts[-1], words[start + size - 1][2])]
            seen.update(range(start, start + size))
        found: list[tuple[str, str | None, bool]] = []
        place = 0
        while place < len(words):
            size, made = instead.get(place, (1, [words[place]]))
            found.extend(made)
            place += size
        return found
