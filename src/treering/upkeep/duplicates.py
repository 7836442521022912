"""Do two sentences say the same? Words decide: the same things, numbers and names in the same roles, denied or not,
in the same time, said to be as certain.

Nothing is guessed. Two sentences that use other words for the same may be missed, two that say different things are
not to be taken for one: that is the costlier mistake, since what is merged is read as one ever after.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from treering.language.words import STOP_WORDS, stem
from treering.upkeep.duplicate_words import (
    BASE_FORMS,
    BE_NOW,
    BE_THEN,
    CERTAINTY,
    DECIDING,
    DENIALS,
    FLUFF,
    HAVE,
    LASTING,
    NOT_PAST,
    NUMBERS,
    PEOPLE,
    PHRASES,
    TIMES,
    same,
)
from treering.values import dataclass

_TOKEN = re.compile(r"\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_ENDS = frozenset(".!?\n;:")
_SHORT = {"n't": "not", "'re": "are", "'m": "am", "'ll": "will", "'ve": "have"}
_PAST_ENDING = re.compile(r"[a-z]{2,}ed")
_DECIDED = ("numbers", "denied", "times", "certainty", "asks")
_PARTICIPLE_WITHIN = 3
"""How many words may stand between an auxiliary and what it helps: "has not yet been"."""


@dataclass(frozen=True, slots=True)
class ContentWords:
    """What a text says, as far as its words tell."""

    things: tuple[str, ...]
    """The words that carry it, in order: one word for all that mean the same."""
    capitals: frozenset[str]
    """Those written as names, where a sentence does not begin."""
    opening: frozenset[str]
    """Those that begin a sentence, written like names whatever they are."""
    numbers: tuple[str, ...]
    small: tuple[str, ...]
    """Small words that decide, such as `before`."""
    people: frozenset[str]
    denied: bool
    times: frozenset[str]
    certainty: frozenset[str]
    asks: bool


def say_the_same(one: str, other: str) -> bool:
    return difference(one, other) is None


def difference(one: str, other: str) -> str | None:
    """In what two texts differ; none if they say the same."""
    first, second = said(one), said(other)
    for what in (*_DECIDED, "small"):
        if getattr(first, what) != getattr(second, what):
            return what
    if first.people and second.people and first.people != second.people:
        return "people"
    if Counter(first.things) != Counter(second.things):
        return "things"
    return "roles" if _roles_differ(first, second) else None


def clash(one: str, other: str) -> str | None:
    """In what two texts differ that look alike, so that one must not pass for the other: not merely in their words."""
    first, second = said(one), said(other)
    for what in ("numbers", "denied", "times", "people"):
        if getattr(first, what) != getattr(second, what):
            return what
    names = (first.capitals | second.capitals) & (set(first.things) ^ set(second.things))
    return "names" if names else None


def worded_anew(one: str, other: str, besides: str = "") -> bool:
    """Whether another wording of a text says the same of others than who speaks: the words of `besides`, such as the
    speaker's name, may come or go, and nobody becomes a he or a she."""
    first, second, free = said(one), said(other), set(said(besides).things)
    if any(getattr(first, what) != getattr(second, what) for what in (*_DECIDED, "small")):
        return False
    if second.people - (first.people - {"speaker"}) - {"they"}:
        return False
    things = [thing for thing in first.things if thing not in free]
    others = [thing for thing in second.things if thing not in free]
    names = first.capitals | second.capitals | first.opening | second.opening
    return set(things) == set(others) and _only(names, things) == _only(names, others)


def _only(names: frozenset[str], things: list[str]) -> list[str]:
    return list(dict.fromkeys(thing for thing in things if thing in names))


def _roles_differ(first: ContentWords, second: ContentWords) -> bool:
    """ "Ann called Ben" is not "Ben called Ann", nor "the dog bit the man" its reverse; a part of the sentence that
    stands elsewhere is no difference."""
    if _turned(first.things, second.things):
        return False
    names = first.capitals | second.capitals | (first.opening & second.opening)
    if [one for one in first.things if one in names] != [one for one in second.things if one in names]:
        return True
    apart = [place for place, (a, b) in enumerate(zip(first.things, second.things, strict=True)) if a != b]
    return len(apart) == 2 and apart[1] - apart[0] > 1


