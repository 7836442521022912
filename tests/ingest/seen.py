"""A reader that says what it is given, and what it may be given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from treering.ingest.extract import learned_facts
from treering.ingest.extract.contract import Claim, Extracted, Extraction, Heard, Turn
from treering.ingest.extract.reader import ReaderExtractor
from treering.mind.reading import AssertedFact, FactMood, FoundFact, Piece, Place, ReadMessage, ReadName

Pieces = Sequence[tuple[str, Mapping[str, object]]]
AT = datetime(2026, 3, 2, 9, tzinfo=UTC)  # a Monday


class Sees:
    """`pieces` and `names` by the words that they are of, each where a text has them. `asked`: the facts of questions.
    `beliefs` by value: how far the words bear it out."""

    name = "sees"

    def __init__(
        self,
        pieces: Pieces = (),
        names: Mapping[str, str] | None = None,
        facts: Sequence[FoundFact] = (),
        beliefs: Mapping[str, float] | None = None,
        asked: Mapping[str, Sequence[FoundFact]] | None = None,
    ) -> None:
        self._pieces, self._names = pieces, names or {}
        self._facts, self._beliefs, self._asked = tuple(facts), beliefs or {}, asked or {}
        self.before: list[str] = []
        self.before_facts: list[str] = []

    def read(self, text: str, speaker: str, before: str = "") -> ReadMessage:
        self.before.append(before)
        names = [(text.index(one), len(one), kind) for one, kind in self._names.items() if one in text]
        return ReadMessage(
            tuple(piece(text, words, **more) for words, more in self._pieces if words in text),
            tuple(ReadName((start, start + long), kind) for start, long, kind in sorted(names)),
        )

    def facts(self, text: str, speaker: str, before: str = "") -> tuple[FoundFact, ...]:
        self.before_facts.append(before)
        return tuple(self._asked.get(text, self._facts))

    def beliefs(self, text: str, speaker: str, before: str, claims: Sequence[AssertedFact]) -> list[float]:
        return [self._beliefs.get(one.value, 0.0) for one in claims]


def piece(text: str, words: str, **more: object) -> Piece:
    start = text.index(words)
    given: dict[str, object] = {
        "span": (start, start + len(words)), "worth": 0.9, "mood": FactMood.SO, "mood_score": 0.9, "relation": "OTHER",
        "relation_score": 0.9, "kind": "semantic", "lasts": 0.9, "importance": 0.6,
    }  # fmt: skip
    return Piece(**{**given, **more})  # type: ignore[arg-type]


def found(text: str, words: str, of: str | None = None, **more: object) -> FoundFact:
    """A fact with its value where the text has its words first, said `of` somebody in it or else of who speaks."""
    at, subject = text.index(words), (0, 0) if of is None else (text.index(of), text.index(of) + len(of))
    fact = FoundFact(
        value=(at, at + len(words)),
        value_score=0.99,
        relation="USES",
        relation_score=0.9,
        mood=FactMood.SO,
        mood_score=0.95,
        place=Place.SPEAKER if of is None else Place.TURN,
        subject=subject,
        subject_score=0.95,
    )
    return replace(fact, **more)  # type: ignore[arg-type]


def read_by(reader: Sees, text: str, **more: object) -> Extraction:
    heard = Heard(text=text, at=AT, **more)  # type: ignore[arg-type]
    return ReaderExtractor(lambda: reader).extract([heard])[0]


def seen(text: str, pieces: Pieces = (), **more: object) -> Extraction:
    names: Mapping[str, str] = more.pop("names", {})  # type: ignore[assignment]
    before = tuple(Turn(None, said, AT) for said in more.pop("before", ()))  # type: ignore[attr-defined]
    return read_by(Sees(pieces or ((text, {}),), names), text, before=before, **more)


def contents(told: Extraction) -> list[str]:
    return [one.content for one in told.extracted]


def wholes(told: Extraction) -> list[Extracted]:
    """Without the clauses that are told by themselves too."""
    return [one for one in told.extracted if not one.clause]


def clauses(told: Extraction) -> list[str]:
    return [one.content for one in told.extracted if one.clause]


def claims(told: Extraction) -> list[Claim]:
    return [claim for one in told.extracted for claim in one.claims]


def facts(told: Extraction) -> list[tuple[str, str, str]]:
    return [(one.subject, one.relation, one.object) for one in claims(told)]


def named(one: Extracted) -> dict[str, str | None]:
    return {name.name: name.kind for name in one.entities}


# one fact, as somebody may see it

TEXT = "Somebody left the ladder with Ilse"
NAMED = {"Ilse": "person"}
NEVER, ALWAYS = -30.0, 30.0
"""What the words say of a claim, so loud that nothing else counts."""


def kept(of: str | None = "ladder", *, text: str = TEXT, value: str = "Ilse", **more: object) -> FoundFact:
    return found(text, value, of, **{"relation": "KEPT_BY", **more})


def read_with(*some: FoundFact, text: str = TEXT, **more: object) -> Extraction:
    return read_by(Sees(names=NAMED, facts=some), text, **more)


def as_likely(monkeypatch: pytest.MonkeyPatch, share: float) -> None:
    monkeypatch.setattr(learned_facts, "_likely", lambda *_: share)
