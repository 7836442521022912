"""A turn as the rules read it."""

from __future__ import annotations

from datetime import UTC, datetime

from treering.ingest.extract.contract import Extracted, Heard, Turn
from treering.ingest.extract.rules import RulesExtractor

SAID = datetime(2026, 2, 10, 9, tzinfo=UTC)


def read(text: str, *before: tuple[str, str], speaker: str | None = None) -> tuple[Extracted, ...]:
    turns = tuple(Turn(who, said, SAID) for who, said in before)
    (extraction,) = RulesExtractor().extract([Heard(text=text, at=SAID, speaker=speaker, before=turns)])
    return extraction.extracted


def contents(text: str, *before: tuple[str, str], speaker: str | None = None) -> list[str]:
    return [one.content for one in read(text, *before, speaker=speaker)]


def day(year: int, month: int, number: int) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)