def _turned(things: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether what one ends with, such as when it was, is what the other begins with: all else in the same order."""
    return any(things[place:] + things[:place] == others for place in range(len(things)))


@lru_cache(maxsize=50_000)
def said(text: str) -> ContentWords:
    tokens, begins = _tokens(text)
    lower = [token.lower() for token in tokens]
    plain = _phrases(lower)
    things, capitals, opening = list[str](), set[str](), set[str]()
    for place, word in enumerate(plain):
        thing = _thing(word)
        if thing is None:
            continue
        things.append(thing)
        if tokens[place][:1].isupper():
            (opening if place in begins else capitals).add(thing)
    return ContentWords(
        things=tuple(things),
        capitals=frozenset(capitals),
        opening=frozenset(opening),
        numbers=tuple(sorted(number for word in plain if (number := _number(word)) is not None)),
        small=tuple(sorted(DECIDING[word] for word in plain if word in DECIDING)),
        people=frozenset(PEOPLE[word] for word in plain if word in PEOPLE),
        denied=sum(word in DENIALS for word in plain) % 2 == 1,
        times=_times(plain),
        certainty=frozenset(CERTAINTY[word] for word in plain if word in CERTAINTY),
        asks=text.rstrip().endswith("?"),
    )


def _tokens(text: str) -> tuple[list[str], set[int]]:
    """The words and numbers, and the places at which a sentence begins."""
    tokens: list[str] = []
    begins = {0}
    last = 0
    for found in _TOKEN.finditer(text):
        if _ENDS & set(text[last : found.start()]):
            begins.add(len(tokens))
        tokens += _apart(found[0].replace("\u2019", "'"))
        last = found.end()
    return tokens, begins


def _apart(token: str) -> list[str]:
    """ "doesn't" is two words; a possessive is the word itself."""
    lower = token.lower()
    if lower in ("can't", "cannot"):
        return ["can", "not"]
    if lower == "won't":
        return ["will", "not"]
    for ending, word in _SHORT.items():
        if lower.endswith(ending):
            return [token[: -len(ending)], word]
    if lower.endswith("'s"):
        return [token[:-2], "is"] if lower[:-2] in PEOPLE or lower[:-2] in ("that", "there", "here") else [token[:-2]]
    return [token]


def _phrases(words: list[str]) -> list[str]:
    """The words, with those of a phrase that means one word replaced by it; what it leaves over is blank."""
    plain = list(words)
    for place in range(len(words)):
        for phrase, meaning in PHRASES:
            end = place + len(phrase)
            if tuple(plain[place:end]) == phrase:
                plain[place:end] = [meaning, *[""] * (len(phrase) - 1)]
    return plain


def _thing(word: str) -> str | None:
    """What the word contributes; none if it says nothing of its own or is heard otherwise."""
    if not word or word in FLUFF or word in PEOPLE or word in CERTAINTY or word in DENIALS or word in DECIDING:
        return None
    if _number(word) is not None or word in STOP_WORDS:
        return None
    word = BASE_FORMS.get(word, word)
    alike = same()
    root = alike.get(word) or stem(word)
    return alike.get(root, root) or None


def _number(word: str) -> str | None:
    if word[:1].isdigit():
        figure = word.replace(",", "")
        return figure.rstrip("0").rstrip(".") if "." in figure else figure
    return NUMBERS.get(word)


def _times(words: list[str]) -> frozenset[str]:
    """Whether it speaks of the past or of what is to come; the present is what is neither."""
    found: set[str] = set()
    helped = -1
    lasting = bool(LASTING & set(words))
    for place, word in enumerate(words):
        if word in TIMES:
            found.add(TIMES[word])
        elif word in BE_NOW:
            helped = place + _PARTICIPLE_WITHIN
        elif word in BE_THEN:
            found.add("past")
            helped = place + _PARTICIPLE_WITHIN
        elif word in HAVE:
            helped = place + _PARTICIPLE_WITHIN
            if any(_is_past(one) or one == "been" for one in words[place + 1 : helped + 1]) and not lasting:
                found.add("past")
        elif _is_past(word) and place > helped:
            found.add("past")
    return frozenset(found)


def _is_past(word: str) -> bool:
    if word in BASE_FORMS:
        return True
    return word not in NOT_PAST and _PAST_ENDING.fullmatch(word) is not None
