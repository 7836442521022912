"""How far do two authors agree? Labels of somebody who was given the brief and the texts of a blind set, and none of
its labels, scored as if they were Treering's.

What a second author does not reach is a matter of taste, and no goal for a reader. Messages are labelled anew whole; of
stories the turn is named that answers each question, or none.

    python -m bench.second [FOLDER]
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bench import blind, extraction, record
from bench.labels import Item
from treering.model.memory import Kind
from treering.model.time import utc

FOLDER = blind.SETS / "2026-11-18-f"


class SecondAuthor(extraction.Reader):
    def __init__(self, folder: Path) -> None:
        self._labels = {one["id"]: one for one in blind.lines(folder / "second" / "messages.jsonl")}
        self.seconds = [0.0]

    def read(self, case: Item) -> Any:
        told = self._labels[case["id"]]
        facts = [SimpleNamespace(subject=s, relation=r, object=o) for s, r, o in told["triples"]]
        made = [
            SimpleNamespace(
                content=one["content"],
                kind=Kind(one["kind"]),
                event_time=utc(_day(one["event_time"])) if one["event_time"] else None,
                valid_from=None,
                expires_at=None,
                entities=[SimpleNamespace(**each) for each in one["entities"]],
                triples=facts if place == 0 else [],
            )
            for place, one in enumerate(told["memories"])
        ]
        return SimpleNamespace(memories=made)


def _day(date: str) -> str:
    """The first of what it names."""
    return {len("2025"): f"{date}-01-01", len("2025-05"): f"{date}-01"}.get(len(date), date)


def stories(folder: Path) -> list[blind.Row]:
    answers = {one["id"]: one["answers"] for one in blind.lines(folder / "second" / "stories.jsonl")}
    asked = [
        (one, answer)
        for story in blind.lines(folder / "stories.jsonl")
        for one, answer in zip(story["questions"], answers[story["id"]], strict=True)
    ]
    known = [(one, answer) for one, answer in asked if one["right"]]
    unknown = [answer for one, answer in asked if one["kind"] == "unknown"]
    right = sum(answer in one["right"] for one, answer in known)
    return [
        ("stories: right", right / len(known), len(known), None, False),
        ("stories: silent where nothing is known", unknown.count(None) / len(unknown), len(unknown), None, False),
    ]


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    cases = blind.lines(folder / "messages.jsonl")
    found = blind.of_messages(cases, SecondAuthor(folder), "another author")
    print(record.table(blind.rows({"rows": [*found, *stories(folder)]})))


if __name__ == "__main__":
    main()
