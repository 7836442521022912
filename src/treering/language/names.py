"""Who and what is named in a text? Every name with its place in the text and its kind.

`spelling` says where names may stand; here the lists, the words around a name and its company vote on its kind. Months,
nationalities, numbers and pronouns are no names. Whether two names mean one thing is not asked here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from treering.language.clues import votes
from treering.language.english import word_classes, written
from treering.language.gazetteer import PEOPLE, Listing, gazetteer
from treering.language.spelling import WordRun, stretches
from treering.language.things import kind_of_noun

if TYPE_CHECKING:
    from treering.language.parse.doc import Doc, Span

KINDS = ("person", "organization", "technology", "project", "place", "event", "object", "concept")

KNOWN_WEIGHT = 6.0
TITLE_WEIGHT = 1.0  # several ordinary words written large: a book, a film, a boat
PART_WEIGHT = 2.0  # "Flask-Login", "GitHub Pages"
ACRONYM_WEIGHT = 0.5
SET_APART = {"`": "project", '"': "object", "“": "object", "«": "object"}
SET_APART_WEIGHT = 2.5  # a name in backticks or in quotation marks
ANSWER_WEIGHT = 3.0
ANSWER_WORDS = 3  # an answer begins with the name, or after "it's"
SELDOM, HARDLY = 0.3, 0.1
TITLED = 7.0
TOOLS = frozenset((Listing.TECHNOLOGY, Listing.SERVICE))
MADE = frozenset((Listing.TECHNOLOGY, Listing.SERVICE, Listing.BRAND, Listing.ORGANIZATION))
LIST_WEIGHTS = {
    Listing.TECHNOLOGY: {"technology": 5.0},
    Listing.SERVICE: {"organization": 3.0, "technology": 1.5},
    Listing.BRAND: {"object": 2.5, "organization": 1.0},
    Listing.ORGANIZATION: {"organization": 4.0},
    Listing.PLACE: {"place": 4.5},
    Listing.WOMAN: {"person": 3.5},
    Listing.MAN: {"person": 3.5},
    Listing.EITHER: {"person": 3.0},
}
LEAST_FOR_LIKELY = 0.7
LEAST_HEARD = 1.5  # what must speak for a name that is written like any other word


@dataclass(frozen=True, slots=True)
class Name:
    """`text` is the name without article, title and possessive ending: what stands from `start` to `end`."""

    start: int
    end: int
    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A name with what speaks for its kind. A doubtful one is a name only in the company of another."""

    name: Name
    weight: float
    doubtful: bool = False


def names_in(doc: Doc, known: Mapping[str, str] | None = None, asked: str | None = None) -> tuple[Name, ...]:
    """In order of their place; none overlaps another. `known` are kinds of names met before in the conversation, and
    `asked` is the question that the text may answer: "Which backup tool do you use?"."""
    kind = kind_asked_for(asked) if asked else None
    found = [_candidate(doc, stretch, known or {}, kind) for stretch in stretches(doc, known or (), kind is not None)]
    return tuple(_as_in_full(_in_company(doc, found)))


def kind_asked_for(question: str) -> str | None:
    """The kind of name that a question wants to hear."""
    found = _WANTED.search(question.lower())
    if not found:
        return None
    if found["word"] == "where":
        return "place"
    if found["word"].startswith("who"):
        return "person"
    kind = next(filter(None, map(kind_of_noun, re.findall(r"[\w-]+", found["rest"]))), None)
    return "technology" if kind == "project" and _USING.search(found["rest"]) else kind


def _candidate(doc: Doc, stretch: WordRun, known: Mapping[str, str], asked_for: str | None) -> _Candidate:
    span = doc[stretch.first : stretch.end]
    heard = votes(_before(doc, span.start_char), span.text, _after(doc, span.end_char))
    if span.text in known:
        heard[known[span.text]] = heard.get(known[span.text], 0.0) + KNOWN_WEIGHT
    kind = SET_APART.get(written(doc)[span.start_char - 1 : span.start_char]) if span.start_char else None
    if kind:
        heard[kind] = heard.get(kind, 0.0) + SET_APART_WEIGHT
    if asked_for and stretch.first < ANSWER_WORDS:
        heard[asked_for] = heard.get(asked_for, 0.0) + ANSWER_WEIGHT
    if not stretch.listings & PEOPLE and _ARTICLE.search(_before(doc, span.start_char)):
        heard["person"] = heard.get("person", 0.0) * HARDLY  # "The Krondell is our favourite pub", "finding my Zen"
    least = LEAST_FOR_LIKELY if stretch.likely else LEAST_HEARD
    doubtful = not stretch.sure and max(heard.values(), default=0.0) < least
    weights = _weighed(span, stretch.listings, heard)
    best = max(weights, key=lambda kind: weights[kind]) if weights else "person"
    text = _LOOSE_END.sub("", span.text)
    name = Name(span.start_char, span.start_char + len(text), text, best)
    return _Candidate(name, weights.get(best, 0.0), doubtful)


def _weighed(span: Span, listings: frozenset[Listing], heard: dict[str, float]) -> dict[str, float]:
    """What was heard, with what the lists say. A name that is listed as a thing is seldom somebody, and
    one that is listed as a make is seldom a town, however the sentence runs."""
    weights = dict(heard)
    titled = weights.get("person", 0.0) >= TITLED and span.text[0].isupper()  # "Mrs. London"
    if listings and not listings & PEOPLE and not titled:
        weights["person"] = weights.get("person", 0.0) * SELDOM
    if listings and listings <= MADE:
        weights["place"] = weights.get("place", 0.0) * SELDOM
    kind, weight = _by_its_words(span) if not listings else (None, 0.0)
    if kind:
        weights["person"] = weights.get("person", 0.0) * SELDOM
        weights[kind] = weights.get(kind, 0.0) + weight
    if listings:
        weights |= {kind: weights[kind] * SELDOM for kind in ("project", "event") if kind in weights}
    for listing in listings:
        for kind, weight in LIST_WEIGHTS[listing].items():
            weights[kind] = weights.get(kind, 0.0) + weight
    return weights


