"""Which commands does the list show? Read from a file that `make docs` writes: a list of what there is must not load
everything there is."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

LISTED = Path(__file__).with_name("listed.tsv")
"""A line of titles in their order, then a line for each command: its title, its name, what it does, and how."""
AT_ONCE = "at-once"
"""Said of a command that is done in a moment and names no file: a helper may do it in another folder."""


class Listed(NamedTuple):
    title: str
    name: str
    summary: str
    how: str


@cache
def _lines() -> tuple[str, ...]:
    return tuple(LISTED.read_text("utf-8").splitlines())


def titles() -> list[str]:
    return _lines()[0].split("\t")


@cache
def listed() -> tuple[Listed, ...]:
    return tuple(Listed(*line.split("\t")) for line in _lines()[1:])
