"""Does a worded statement still say what was said? Names for pronouns, dates and forms of a verb are all that may come
in: a word that nobody said, or one said twice over, means that the words were taken apart wrongly."""

from __future__ import annotations

import re

from treering.ingest.extract.rules.lexicon import words

_WORD = re.compile(r"\w+(?:['\u2019]\w+)*")
_DATE = re.compile(r"\((?:[A-Z][a-z]+ )?\d{4}(?:-\d\d-\d\d)?\)|\bin [A-Z][a-z]+ \d{4}$")
"""What is added to a time that leans on the present."""
_REPEATED = re.compile(r"\b(\w+)\s+\1\b", re.IGNORECASE)
_NOBODY = frozenset(("i's", "me's", "my's", "we's", "us's", "our's"))
_JOINTS = words("is, was, are, were, has, have, had, does, do, did, will, would, not, in, and, user")
_ENDINGS = ("'s", "'", "s", "es")
_NOT = re.compile(r"^(?:do|does|is|are|am|ai|was|were|has|have)n't$")


def still_says(worded: str, said: str, before: str = "") -> bool:
    """`before`: who speaks and what was said earlier, from which names are taken."""
    told = _DATE.sub("", worded)
    known = {part for word in _words(f"{said} {before}") for part in (word, *word.split("'"))}
    return _twice(told) <= _twice(said) and all(_is_known(word, known) for word in _words(told))


def _twice(text: str) -> set[str]:
    """Words with themselves right after them."""
    return {one.lower() for one in _REPEATED.findall(text)}


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("\u2019", "'"))


def _is_known(word: str, known: set[str]) -> bool:
    """As it was said, by another form of the verb, or of what somebody has."""
    if word in known or word in _JOINTS or word[0].isdigit() or _NOT.match(word):
        return True
    stems = [word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending)]
    known_stem = any(stem in known or (stem.endswith("i") and f"{stem[:-1]}y" in known) for stem in stems)
    return known_stem and word not in _NOBODY
