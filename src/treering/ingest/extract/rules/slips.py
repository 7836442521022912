"""What was meant where somebody takes a word back? "Oops, 842" puts another number in the sentence said before.

A value takes the place of the last one of its own shape: an hour, a date, a number, or a name of the same kind. Where
two names could be meant, none is replaced.
"""

from __future__ import annotations

import re

from treering.ingest.extract.rules.lexicon import words
from treering.language.english import word_classes
from treering.language.gazetteer import PEOPLE, Listing, gazetteer
from treering.language.sentences import sentences

LONGEST_MENDED_CHARS = 200
LONGEST_VALUE_WORDS = 4
_MARK = (
    r"(?:no,\s+(?=\S+[.!]*$)|(?:(?:oh|hm+|ah|argh|ugh|no)[\s,.]+)*(?:wait|oops|sorry|whoops|correction|actually|i mean"
    r"|i meant|scratch that|make that|typo|or rather)\b[\s,.:;!-]*)"
)
_MENDS = re.compile(
    rf"^(?P<mark>{_MARK}"
    r"(?:no[\s,.]+)?(?:sorry[\s,.]+)?(?:(?:it's|its|that's|make it|i meant|i mean|should be|make"
    r" that)\s+)?)(?P<v>[^,.!?;]{1,40}?)"
    r"(?:\s+(?:actually|sorry|not [^,.]+))?(?:[,.!;].*)?$",
    re.I,
)
_WITHIN = re.compile(
    rf"^(?P<said>.*?[^\s,.;!-])\s*[,.;!\u2013\u2014-]+\s*(?P<mark>{_MARK}"
    r"(?:no[\s,.]+)?(?:sorry[\s,.]+)?(?:(?:it's|i meant|i mean|make that)\s+)?)(?P<v>[^\s,.!?;][^,.!?;]{0,39})"
    r"(?P<rest>,[^,]*)?[.!]*$",
    re.I | re.S,
)
_TAKES_BACK = re.compile(
    r"\b(?:no|actually|i meant?|correction|scratch that|make that|typo|should be|or rather)\b", re.I
)
"""Said of a word before it; "sorry, Anna" and "wait, Bob" are said to somebody."""
_SHAPES = (
    re.compile(r"\b\d{1,2}[:.]\d{2}\b"),
    re.compile(r"\b(?:the )?\d{1,2}(?:st|nd|rd|th)\b", re.I),
    re.compile(r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|today|tomorrow)\b", re.I),
    re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(?:st|nd|rd|th)?\b", re.I),
    re.compile(r"\b\d{1,2} ?[ap]m\b", re.I),
    re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*[A-Za-z%]?\b"),
    re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty)\b", re.I),
)
_STARRED = re.compile(r"\*[^*\s][^*]*|[^*\s]+\*")
_LED_TO = re.compile(r"^(?:to|in|at|from|with|for) (?=[A-Z])")
_NAME = re.compile(r"\b[A-Z][\w'&-]*(?: (?:of |de |van |von |the )?[A-Z][\w'&-]*)*")
_NO_NAME = words("i, my, we, our, he, she, they, it, the, a, an, this, that, there, his, her, their, you, your")
_KINDS = (
    PEOPLE,
    frozenset((Listing.PLACE,)),
    frozenset((Listing.TECHNOLOGY, Listing.SERVICE, Listing.BRAND, Listing.ORGANIZATION)),
)


def mended(text: str, earlier: str) -> str | None:
    """ "oops, 842" after "Elodie's number ends in 482" is "Elodie's number ends in 842". Only the sentence that held
    the wrong value is said again."""
    found = _MENDS.match(f"I mean {text.strip('*')}" if _STARRED.fullmatch(text) else text)
    if found is None or len(earlier) > LONGEST_MENDED_CHARS:
        return None
    place = _replaced(found["v"].strip(), earlier, found["mark"])
    if place is None:
        return None
    start, end, value = place
    first, last = next(span for span in sentences(earlier) if span[0] <= start < span[1])
    return earlier[first:start] + value + earlier[end:last]


def mended_within(text: str) -> str | None:
    """ "I live in Oslo, no wait, Bergen" is "I live in Bergen"."""
    found = _WITHIN.match(text) if len(text) <= LONGEST_MENDED_CHARS else None
    if found is None or _MENDS.match(text):
        return None
    place = _replaced(found["v"].strip(), found["said"], found["mark"])
    if place is None or len(found["v"].split()) > len(place[2].split()) + 1:
        return None  # more than the value: "I ran 5 km, sorry, 10 people came"
    start, end, value = place
    return found["said"][:start] + value + found["said"][end:] + (found["rest"] or "")


def _replaced(value: str, earlier: str, mark: str) -> tuple[int, int, str] | None:
    """Where the wrong value stood, and what takes its place."""
    if len(value.split()) > LONGEST_VALUE_WORDS:
        return None
    for shape in _SHAPES:
        new = shape.search(value)
        old = list(shape.finditer(earlier))
        if new and old:
            return *old[-1].span(), new[0]
    return _replaced_name(value, earlier, mark)


def _replaced_name(value: str, earlier: str, mark: str) -> tuple[int, int, str] | None:
    value = _LED_TO.sub("", value)
    if not _NAME.fullmatch(value) or value in (name[0] for name in _NAME.finditer(earlier)):
        return None
    kind = _kind(value)
    if kind in (PEOPLE, None) and not _TAKES_BACK.search(mark):
        return None
    said = [name for name in _NAME.finditer(earlier) if not _only_begins(name, earlier)]
    fitting = [name for name in said if _kind(name[0]) in (kind, None)] if kind else said
    same = [name for name in fitting if kind and _kind(name[0]) is kind] or fitting
    return (*same[-1].span(), value) if len({name[0] for name in same}) == 1 else None


def _only_begins(name: re.Match[str], text: str) -> bool:
    """Whether a word is written large because a sentence begins with it."""
    word = name[0].split("'")[0].lower()
    begins = any(start == name.start() for start, _ in sentences(text))
    return word in _NO_NAME or (begins and bool(word_classes(word)) and not gazetteer().of(name[0]))


def _kind(name: str) -> frozenset[Listing] | None:
    """Which lists hold it; None where none does, or lists of several kinds."""
    held = gazetteer().of(name) or gazetteer().of(name.split(maxsplit=1)[0])
    kinds = [kind for kind in _KINDS if held & kind]
    return kinds[0] if len(kinds) == 1 else None
