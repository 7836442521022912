"""Were the memories that were found said by people to one another, or told to the memory?

It is a matter of who else is heard in the session, as it is when a turn is read (`model/speaker`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treering.model.entity import fold
from treering.model.speaker import is_somebody_else
from treering.recall.asked_facts import OWNER
from treering.recall.index.columns import Numbers
from treering.recall.search import Search, marked
from treering.store.contract import Reader

MOST = 0.5


def is_mostly_talk(found: Sequence[tuple[Reader, Search, int]]) -> bool:
    """Whether most of these memories, each with the space that has it, were said where people talk with one another."""
    spaces: dict[int, tuple[Reader, Search, list[int]]] = {}
    for reader, search, number in found:
        spaces.setdefault(id(search), (reader, search, []))[2].append(number)
    talk = 0
    for reader, search, numbers in spaces.values():
        talk += int(said_in_talk(search, np.asarray(numbers), _name_of_owner(reader)).sum())
    return talk > MOST * len(found)


def said_in_talk(search: Search, memories: Numbers, owner: str | None) -> Numbers:
    """Which of the memories were said by somebody, neither the owner nor an assistant, in whose session another such
    person says something that may be seen."""
    speakers = _others(search, owner)
    visible, speaking = search.visible, speakers[search.column("speaker")]
    sessions = visible.sessions[memories]
    there = marked(len(visible.session_turns), sessions)[visible.sessions] & visible.seen & (speaking >= 0)
    pairs = np.unique(np.stack([visible.sessions[there], speaking[there]]), axis=1)
    company = np.bincount(pairs[0], minlength=len(visible.session_turns))
    told: Numbers = (speaking[memories] >= 0) & (company[sessions] > 1)
    return told


def _others(search: Search, owner: str | None) -> Numbers:
    """For each speaker a number that all spellings of the name share; -1 for the owner, assistants and, at the end, for
    nobody, who is number -1."""
    known = search.index.speakers.copy()  # others may be met now
    first: dict[str, int] = {}
    numbers = np.full(len(known) + 1, -1, np.intp)
    for name, number in known.items():
        if is_somebody_else(name, owner):
            numbers[number] = first.setdefault(fold(name), number)
    return numbers


def _name_of_owner(reader: Reader) -> str | None:
    found = reader.entities(OWNER, limit=1)
    return found[0].name if found else None
