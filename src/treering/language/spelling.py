"""Where in a text may a name stand? Stretches that are written like names or known as such, whatever they turn out to be.

A capital in the middle of a sentence makes a name; at its beginning every word has one, and there the word must be known
as a name or unknown as a word. Months, peoples, languages, titles and abbreviations are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treering.language.english import word_classes
from treering.language.gazetteer import PEOPLE, Listing, gazetteer

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

MOST_WORDS = 6
_CODE = re.compile(r"[A-Z]{0,4}-?\d[\w.+-]*|[IVX]{1,4}")
_NUMBER = re.compile(r"\d{1,4}(?:\.\d{1,3})*")
_TRIM = frozenset((Listing.BRAND, Listing.TECHNOLOGY))
_TRIMS = frozenset(("Pro", "Max", "Mini", "Plus", "Air", "Ultra", "Lite", "SE", "Premium", "Super", "Duo"))
_COUNTED = re.compile(
    r"\s*(?:times?|days?|hours?|hrs?|years?|months?|weeks?|minutes?|mins?|people|euros?|dollars?|bucks|pounds?|quid|"
    r"percent|%|am\b|pm\b|kg|km|miles?|a month|a year|per\b|/|:|,\d|o'clock|years? ago|of (?:them|us|these))"
)
_JOINS = frozenset(("of", "de", "del", "della", "di", "da", "do", "dos", "du", "des", "la", "le", "van", "von", "der",
                    "den", "ter", "ten", "af", "av", "zu", "y", "e", "bin", "al", "the", "for"))  # fmt: skip
_PARTNERS = frozenset(("Sons", "Co", "Partners", "Brothers", "Bros", "Daughters", "Associates", "Company"))
_TITLES = frozenset(("mr", "mrs", "ms", "mx", "miss", "dr", "prof", "professor", "sir", "madam", "doctor", "uncle", "aunt",
                     "auntie", "grandma", "grandpa", "project", "operation"))  # fmt: skip
_BESIDE = frozenset(("school", "line", "clinic", "hotel", "unit"))  # kept with the name when written small after it
_CHATTER = re.compile(
    r"(?:h+[aeiou]+[hy]*|[ha]{3,}|[a-z]*(?P<letter>[a-z])(?P=letter){2,}[a-z]*|u+g+h+|a+w+|m+h*m+|y+e+[aps]+h*|n+o+p*e*|"
    r"o+h+|w+o+w+|w+hoa+|lo+l|lmao|rofl|omg|ok|okay|yay|yo|yup|yikes|oops|whoops|phew|meh|nah|btw|tbh|fyi|imo|pls|thx|"
    r"gonna|wanna|gotta|dunno|congrats|thanks|sorry|bye|cheers|welp|hiya|howdy|update|ps|edit|aaand|fwiw|jk|idk|ngl|"
    r"rip|damn|dammit|hmm|huh|ah|uh|um|er|tho|tmrw|smh|lmk|nvm|sup|fam|bro|dude|guys|folks|kinda|sorta|lotsa)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words `first` to `end` (not included) of a document, and the lists that hold them as they are written."""

    first: int
    end: int
    listings: frozenset[Listing] = frozenset()
    sure: bool = True
    """Not sure: written like any other word, and only a name if what stands around it says so."""


def stretches(doc: Doc) -> list[Stretch]:
    """In order; none overlaps another."""
    shouted = _is_shouted(doc)
    found: list[Stretch] = []
    place = 0
    while place < len(doc):
        stretch = _listed(doc, place) or (None if shouted else _large(doc, place))
        if stretch is None or stretch.first == stretch.end:
            place += 1
            continue
        stretch = _lengthened(doc, stretch, shouted)
        if Listing.NO_NAME not in stretch.listings:
            found.append(stretch)
        place = stretch.end
    return found


