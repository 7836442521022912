"""Who and what is named in a text? Every name with its place in the text and its kind.

`spelling` says where names may stand; here the lists, the words around a name, its company and the model's own guess vote
on its kind. Months, nationalities, numbers and pronouns are no names. Whether two names mean one thing is not asked here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from treering.language.clues import votes
from treering.language.gazetteer import PEOPLE, Listing
from treering.language.spelling import Stretch, stretches

if TYPE_CHECKING:
    from spacy.tokens import Doc

KINDS = ("person", "organization", "technology", "project", "place", "event", "object", "concept")

MODEL_WEIGHT = 1.2
KNOWN_WEIGHT = 6.0
_MODEL_LABELS = {
    "PERSON": "person",
    "ORG": "organization",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "EVENT": "event",
    "PRODUCT": "object",
    "WORK_OF_ART": "object",
}
_LIST_WEIGHTS = {
    Listing.TECHNOLOGY: {"technology": 5.0},
    Listing.SERVICE: {"organization": 3.0, "technology": 1.5},
    Listing.BRAND: {"object": 2.5, "organization": 1.0},
    Listing.ORGANIZATION: {"organization": 4.0},
    Listing.PLACE: {"place": 4.5},
    Listing.WOMAN: {"person": 3.5},
    Listing.MAN: {"person": 3.5},
    Listing.EITHER: {"person": 3.0},
}
_LEAST = 1.5  # what must speak for a name that is written like any other word


@dataclass(frozen=True, slots=True)
class Name:
    """`text` is the name without article, title and possessive ending: what stands from `start` to `end`."""

    start: int
    end: int
    text: str
    kind: str


def names_in(doc: Doc, known: Mapping[str, str] | None = None) -> tuple[Name, ...]:
    """In order of their place; none overlaps another. `known` are kinds of names met before in the conversation."""
    found: list[tuple[Name, float]] = []
    for stretch in stretches(doc):
        named = _named(doc, stretch, known or {})
        if named:
            found.append(named)
    return tuple(_in_company(doc, found))


def _named(doc: Doc, stretch: Stretch, known: Mapping[str, str]) -> tuple[Name, float] | None:
    span = doc[stretch.first : stretch.end]
    text = span.text
    weights = votes(_before(doc, span.start_char), text, _after(doc, span.end_char))
    heard = max(weights.values(), default=0.0)
    for listing in stretch.listings:
        for kind, weight in _LIST_WEIGHTS[listing].items():
            weights[kind] = weights.get(kind, 0.0) + weight
    if text in known:
        weights[known[text]] = weights.get(known[text], 0.0) + KNOWN_WEIGHT
        heard = KNOWN_WEIGHT
    for token in span:
        label = _MODEL_LABELS.get(token.ent_type_)
        if label:
            weights[label] = weights.get(label, 0.0) + MODEL_WEIGHT / len(span)
    if not stretch.sure and heard < _LEAST:
        return None
    kind = max(weights, key=lambda kind: weights[kind]) if weights else "person"
    return Name(span.start_char, span.end_char, text, kind), weights.get(kind, 0.0)


_SENTENCE_END = re.compile(r"[.!?\n](?:\s|$)")


def _before(doc: Doc, start: int) -> str:
    words = doc.text[max(0, start - 80) : start]
    for found in _SENTENCE_END.finditer(words):
        if not re.search(r"\b(?:dr|mr|mrs|ms|prof|st|mt)\.$", words[: found.start() + 1], re.IGNORECASE):
            last = found.end()
            words = " " * last + words[last:]
    return words.replace("’", "'").lstrip()  # noqa: RUF001


def _after(doc: Doc, end: int) -> str:
    words = doc.text[end : end + 80]
    found = _SENTENCE_END.search(words)
    return (words[: found.start()] if found else words).replace("’", "'")  # noqa: RUF001


_COMPANY = re.compile(r"\s*(?:,|and|&|or|,\s*and|vs\.?|/)\s*")
_CLEAR = 3.0


def _in_company(doc: Doc, found: list[tuple[Name, float]]) -> list[Name]:
    """A name of doubtful kind takes that of the clear one beside it: "Biscuit and Gnocchi", "Go, Lua & Zig"."""
    names = [name for name, _ in found]
    for i, (name, weight) in enumerate(found):
        if weight >= _CLEAR:
            continue
        for other in (i - 1, i + 1):
            if not 0 <= other < len(found) or found[other][1] < _CLEAR:
                continue
            left, right = names[min(i, other)], names[max(i, other)]
            if _COMPANY.fullmatch(doc.text[left.end : right.start]):
                names[i] = replace(name, kind=names[other].kind)
                break
    return names
