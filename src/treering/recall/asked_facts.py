"""Which facts does a question ask for? The relations that its words stand for, and whether it is the owner who asks.

"Where do I live?" asks where whoever the space belongs to lives. The table of relations says by which words each is
asked for, and which tell of its beginning; a relation without a row is asked for by the words of its own name
(LUCKY_NUMBER: lucky, number). Words are compared by their stems.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from treering.language.words import words
from treering.relations.own import TABLE, Relations

OWNER = "user"
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|my|me|mine|we|our|us)\b", re.IGNORECASE)

_GOING_ON = frozenset(words("live living lived work working worked study studying studied date dating own owned"))
_ENDING = frozenset(words("leave left leaving quit quitting sold selling divorced divorcing"))


def tells_the_beginning(relation: str, stems: frozenset[str], relations: Relations = TABLE) -> bool:
    """`stems`: of words that name an event, such as "I moved to Austin"."""
    row = relations.row(relation)
    return row is not None and not _stems(row.begins).isdisjoint(stems)


def tells_how_it_was(stems: frozenset[str]) -> bool:
    """And not only that it began: "while I lived in Austin"."""
    return not _GOING_ON.isdisjoint(stems)


def tells_the_end(stems: frozenset[str]) -> bool:
    return not _ENDING.isdisjoint(stems)


def by_the_owner(text: str) -> bool:
    return _FIRST_PERSON.search(text) is not None


def asks_for(relation: str, stems: frozenset[str], relations: Relations = TABLE) -> bool:
    """`stems`: of the words of the question. `relations`: those of the space that is asked."""
    row = relations.row(relation)
    if row is not None and row.asked and row.name == relation:
        return not _stems(row.asked).isdisjoint(stems)
    named = relations.names(relation) if row is not None and not row.asked else (relation,)
    return not _stems(frozenset(_words_of(named)) | (row.asked if row else frozenset())).isdisjoint(stems)


def _words_of(names: Iterable[str]) -> Iterator[str]:
    return (word for name in names for word in name.lower().split("_"))


@lru_cache(4096)
def _stems(said: frozenset[str]) -> frozenset[str]:
    return frozenset(words(" ".join(sorted(said))))
