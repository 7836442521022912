"""How does a model see a text? As word pieces: what is asked, what was said, who said it, each within its bound."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from training.data import MOODS
from training.examples import ASKS, ROLES, VERDICTS, Reading, Role, Verdict
from training.lists import OPEN, PARTS, Listed, stretches

OPENING, CLOSING, UNKNOWN, UNLABELLED = 101, 102, -100, -200
QUESTION, STATEMENT, BEFORE, MESSAGE, IN_LIST = 32, 64, 32, 160, 44
"""The most word pieces of each."""
TAGS = ("O", "B-v", "I-v", "B-old", "I-old", "B-s", "I-s", "B-when", "I-when")
NAME_KINDS = ("person", "organization", "place", "product", "technology", "event", "work", "other")
NAME_TAGS = ("O", *(f"{b}-{kind}" for kind in NAME_KINDS for b in "BI"))
KINDS = ("semantic", "episode", "viewpoint")

Row = tuple[list[int], list[int]]


class Coder:
    def __init__(self, tokenizer: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

        self._coded = lru_cache(100_000)(lambda text: tuple(self._tokenizer.encode(text, add_special_tokens=False).ids))

    def encode(self, text: str) -> Any:
        """With the characters of each word piece."""
        return self._tokenizer.encode(text, add_special_tokens=False)

    def pieces(self, text: str, most: int) -> list[int]:
        return list(self._coded(text)[:most])

    def row(self, first: list[list[int]], second: list[list[int]]) -> Row:
        ids, types = [OPENING], [0]
        for kind, parts in ((0, first), (1, second)):
            for part in parts:
                ids += [*part, CLOSING]
                types += [kind] * (len(part) + 1)
        return ids, types

    def verdict(self, one: Verdict) -> Row:
        pieces = self.pieces
        return self.row(
            [pieces(one.question, QUESTION), pieces(one.older, STATEMENT)],
            [pieces(one.newer, STATEMENT), pieces(one.before, BEFORE)],
        )

    def role(self, one: Role) -> Row:
        return self.row([self.pieces(one.question, QUESTION)], [self.pieces(one.statement, STATEMENT)])

    def stretched(self, one: Listed, draw: random.Random) -> tuple[list[int], list[int]]:
        """The number of the stretch that each word piece of a list belongs to, -1 for none; and each stretch's part."""
        whose = [-1] * (len(self.pieces(one.question, QUESTION)) + 2)
        parts: list[int] = []
        for text, part, answer in zip(one.statements, one.parts, one.answers, strict=True):
            row = [-1] * len(self.pieces(text, IN_LIST))
            found = stretches(text, answer, part, draw)
            offsets = self._tokenizer.encode(text, add_special_tokens=False).offsets[:IN_LIST] if found else ()
            for start, end, mine in found:
                own = [place for place, (a, b) in enumerate(offsets) if a < end and b > start]
                for place in own:
                    row[place] = len(parts)
                if own:
                    parts.append(PARTS.index(mine))
            whose += [*row, -1]
        return whose, parts

    def listed(self, one: Listed) -> tuple[list[int], list[int], list[int]]:
        """Ids, types, and the number of the statement that each word piece belongs to; -1 for none."""
        asked, said = self.pieces(one.question, QUESTION), [self.pieces(text, IN_LIST) for text in one.statements]
        ids, types = self.row([asked], said)
        whose = [-1] * (len(asked) + 2)
        for number, pieces in enumerate(said):
            whose += [number] * (len(pieces) + 1)
        return ids, types, whose

    def reading(self, one: Reading, relations: dict[str, int]) -> Coded:
        lead = f"{one.speaker}: "
        coded = self._tokenizer.encode(lead + one.text, add_special_tokens=False)
        before = self.pieces(one.before, BEFORE)
        said = coded.ids[:MESSAGE]
        ids, types = self.row([before], [said])
        first = len(before) + 2
        at = [(a - len(lead), b - len(lead)) for a, b in coded.offsets[:MESSAGE]]
        length = len(ids)
        cuts, tags, names = (np.full(length, UNKNOWN) for _ in range(3))
        own = [place for place, (a, _) in enumerate(at) if a >= 0]
        whose = np.full(length, -1)
        if own:
            if one.cut and one.pieces:
                cuts[[first + place for place in own]] = 0
                for number, piece in enumerate(one.pieces):
                    inside = [p for p in own if piece.start <= at[p][0] < piece.end]
                    if inside:
                        cuts[first + inside[0]] = 1
                        whose[[first + p for p in inside]] = number
            elif one.pieces:
                whose[[first + place for place in own]] = 0
            if one.pieces and (one.tags or one.cut):
                tags[[first + place for place in own]] = 0
                _tag(tags, one.tags, at, own, first, TAGS)
            if one.names is not None:
                names[[first + place for place in own]] = 0
                _tag(names, one.names, at, own, first, NAME_TAGS)
        return Coded(ids, types, cuts, tags, names, whose, one, first, relations)


