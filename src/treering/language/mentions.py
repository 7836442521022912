"""Who and what has been spoken of, that a pronoun could mean? People by name or description, things and places by name.

"Bartek's girlfriend" is somebody, and a woman; "my husband Ferran" is Ferran, and a man. Which of them a pronoun does
mean is asked in `coreference`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING

from treering.language.english import written
from treering.language.gazetteer import Listing, gazetteer
from treering.language.names import Name
from treering.language.things import FEMALE, MALE, kind_of_noun

if TYPE_CHECKING:
    from treering.language.parse.doc import Doc, Token

_TITLES = {"mr": "man", "mrs": "woman", "ms": "woman", "miss": "woman", "madam": "woman", "sir": "man"}
_NOBODY = frozenset(("someone", "somebody", "anyone", "person", "people", "date", "host", "model", "guest", "guys"))
_MANY = frozenset(("people", "kids", "children", "parents", "twins", "siblings", "grandparents", "grandkids"))
_ONLY_MINE = frozenset(
    ("mum", "mom", "mama", "dad", "papa", "grandma", "grandpa", "granny", "gran", "grandad", "nonna")
)
_ADDRESSED = re.compile(
    r"(?:^|[,.!?…]|\b(?:hi|hey|hello|thanks|thank you|wow|congrats|yes|yeah|ok|okay|oh|bye|sorry|well))\s*$"
)
_TOLD_OF = re.compile(
    r"\s*,\s*(?:(?:now|still|then|once|formerly|currently|until recently|these days)\s+)?"
    r"(?:my|our|the|a|an|who|whose|his|her|their|she|he)\b"
)


class Gender(Enum):
    WOMAN = "woman"
    MAN = "man"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Mention:
    """`start` is where it stands, `head` the word in its document that carries it."""

    text: str
    names: tuple[Name, ...]
    kind: str
    start: int
    head: int
    gender: Gender = Gender.UNKNOWN
    many: bool = False

    @property
    def is_a_name(self) -> bool:
        """And not a description, with or without a name in it."""
        return len(self.names) == 1 and self.text == self.names[0].text


def mentions(doc: Doc, names: Sequence[Name]) -> tuple[Mention, ...]:
    """In order of their place."""
    by_name = [_by_name(doc, name) for name in names if not _is_addressed(doc, name)]
    named = {mention.head for mention in by_name}
    described = [_described(token, names) for token in doc if _describes(token, named)]
    return tuple(sorted([*by_name, *_groups(doc, by_name), *described], key=lambda mention: mention.start))


def _is_addressed(doc: Doc, name: Name) -> bool:
    """ "Thanks, Mel!": who is spoken to is not spoken of."""
    after = written(doc)[name.end : name.end + 40]
    if name.kind != "person" or not re.match(r"\s*[,.!?]|\s*$", after) or _TOLD_OF.match(after):
        return False
    return _ADDRESSED.search(written(doc)[max(0, name.start - 20) : name.start].lower()) is not None and len(doc) > 1


def _by_name(doc: Doc, name: Name) -> Mention:
    span = doc.words_at(name.start, name.end)
    head = span.root.i if span is not None else 0
    first = span[0].i if span is not None else 0
    return Mention(name.text, (name,), name.kind, name.start, head, _gender(doc, first, name))


def _gender(doc: Doc, first: int, name: Name) -> Gender:
    before = doc[first - 1].lower_.rstrip(".") if first else ""
    if before in FEMALE or _TITLES.get(before) == "woman":
        return Gender.WOMAN
    if before in MALE or _TITLES.get(before) == "man":
        return Gender.MAN
    listings = gazetteer().of(name.text.split()[0].split("-")[0])
    if Listing.EITHER in listings or (Listing.WOMAN in listings) == (Listing.MAN in listings):
        return Gender.UNKNOWN
    return Gender.WOMAN if Listing.WOMAN in listings else Gender.MAN


def _describes(token: Token, named: set[int]) -> bool:
    """Whether a noun speaks of somebody who has no name here."""
    if token.pos_ not in ("NOUN", "PROPN") or token.i in named or token.lower_ in _NOBODY:
        return False
    if kind_of_noun(token.lower_) != "person" or token.dep_ in ("compound", "amod", "attr"):
        return False
    beside = token.i + 1 < len(token.doc) and (token.nbor().i in named or token.nbor().tag_ == "POS")
    determined = token.lower_ in _ONLY_MINE or any(child.dep_ in ("poss", "det") for child in token.children)
    return determined and not beside


def _described(token: Token, names: Sequence[Name]) -> Mention:
    first = min((child.left_edge.i for child in token.children if child.dep_ in ("poss", "det", "amod", "compound")),
                default=token.i)  # fmt: skip
    span = token.doc[min(first, token.i) : token.i + 1]
    held = tuple(name for name in names if span.start_char <= name.start and name.end <= span.end_char)
    noun = token.lower_
    gender = Gender.WOMAN if noun in FEMALE else Gender.MAN if noun in MALE else Gender.UNKNOWN
    many = noun in _MANY or token.tag_ in ("NNS", "NNPS")
    bare = noun in _ONLY_MINE and len(span) == 1
    return Mention(f"my {noun}" if bare else span.text, held, "person", span.start_char, token.i, gender, many)


def _groups(doc: Doc, single: Sequence[Mention]) -> list[Mention]:
    """ "Ottokar and Bente": several who may be spoken of together."""
    people = [mention for mention in single if mention.kind == "person"]
    groups = []
    for one, other in pairwise(people):
        between = written(doc)[one.names[0].end : other.start].strip()
        if between in ("and", "&"):
            text = written(doc)[one.start : other.names[0].end]
            groups.append(Mention(text, one.names + other.names, "person", one.start, one.head, many=True))
    return groups