def _is_shouted(doc: Doc) -> bool:
    words = [token.text for token in doc if token.is_alpha and len(token.text) > 1]
    return len(words) > 3 and sum(word.isupper() or word.istitle() for word in words) > 0.8 * len(words)


def opens(token: Token) -> bool:
    """Whether a capital is due to the place of the word and says nothing about it."""
    if token.i == 0 or token.is_sent_start and token.nbor(-1).text not in (",", "and", "&", "(") and not token.nbor(-1).is_alpha:
        return True
    return token.nbor(-1).text in {".", "!", "?", "…", ":", '"', "“", "‘", "-", "–", "—", "*", "\n", "...", "("} or "\n" in token.nbor(-1).text  # noqa: RUF001


def _listed(doc: Doc, first: int) -> Stretch | None:
    """The longest listed name that begins here."""
    names, token = gazetteer(), doc[first]
    reach = names.reach(token.text)
    if not reach or token.is_punct:
        return None
    for end in range(min(first + MOST_WORDS, len(doc)), first, -1):
        written = doc[first:end].text
        if len(written) > reach or not _ends_a_word(doc, end):
            continue
        listings = names.of(written)
        if listings and _is_meant(doc, first, end, listings):
            return Stretch(first, end, listings)
    return None


def _ends_a_word(doc: Doc, end: int) -> bool:
    if end == len(doc) or doc[end - 1].whitespace_:
        return True
    return not (doc[end].text[0].isalnum() or (doc[end].text == "-" and end + 1 < len(doc) and doc[end + 1].text[0].isalpha()))


def _is_meant(doc: Doc, first: int, end: int, listings: frozenset[Listing]) -> bool:
    """Whether a listed word is that name here, and not a word like any other."""
    token, written = doc[first], doc[first:end].text
    if Listing.NO_NAME in listings:
        return _no_name_is_meant(doc, first, end, listings)
    if end - first > 1:
        return True
    classes = word_classes(token.text.lower())
    if token.text.islower():
        if listings & (PEOPLE | {Listing.PLACE}):
            return token.tag_ in ("NNP", "NNPS") and not classes - {"noun"}
        return token.pos_ in ("NOUN", "PROPN", "X", "ADJ", "VERB") and (not classes or token.pos_ in ("NOUN", "PROPN"))
    if opens(token) and classes - {"noun"}:
        return token.tag_ in ("NNP", "NNPS") and not _acts(token)
    if opens(token) and classes and listings <= PEOPLE:
        return token.pos_ in ("PROPN", "NOUN")
    return written != "I"


def _acts(token: Token) -> bool:
    return token.dep_ in ("aux", "auxpass", "det", "advmod", "mark", "cc")


def _no_name_is_meant(doc: Doc, first: int, end: int, listings: frozenset[Listing]) -> bool:
    """ "my cousin April": a name after a word for a person, or before a family name; "April" else."""
    return True


def _large(doc: Doc, first: int) -> Stretch | None:
    token = doc[first]
    if not _is_large(token) or _is_title(token):
        return None
    word = token.text.lower()
    if not opens(token):
        return Stretch(first, first + 1)
    if _CHATTER.fullmatch(token.text) or token.is_stop:
        return None
    classes = word_classes(word)
    follows = first + 1 < len(doc) and _is_large(doc[first + 1]) and not doc[first + 1].text.isupper()
    if not classes:
        return Stretch(first, first + 1, sure=token.tag_ in ("NNP", "NNPS") or follows or _owns(token))
    if token.pos_ == "PROPN" and (follows or _owns(token) or token.ent_type_ in ("PERSON", "ORG", "GPE", "PRODUCT")):
        return Stretch(first, first + 1)
    return Stretch(first, first + 1, sure=False) if token.pos_ == "PROPN" and "verb" not in classes else None


def _owns(token: Token) -> bool:
    return token.i + 1 < len(token.doc) and token.nbor().tag_ == "POS"


