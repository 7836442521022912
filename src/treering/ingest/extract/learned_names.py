"""Which names stand in a statement? Those that the model sees, as far as they are written large.

What is written large in the middle of a sentence is a name though the model misses it, unless it tells a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from treering.ingest.extract.contract import Mentioned
from treering.ingest.extract.piece_claims import is_a_name
from treering.language.en.months import MONTHS
from treering.language.en.persons import FIRST, LANGUAGES
from treering.language.en.roles import is_a_person, role_of
from treering.language.sentences import sentences
from treering.language.when.window import Window
from treering.mind.reading import ReadName, Span

SHORTEST = 3
_KINDS: dict[str, str | None] = {"product": "object", "other": None}
_POSSESSIVE = re.compile(r"['’]s?$")  # noqa: RUF001
_TITLE = r"(?:Dr|Mrs?|Ms|Prof|Sr|Jr|St|Ste|Fr|Rev|Capt|Sgt|Lt)\.(?= [A-Z])"
_LARGE = rf"(?:{_TITLE}|(?!I(?:['’ ]|$))[A-ZÀ-ÖØ-ÞĀ-Ž][\w'’.&+-]*\w\+*|(?!I\b)[A-Z])"  # noqa: RUF001
_TIES = "of|the|de|del|der|des|di|do|dos|da|das|du|la|le|las|los|el|al|von|van|&"
_RUN = re.compile(rf"(?<![\w'’@#/.-]){_LARGE}(?:(?<!['’]s) (?:(?:{_TIES}) ){{0,2}}{_LARGE}| \d[\d.]*\b)*")  # noqa: RUF001
"""Words written large, one behind the other, with a number at their end."""
_OF_TIME = re.compile(rf"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|{'|'.join(MONTHS)})", re.IGNORECASE)
_CODE = re.compile(r"[A-Z_/\\]|\w[-.]\w|\d")
_GREETS = re.compile(r"(?:[.!?…:;\n(\"“«>*•-]|^)\s*(?:\d+[.)]\s*)?$")


def has_code_name(name: str) -> bool:
    return _CODE.search(name) is not None


def names_in(text: str, seen: Sequence[ReadName], windows: Sequence[Window]) -> list[ReadName]:
    """`seen`: by the model; `windows`: the times told in the text."""
    starts, runs = {start for start, _ in sentences(text)}, list[ReadName]()
    if text.upper() != text:
        for found in _RUN.finditer(text):
            run = _whole(text, found.span(), seen, windows, starts)
            if run is not None:
                runs.append(run)
    beside = [one for one in seen if not any(_meet(one.span, run.span) for run in runs)]
    if runs:  # who writes some names large writes all so, but for those of code
        beside = [one for one in beside if _CODE.search(text[slice(*one.span)])]
    return sorted([*runs, *beside], key=lambda one: one.span)


def _whole(
    text: str, span: Span, seen: Sequence[ReadName], windows: Sequence[Window], starts: set[int]
) -> ReadName | None:
    """The run as one name. The first word of a sentence is large anyhow: it is part of a name where the model says
    so."""
    inside = [one for one in seen if _meet(one.span, span)]
    start, end = span
    if start in starts or _GREETS.search(text[:start]):
        first_end = text.find(" ", start, end)
        if not any(one.span[0] <= start for one in inside):
            if first_end < 0:
                return None
            start = first_end + 1
    if any(_meet(window.span, (start, end)) for window in windows):
        return inside[0] if inside else None
    said = text[start:end]
    if _OF_TIME.fullmatch(said) and not any(one.kind == "person" for one in inside):
        return None
    if said.lower() in FIRST or (not inside and (len(said) < SHORTEST or said.lower() in LANGUAGES)):
        return None
    return ReadName((start, end), inside[0].kind if inside else "other")


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def mentioned(text: str, span: Span, names: Sequence[ReadName]) -> Iterator[Mentioned]:
    for one in names:
        if span[0] <= one.span[0] < span[1]:
            name = _POSSESSIVE.sub("", text[slice(*one.span)].strip(' .,;:!?"()`'))
            if is_a_name(name):
                kind, role = kind_of_name(one.kind), role_of(text, *one.span)
                kind = "person" if kind is None and is_a_person(role) else kind
                yield Mentioned(name, kind, role if kind == "person" else None)


def kind_of_name(read: str) -> str | None:
    """As entities are sorted."""
    return _KINDS.get(read, read)
