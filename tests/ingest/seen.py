"""A reader that says what it is given, and what it may be given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from treering.ingest.extract.contract import Extracted, Extraction, Heard, Turn
from treering.ingest.extract.hybrid import HybridExtractor
from treering.ingest.extract.reader import ReaderExtractor
from treering.ingest.extract.rules import RulesExtractor
from treering.mind.reading import AssertedFact, FactMood, FoundFact, Piece, ReadMessage, ReadName

Pieces = Sequence[tuple[str, Mapping[str, object]]]
AT = datetime(2026, 3, 2, 9, tzinfo=UTC)  # a Monday


class Sees:
    """`pieces` and `names` by the words that they are of."""

    name = "sees"

    def __init__(self, pieces: Pieces, names: Mapping[str, str]) -> None:
        self._pieces, self._names = pieces, names
        self.before: list[str] = []

    def read(self, text: str, speaker: str, before: str = "") -> ReadMessage:
        self.before.append(before)
        names = [ReadName((text.index(one), text.index(one) + len(one)), kind) for one, kind in self._names.items()]
        return ReadMessage(
            tuple(piece(text, words, **more) for words, more in self._pieces if words in text),
            tuple(one for one in names if one.span[0] >= 0),
        )

    def facts(self, text: str, speaker: str, before: str = "") -> tuple[FoundFact, ...]:
        return ()

    def beliefs(self, text: str, speaker: str, before: str, claims: Sequence[AssertedFact]) -> list[float]:
        return [0.0] * len(claims)


def piece(text: str, words: str, **more: object) -> Piece:
    start = text.index(words)
    given: dict[str, object] = {
        "span": (start, start + len(words)), "worth": 0.9, "mood": FactMood.SO, "mood_score": 0.9, "relation": "OTHER",
        "relation_score": 0.9, "kind": "semantic", "lasts": 0.9, "importance": 0.6,
    }  # fmt: skip
    return Piece(**{**given, **more})  # type: ignore[arg-type]


def seen(text: str, pieces: Pieces = (), *, beside_rules: bool = False, **more: object) -> Extraction:
    names: Mapping[str, str] = more.pop("names", {})  # type: ignore[assignment]
    before = tuple(Turn(None, said, AT) for said in more.pop("before", ()))  # type: ignore[attr-defined]
    reader = Sees(pieces or ((text, {}),), {one: kind for one, kind in names.items() if one in text})
    heard = Heard(text=text, at=AT, before=before, **more)  # type: ignore[arg-type]
    extractor = HybridExtractor(RulesExtractor(), lambda: reader) if beside_rules else ReaderExtractor(lambda: reader)
    return extractor.extract([heard])[0]


def contents(told: Extraction) -> list[str]:
    return [one.content for one in told.extracted]


def named(one: Extracted) -> dict[str, str | None]:
    return {name.name: name.kind for name in one.entities}