def _is_large(token: Token) -> bool:
    text = token.text
    if not text[0].isalpha() or token.like_url or token.like_email or "_" in text:
        return False
    if token.tag_ == "PRP" or text in ("I", "I'm", "'S"):
        return False
    inner = any(letter.isupper() for letter in text[1:])
    if text.isupper() and len(text) > 1:
        return bool(token.ent_type_ in ("ORG", "GPE", "PRODUCT", "PERSON")) or (any(c.isdigit() for c in text) and len(text) <= 5)
    return text[0].isupper() or (inner and not text.isupper() and text[0].islower() and len(text) > 2)


def _is_title(token: Token) -> bool:
    return token.text.lower().rstrip(".") in _TITLES


def _lengthened(doc: Doc, stretch: Stretch, shouted: bool) -> Stretch:
    """With the words that go on with the name: further capitals, "of the" between two, a number of the model."""
    first, end, listings, sure = stretch.first, stretch.end, stretch.listings, stretch.sure
    if Listing.NO_NAME in listings:
        return stretch
    while end < len(doc) and end - first < MOST_WORDS:
        step = _step(doc, first, end, listings, shouted)
        if not step:
            break
        end += step
        if not _CODE.fullmatch(doc[end - 1].text):
            listings = gazetteer().of(doc[first:end].text) | (listings & _TRIM)
            sure = True
    if end < len(doc) and doc[end].text in _BESIDE and not listings & PEOPLE:
        end, sure = end + 1, True
    return Stretch(first, end, listings, sure)


def _step(doc: Doc, first: int, end: int, listings: frozenset[Listing], shouted: bool) -> int:
    """How many of the next words go on with the name."""
    token, glued = doc[end], not doc[end - 1].whitespace_
    if glued and token.text in ("-", "'", "’") and end + 1 < len(doc) and doc[end + 1].text[0].isalnum():  # noqa: RUF001
        return 2 if doc[end + 1].text[0].isupper() or doc[end + 1].text[0].isdigit() else 0
    if glued and token.text in ("+", "#") and doc[end - 1].text[0].isupper():
        return 1
    if glued:
        return 0
    if listings & _TRIM and (_NUMBER.fullmatch(token.text) or token.text in _TRIMS):
        return 0 if _COUNTED.match(doc.text, token.idx + len(token.text)) or _is_year(token.text) else 1
    if _CODE.fullmatch(token.text) and not token.text.isalpha() and any(letter.isalpha() for letter in token.text):
        return 1
    if token.text in ("II", "III", "IV", "VI"):
        return 1
    if token.text == "&" and end + 1 < len(doc) and doc[end + 1].text in _PARTNERS:
        return 2
    if _goes_on(doc, end, shouted):
        return 0 if _two_people(doc, first, end) else 1
    if token.lower_ in _JOINS and not token.text[0].isupper():
        ahead = end + 1
        if ahead < len(doc) and doc[ahead].lower_ == "the":
            ahead += 1
        if ahead < len(doc) and token.lower_ not in ("the", "for") and _goes_on(doc, ahead, shouted) and _takes(doc, first, token):
            return ahead + 1 - end
    return 0


def _is_year(text: str) -> bool:
    return len(text) == 4 and text[:2] in ("19", "20")


def _takes(doc: Doc, first: int, join: Token) -> bool:
    """ "University of Leeds" and "Ludwig van Beethoven" are one name, "Anna of accounting" is not."""
    return join.lower_ != "of" or bool(word_classes(doc[join.i - 1].lower_))


def _two_people(doc: Doc, first: int, end: int) -> bool:
    """ "told Mira Sven would come": two first names in a row, and something done by the second, are two people."""
    return False


def _goes_on(doc: Doc, place: int, shouted: bool) -> bool:
    token = doc[place]
    if shouted or not _is_large(token) or (_is_title(token) and not token.i + 1 == len(doc)):
        return False
    return Listing.NO_NAME not in gazetteer().of(token.text) or (place + 1 < len(doc) and False)
