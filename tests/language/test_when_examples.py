"""The example beside every rule, as the whole reader reads it on Wednesday 15 May 2024 at ten.

`when_examples.txt` holds a line for each: the words, then what they mean. An hour of the day that needs its day is read
as tomorrow's. A rule added or changed must say here what it now means.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from treering.language.when import when
from treering.language.when.english import TABLES

NOW = "2024-05-15T10:00:00Z"
EXAMPLES = Path(__file__).with_name("when_examples.txt").read_text(encoding="utf-8").splitlines()
OF_THE_RULES = list(dict.fromkeys(rule.example for rules in TABLES.values() for rule in rules if rule.example))
NEVER_ALONE = ("year",)


def short(point: datetime | None) -> str:
    if point is None:
        return "…"
    return point.isoformat()[: 10 if (point.hour, point.minute) == (0, 0) else 16]


def line(example: str) -> str:
    text = example if when(example, NOW) else f"tomorrow {example}"
    found = [f"{short(window.start)} to {short(window.end)}" for window in when(text, NOW) if window.text == text]
    return f"{text} = {'; '.join(found)}"


@pytest.mark.parametrize("written", EXAMPLES)
def test_example(written: str) -> None:
    assert line(written.partition(" = ")[0]) == written


def test_every_rule_has_its_line() -> None:
    known = {written.partition(" = ")[0].removeprefix("tomorrow ") for written in EXAMPLES}
    missing = [e for e in OF_THE_RULES if e.removeprefix("tomorrow ") not in known and e not in NEVER_ALONE]
    assert missing == []
