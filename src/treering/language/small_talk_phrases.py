"""How are empty phrases written? What a language says when it says nothing, by what it is: greetings, thanks, nods.

In lower case and without signs. Alternatives stand on lines of their own or between slashes, and a line set in further
goes on with the one before; `<good>` is a class of words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class SmallTalkPhrase:
    """`why` it says nothing, and how it is written. Patterns are made when they are first tried: most never are."""

    why: str
    written: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(rf"(?:{self.written})(?![\w'%])")


@dataclass(frozen=True)
class SmallTalk:
    """What is empty in one language, and the words after which a name is that of whoever is spoken to."""

    listed: Mapping[str, str]
    openings: str
    """Words that are said to somebody: "thanks, Mel"."""
    answers: str
    """Words that are if it is called out: "yes, Mel!"."""
    classes: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def phrases(self) -> tuple[SmallTalkPhrase, ...]:
        """One for each alternative: which of several is the longest is not for `re` to choose."""
        return tuple(
            SmallTalkPhrase(why, self._spelled_out(phrase))
            for why, some in self.listed.items()
            for line in re.sub(r"\n {12,}", "", some).strip().splitlines()
            for phrase in line.strip().split(" / ")
        )

    def _spelled_out(self, phrase: str) -> str:
        return re.sub(r"<(\w+)>", lambda found: re.sub(r"\|\s+", "|", self.classes[found[1]]), phrase)

    @cached_property
    def by_first_sign(self) -> dict[str, tuple[SmallTalkPhrase, ...]]:
        found: dict[str, tuple[SmallTalkPhrase, ...]] = {}
        for phrase in self.phrases:
            for sign in first_signs(phrase.written):
                found[sign] = (*found.get(sign, ()), phrase)
        return found

    @cached_property
    def opening(self) -> re.Pattern[str]:
        return _ending_with(self.openings)

    @cached_property
    def answer(self) -> re.Pattern[str]:
        return _ending_with(self.answers)


def _ending_with(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?ix:{words})$")


def first_signs(written: str) -> frozenset[str]:
    """The signs with which what a pattern fits may begin; "" among them: it fits nothing as well."""
    found: set[str] = set()
    for way in _ways(written):
        place = 0
        while place < len(way):
            inner, place = _element(way, place)
            left_out = _LEFT_OUT.match(way, place)
            found |= inner - {""}
            if "" not in inner and not left_out:
                break
            place = left_out.end() if left_out else place
        else:
            found.add("")
    return frozenset(found)


_LEFT_OUT = re.compile(r"[?*]\+?|\{0,\d*\}")


def _ways(written: str) -> Iterator[str]:
    """The alternatives between bars that stand in no group."""
    depth = start = 0
    for place, sign in enumerate(written):
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and not depth:
            yield written[start:place]
            start = place + 1
    yield written[start:]


def _element(way: str, place: int) -> tuple[frozenset[str], int]:
    """The first signs of the group, class or sign that stands here, and where it ends."""
    if way[place] == "[":
        end = way.index("]", place) + 1
        return frozenset(way[place + 1 : end - 1]), end
    if way[place] == "\\":
        return frozenset(way[place + 1]), place + 2
    if way[place] != "(":
        return frozenset(way[place]), place + 1
    depth, end = 1, place + 1
    while depth:
        depth += (way[end] == "(") - (way[end] == ")")
        end += 1
    return first_signs(way[place + 1 : end - 1]), end
