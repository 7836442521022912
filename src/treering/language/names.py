"""Who and what is named in a text? Every name with its place in the text and its kind.

Months, nationalities, numbers and pronouns are no names here. Whether two names mean the same thing is not asked here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc

KINDS = ("person", "organization", "technology", "project", "place", "event", "object", "concept")

_LABELS = {
    "PERSON": "person",
    "ORG": "organization",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "EVENT": "event",
    "PRODUCT": "object",
    "WORK_OF_ART": "object",
}


@dataclass(frozen=True, slots=True)
class Name:
    """`text` is the name without article, title and possessive ending: what stands from `start` to `end`."""

    start: int
    end: int
    text: str
    kind: str


def names_in(doc: Doc) -> tuple[Name, ...]:
    """In order of their place; none overlaps another."""
    return tuple(
        Name(ent.start_char, ent.end_char, ent.text, _LABELS[ent.label_]) for ent in doc.ents if ent.label_ in _LABELS
    )
