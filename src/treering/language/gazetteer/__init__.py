"""What is commonly known by which name? Lists of names, one a line, in the files beside this one.

A line that begins with = is also an ordinary word (Go, Bath, Target) and counts only when written just so; one that
begins with ~ (Slack, Excel) is as often written small, and then counts only if the words around it speak for a name.
The lists say what a word may be; what it is in a sentence is for `names` to decide.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

_FIRST_WORD = re.compile(r"\w+|\W")
SHORTEST_LOWER = 4  # shorter words in lower case are too often something else


class Listing(StrEnum):
    """The lists, each a file of that name."""

    TECHNOLOGY = "technology"
    SERVICE = "services"  # companies whose product has their name
    BRAND = "brands"  # makers whose name stands for the thing made
    ORGANIZATION = "organizations"
    PLACE = "places"
    WOMAN = "women"
    MAN = "men"
    EITHER = "either"  # first names of women and of men
    NO_NAME = "no_names"  # written large, and yet no name here: months, peoples, languages, abbreviations


PEOPLE = frozenset((Listing.WOMAN, Listing.MAN, Listing.EITHER))


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """`listings` by folded name, each with the spelling that is asked for, if any. `longest` is the length of the
    longest name that begins with a word, and `doubted` are names that mean something else when written small."""

    listings: MappingProxyType[str, tuple[tuple[Listing, str | None], ...]]
    longest: MappingProxyType[str, int]
    doubted: frozenset[str]

    def of(self, written: str) -> frozenset[Listing]:
        """The lists that hold this name, as it is written."""
        held = self.listings.get(written.casefold(), ())
        return frozenset(listing for listing, exactly in held if exactly is None or exactly == written)

    def is_a_word(self, written: str) -> bool:
        """Whether the lists say that this is an ordinary word as well."""
        return any(exactly is not None for _, exactly in self.listings.get(written.casefold(), ()))

    def reach(self, word: str) -> int:
        """How many characters a name beginning with this word may have; 0: none does."""
        found = _FIRST_WORD.match(word.casefold())
        return self.longest.get(found[0], 0) if found else 0


@lru_cache(maxsize=1)
def gazetteer() -> Gazetteer:
    listings: dict[str, list[tuple[Listing, str | None]]] = {}
    longest: dict[str, int] = {}
    doubted: set[str] = set()
    for listing in Listing:
        for line in (files(__name__) / f"{listing.value}.txt").read_text("utf-8").splitlines():
            name = line.lstrip("=~")
            folded = name.casefold()
            listings.setdefault(folded, []).append((listing, name if line.startswith("=") else None))
            if line.startswith("~"):
                doubted.add(folded)
            first = _FIRST_WORD.match(folded)
            if first:
                longest[first[0]] = max(longest.get(first[0], 0), len(name))
    held = {name: tuple(found) for name, found in listings.items()}
    return Gazetteer(MappingProxyType(held), MappingProxyType(longest), frozenset(doubted))


@lru_cache(maxsize=4096)
def capitalised(word: str) -> str | None:
    """A place or a first name in lower case, as it should have been written."""
    if len(word) < SHORTEST_LOWER or not word.islower():
        return None
    found = gazetteer().of(word)
    return word.capitalize() if found and found <= {Listing.PLACE, *PEOPLE} else None
