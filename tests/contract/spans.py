"""Times as the tests of the door say them, and the windows of facts by year."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from treering.door import Treering

DAY = timedelta(days=1)


def at(year: int, month: int = 1, day: int = 1) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


def windows(mem: Treering, **more: Any) -> list[tuple[str, int, int | None]]:
    """Object, first year and last year of every fact, closed ones too."""
    facts = mem.facts(include_closed=True, **more)
    return [(one.object, one.valid_from.year, one.valid_until.year if one.valid_until else None) for one in facts]