def _tag(row: Any, spans: Any, at: Any, own: list[int], first: int, labels: tuple[str, ...]) -> None:
    for start, end, name in spans:
        begun = False
        for place in own:
            a, b = at[place]
            if a < end and b > start and f"B-{name}" in labels:
                row[first + place] = labels.index(("I-" if begun else "B-") + name)
                begun = True


@dataclass
class Coded:
    ids: list[int]
    types: list[int]
    cuts: Any
    tags: Any
    names: Any
    whose: Any
    """The number of the piece that each word piece belongs to; -1 for none."""
    reading: Reading
    first: int
    relations: dict[str, int]

    def labels(self) -> list[tuple[int, ...]]:
        """For each piece: mood, relation, kind, lasts, importance in percent, worth; -100 where not known."""
        found: list[tuple[int, ...]] = []
        for piece in self.reading.pieces:
            found.append((
                MOODS.index(piece.mood) if piece.mood in MOODS else UNKNOWN,
                self.relations.get(piece.relation or "", UNKNOWN),
                KINDS.index(piece.kind) if piece.kind in KINDS else UNKNOWN,
                UNKNOWN if piece.lasts is None else int(bool(piece.lasts)),
                UNKNOWN if piece.importance is None else round(100 * piece.importance),
                UNKNOWN if piece.worth is None else int(piece.worth),
            ))  # fmt: skip
        return found

    @property
    def asks(self) -> int:
        return ASKS.index(self.reading.asks) if self.reading.asks else UNKNOWN


def padded(rows: list[Any], fill: int = 0) -> Any:
    out = np.full((len(rows), max(map(len, rows))), fill, np.int64)
    for place, row in enumerate(rows):
        out[place, : len(row)] = row
    return out


def part_labels(one: Listed) -> list[int]:
    return [UNLABELLED if part == OPEN else PARTS.index(part) for part in one.parts]


def verdict_label(one: Verdict) -> int:
    return VERDICTS.index(one.verdict)


def role_label(one: Role) -> int:
    return ROLES.index(one.role)


def coded_readings(coder: Coder, readings: list[Any], relations: dict[str, int]) -> tuple[Any, ...]:
    coded = [coder.reading(one, relations) for one in readings]
    most = max(1, *(len(one.reading.pieces) for one in coded))
    pieces = np.full((len(coded), most, 6), UNKNOWN, np.int64)
    for place, one in enumerate(coded):
        for number, labels in enumerate(one.labels()):
            pieces[place, number] = labels
    rows = arrays([(one.ids, one.types) for one in coded])
    marks = (padded([getattr(one, name) for one in coded], UNKNOWN) for name in ("cuts", "tags", "names"))
    return *rows, *marks, padded([one.whose for one in coded], -1), pieces, np.array([one.asks for one in coded])


def arrays(rows: list[Any]) -> tuple[Any, Any]:
    return padded([ids for ids, _ in rows]), padded([types for _, types in rows])