def _by_its_words(span: Span) -> tuple[str | None, float]:
    """What a name in no list is by the words it is made of, if that is nobody: a title, a part of something listed, an
    abbreviation."""
    if len(span) == 1:
        return ("concept", ACRONYM_WEIGHT) if _ACRONYM.fullmatch(span.text) else (None, 0.0)
    if gazetteer().of(span[0].text) & TOOLS:
        return "technology", PART_WEIGHT
    if (
        all(word_classes(token.lower_) or token.is_stop for token in span)
        and not gazetteer().of(span[-1].text) & PEOPLE
    ):
        return "object", TITLE_WEIGHT
    return None, 0.0


_ARTICLE = re.compile(r"\b(?:the|an?|my|our|your|his|her|their|its)\s$", re.IGNORECASE)
_ACRONYM = re.compile(r"[A-Z]{3,}\d?")
_LOOSE_END = re.compile(r"(?:[-–—'\"*_,]|(?<=\w{4})\.)+$")  # noqa: RUF001
_WANTED = re.compile(r"\b(?P<word>what(?:'s)?|which|who(?:'s)?|whom|where)\b(?P<rest>.*)")
_USING = re.compile(r"\b(?:use|uses|using|used|run|running|on|with|switch\w*|prefer)\b")
_SENTENCE_END = re.compile(r"[.!?\n](?:\s|$)")


def _before(doc: Doc, start: int) -> str:
    words = written(doc)[max(0, start - 80) : start]
    for found in _SENTENCE_END.finditer(words):
        if not re.search(r"\b(?:dr|mr|mrs|ms|prof|st|mt)\.$", words[: found.start() + 1], re.IGNORECASE):
            last = found.end()
            words = " " * last + words[last:]
    return words.replace("’", "'").lstrip()  # noqa: RUF001


def _after(doc: Doc, end: int) -> str:
    words = written(doc)[end : end + 80]
    found = _SENTENCE_END.search(words)
    return (words[: found.start()] if found else words).replace("’", "'")  # noqa: RUF001


_COMPANY = re.compile(r"\s*(?:,|and|&|or|,\s*and|vs\.?|/)\s*")
_CALLED = re.compile(r"(?: \w+)?,? (?:(?:that|which) )?(?:(?:we|i|they) )?(?:call|called|named|nicknamed) ")
_SEVERAL = re.compile(r"(?:^|\W)(?P<noun>[a-z-]+s|children|mice|geese)(?: called| named| are)?[ :,(]*$")
CLEAR = 3.0


def _in_company(doc: Doc, found: list[_Candidate]) -> list[Name]:
    """ "cats Miso & Tofu" are all cats; and else a name of doubtful kind takes that of the clear one beside it:
    "Go, Lua and Zig"."""
    names: list[Name] = []
    several: str | None = None
    for i, candidate in enumerate(found):
        name = candidate.name
        before = found[i - 1] if i and _are_joined(doc, found[i - 1].name, name) else None
        after = found[i + 1] if i + 1 < len(found) and _are_joined(doc, name, found[i + 1].name) else None
        if before is None:
            several = _kind_of_several(doc, name) if after else None
        kind = (
            several
            or _kind_of_called(doc, candidate, found[i - 1] if i else None)
            or _kind_beside(doc, candidate, before)
            or _kind_beside(doc, candidate, after)
        )
        if kind or not candidate.doubtful:
            names.append(replace(name, kind=kind or name.kind))
    return names


def _as_in_full(names: list[Name]) -> list[Name]:
    """ "Ada Winter wrote … the Winter papers": what is the last word of a name in the same text is of its kind."""
    kinds = {name.text.split()[-1]: name.kind for name in names if " " in name.text}
    return [replace(name, kind=kinds.get(name.text, name.kind)) for name in names]


def _kind_of_called(doc: Doc, candidate: _Candidate, before: _Candidate | None) -> str | None:
    """ "an old Volvo 240 estate that we call Bertil": what is named again stays what it is."""
    if before is None or before.doubtful or not _CALLED.fullmatch(written(doc)[before.name.end : candidate.name.start]):
        return None
    return before.name.kind


def _kind_of_several(doc: Doc, first: Name) -> str | None:
    found = _SEVERAL.search(_before(doc, first.start))
    return kind_of_noun(found["noun"]) if found else None


def _kind_beside(doc: Doc, candidate: _Candidate, other: _Candidate | None) -> str | None:
    if other is None or other.doubtful or not candidate.weight < CLEAR <= other.weight:
        return None
    left, right = sorted((candidate.name, other.name), key=lambda name: name.start)
    listed = "," in written(doc)[left.end : right.start]
    # "Awesome, John!"; "at the Old Mill, Anna and Jo waited"
    apart = candidate.doubtful or (other.name.kind == "person" != candidate.name.kind)
    return None if listed and apart else other.name.kind


def _are_joined(doc: Doc, one: Name, other: Name) -> bool:
    left, right = sorted((one, other), key=lambda name: name.start)
    return _COMPANY.fullmatch(written(doc)[left.end : right.start]) is not None
