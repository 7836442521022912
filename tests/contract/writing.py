"""The smallest things a test of a store writes with: somebody who writes, a plan of one change, and the shortest step
of time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from treering.model.changes import Changes, SettingChanged
from treering.store.contract import Writer

ANN = Writer("ann")
TICK = timedelta(microseconds=1)


def setting(*relations: str) -> Callable[[Any, datetime], Changes]:
    """The smallest change there is."""
    return lambda reader, at: Changes("settings", (SettingChanged("functional_relations", list(relations)),))


def ids(things: list[Any]) -> list[str]:
    return [thing.id for thing in things]
