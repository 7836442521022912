"""Where in a text may a name stand? Stretches written like names or known as such, whatever they turn out to be.

A capital in the middle of a sentence makes a name; at its beginning every word has one, and there the word must be
known as a name or unknown as a word. Months, peoples, languages, titles and abbreviations are left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from treering.language.chatter import is_chatter
from treering.language.english import word_classes, written
from treering.language.gazetteer import PEOPLE, Listing, capitalised, gazetteer
from treering.language.things import kind_of_noun

if TYPE_CHECKING:
    from treering.language.parse.doc import Doc, Token

MOST_WORDS = 6
MOST_WORDS_OF_A_TITLE = 8
QUOTES = frozenset("\"'“”‘’«»")  # noqa: RUF001
SHORTEST_KNOWN = 3
SHORT_ANSWER = 5
LONGEST_ACRONYM = 6
_CODE = re.compile(r"[A-Z]{0,4}-?\d[\w.+-]*|[IVX]{1,4}")
_NUMBER = re.compile(r"\d{1,4}(?:\.\d{1,3})*")
_PLURAL_ACRONYM = re.compile(r"[A-Z]{2,4}s")
_MODEL_CODE = re.compile(r"[A-Z]{1,3}-?\d{3,4}[A-Z]?")
_INNER_CAPITAL = re.compile(r"(?!(?:for|and|the|with|to|of|at|by|my|is|in|on)[A-Z])[a-z]{1,3}[A-Z]\w{2,}")
"""gRPC, iRobot; not kWh, nor "forMax", where a blank is missing."""
_NUMBERED = re.compile(
    r"Part|Room|Chapter|Phase|Step|Level|Grade|Day|Week|Season|Episode|Volume|Act|Class|Type|Section|Article|Gate|"
    r"Terminal|Platform|Line|Seat|Page|Figure|Table|Unit|Module|Lesson|Round|Tier|Stage|Year|Group|Team|Floor|Bus"
)
_TRIM = frozenset((Listing.BRAND, Listing.TECHNOLOGY))
_TRIMS = frozenset(("Pro", "Max", "Mini", "Plus", "Air", "Ultra", "Lite", "SE", "Premium", "Super", "Duo"))
_ROLE = re.compile(r"\b(?:vp|svp|evp|head|director|chief|manager|lead|minister|professor|bachelor|master|doctor)s? of$")
_COUNT = re.compile(r"\b(?:two|three|four|both|several|many|the|all|other|\d)$")
_COUNTED = re.compile(
    r"\s*(?:times?|days?|hours?|hrs?|years?|months?|weeks?|minutes?|mins?|people|euros?|dollars?|bucks|pounds?|quid|"
    r"percent|%|am\b|pm\b|kg|km|miles?|a month|a year|per\b|/|:|,\d|o'clock|years? ago|of (?:them|us|these))"
)
_CALLS = frozenset(("called", "named"))
_COUNTING = frozenset(("CD", "PRP$", "POS"))
_DESCRIBING = frozenset(("DT", "JJ", "JJR", "JJS", "VBN"))
_OPENERS = frozenset('.!?…:"“‘-–—*(')  # noqa: RUF001
_SMALL = frozenset(("a", "an", "and", "in", "on", "to", "my", "is", "with", "at", "by", "from", "or"))
_JOINS = frozenset(("of", "de", "del", "della", "di", "da", "do", "dos", "du", "des", "la", "le", "van", "von", "der",
                    "den", "ter", "ten", "af", "av", "zu", "y", "e", "bin", "al", "the", "for"))  # fmt: skip
_NO_END = frozenset(
    ("the", "a", "an", "and", "of", "for", "in", "on", "at", "to", "is", "it", "my", "your", "we", "you")
)
_BULLET = re.compile(r"[\s#*•>_\d.)(-]*")
_LINE_ENDS = re.compile(r"[\s*_:\d.]*(?:\n|$)")
_SIGNS = re.compile(r"[_\"(){}\[\]=<>|\\]")  # of code and formulas
_PARTNERS = frozenset(("Sons", "Co", "Partners", "Brothers", "Bros", "Daughters", "Associates", "Company"))
_TITLES = frozenset(("mr", "mrs", "ms", "mx", "miss", "dr", "prof", "professor", "sir", "madam", "doctor", "uncle",
                     "aunt", "auntie", "grandma", "grandpa", "project", "operation"))  # fmt: skip
_BESIDE = frozenset(("school", "line", "clinic", "hotel", "unit"))  # kept with the name when written small after it


@dataclass(frozen=True, slots=True)
class WordRun:
    """Words `first` to `end` (not included) of a document, and the lists that hold them as they are written."""

    first: int
    end: int
    listings: frozenset[Listing] = frozenset()
    sure: bool = True
    """Not sure: written like any other word, and only a name if what stands around it says so."""
    likely: bool = False
    """Where not sure: the parser takes it for a name, and it is a noun only, as many names are."""


def stretches(doc: Doc, known: Collection[str] = (), answers: bool = False) -> list[WordRun]:
    """In order; none overlaps another. `known` are names met before in the conversation. A text that answers the
    question for a name may begin with one in lower case."""
    said = [token.text for token in doc]
    shouted = _is_shouted(said)
    found: list[WordRun] = []
    place = 0
    while place < len(said):
        if not (_may_begin(said[place]) or said[place] in known or (place and _may_lead(said[place - 1])) or answers):
            place += 1
            continue
        stretch = (
            _quoted(doc, place)
            or _listed(doc, place)
            or _known(doc, place, known)
            or (_answer(doc, place) if answers else None)
            or (None if shouted else _large(doc, place))
        )
        if stretch is None or stretch.first == stretch.end:
            place += 1
            continue
        stretch = _lengthened(doc, stretch, shouted)
        no_name = Listing.NO_NAME in stretch.listings or _is_role_or_plural(doc, stretch) or _is_heading(doc, stretch)
        if not no_name:
            found.append(stretch)
        place = stretch.end
    return found


@lru_cache(maxsize=1 << 14)
def _may_begin(word: str) -> bool:
    """Whether a word may be the first of a name by how it is written or because a listed name begins so."""
    return gazetteer().reach(word) > 0 or (word[0].isalpha() and not word.islower())


@lru_cache(maxsize=1 << 14)
def _may_lead(word: str) -> bool:
    """Whether any word may be a name after this one."""
    return word == "`" or word.lower() in _CALLS


def _is_role_or_plural(doc: Doc, stretch: WordRun) -> bool:
    """ "VP of Product" names no product, and "two Pauls" nobody."""
    text, before = doc[stretch.first : stretch.end].text, doc[max(0, stretch.first - 4) : stretch.first].text.lower()
    if _ROLE.search(before) and word_classes(text.lower()):
        return True
    return text.endswith("s") and _COUNT.search(before) is not None and bool(gazetteer().of(text[:-1]) & PEOPLE)


def _is_heading(doc: Doc, stretch: WordRun) -> bool:
    """ "## Next Steps": ordinary words in capitals that are a line of their own among others."""
    text, span = written(doc), doc[stretch.first : stretch.end]
    if "\n" not in text or stretch.listings or len(span) < 2:
        return False
    line = text.rfind("\n", 0, span.start_char) + 1
    alone = _BULLET.fullmatch(text, line, span.start_char) and _LINE_ENDS.match(text, span.end_char)
    return bool(alone) and all(word_classes(token.lower_) or token.is_stop for token in span)


def _is_shouted(said: Sequence[str]) -> bool:
    words = [word for word in said if len(word) > 1 and word.isalpha()]
    return len(words) > 3 and sum(word.isupper() or word.istitle() for word in words) > 0.8 * len(words)


def opens(token: Token) -> bool:
    """Whether a capital is due to the place of the word and says nothing about it."""
    before = next((word for word in reversed(token.doc[: token.i]) if "\n" in word.text or not word.is_space), None)
    if before is None:
        return True
    last = before.text
    return (
        last[-1] in _OPENERS or "\n" in last or (token.is_sent_start is True and not last[-1].isalnum() and last != ",")
    )


def _quoted(doc: Doc, place: int) -> WordRun | None:
    """The title of something, between quotation marks: "Little Women", "A Bird's Nest"."""
    if not place or doc[place - 1].text not in QUOTES or not (_is_large(doc[place]) or doc[place].text == "A"):
        return None
    for end in range(place + 1, min(place + MOST_WORDS_OF_A_TITLE + 1, len(doc))):
        if doc[end].text in QUOTES:
            inner = doc[place:end]
            titled = all(_is_large(word) or word.tag_ == "POS" or word.lower_ in _JOINS | _SMALL for word in inner)
            return (
                WordRun(place, end, gazetteer().of(inner.text))
                if titled and _is_large(inner[-1]) and not inner[-1].is_stop and not is_chatter(inner.text)
                else None
            )
        if doc[end].is_punct:
            return None
    return None


def _listed(doc: Doc, first: int) -> WordRun | None:
    """The longest listed name that begins here."""
    names, token = gazetteer(), doc[first]
    reach = names.reach(token.text)
    if not reach or token.is_punct:
        return None
    for end in range(min(first + MOST_WORDS, len(doc)), first, -1):
        last = doc[end - 1]
        if last.idx + len(last) - token.idx > reach or not _ends_a_word(doc, end):
            continue
        listings = names.of(doc[first:end].text)
        if Listing.NO_NAME in listings and end == first + 1 and _is_a_person(token):
            return WordRun(first, end)
        if listings and _is_meant(doc, first, end, listings):
            return WordRun(first, end, listings, sure=doc[first:end].text not in names.doubted or _is_used(token))
    return None


def _is_used(token: Token) -> bool:
    """ "we talk on slack" and "some slack": what is used is spoken of without an article."""
    return token.i > 0 and token.nbor(-1).lower_ in ("on", "in", "via", "with", "through", "over", "from", "using")


def _is_one_of_many(token: Token, listings: frozenset[Listing]) -> bool:
    """ "the rocky dale", "a lima bean": no name when written small, and "the bahamas" is one."""
    if not token.i:
        return False
    before = token.nbor(-1)
    return (
        before.tag_ in _COUNTING
        or before.lower_ in ("a", "an")
        or (bool(listings & PEOPLE) and before.tag_ in _DESCRIBING)
    )


def _is_a_person(token: Token) -> bool:
    """ "my cousin April": a month, a people or a feast that is somebody's name."""
    if token.i < 2 or not token.text.istitle() or _is_title(token):
        return False
    return kind_of_noun(token.nbor(-1).lower_) == "person" and token.nbor(-2).tag_ in ("PRP$", "POS", "DT", "JJ", "NN")


def _known(doc: Doc, place: int, known: Collection[str]) -> WordRun | None:
    """A name met before, written in the same way; one in `backticks`; or a strange word after "called"."""
    token = doc[place]
    if len(token.text) < SHORTEST_KNOWN or not token.is_alpha:
        return None
    fenced = 0 < place < len(doc) - 1 and doc[place - 1].text == doc[place + 1].text == "`"
    strange = not (token.is_stop or word_classes(token.lower_))
    called = strange and place > 1 and doc[place - 1].lower_ in _CALLS
    return WordRun(place, place + 1) if fenced or called or token.text in known else None


def _answer(doc: Doc, place: int) -> WordRun | None:
    """ "borgmatic, nightly": the first word of an answer, if English does not know it."""
    token = doc[place]
    unknown = token.is_alpha and len(token.text) >= SHORTEST_KNOWN and not word_classes(token.lower_)
    chatter = token.is_stop or is_chatter(token.text)
    return WordRun(place, place + 1) if place == 0 and unknown and not chatter else None


def _ends_a_word(doc: Doc, end: int) -> bool:
    if end == len(doc) or doc[end - 1].whitespace_:
        return True
    return not (
        doc[end].text[0].isalnum() or (doc[end].text == "-" and end + 1 < len(doc) and doc[end + 1].text[0].isalpha())
    )


def _is_meant(doc: Doc, first: int, end: int, listings: frozenset[Listing]) -> bool:
    """Whether a listed word is that name here, and not a word like any other."""
    token, written = doc[first], doc[first:end].text
    if Listing.NO_NAME in listings:
        return True
    if end - first > 1:
        return True
    classes = word_classes(token.text.lower())
    if token.text.islower() and first and doc[first - 1].text == "-" and not doc[first - 1].whitespace_:
        return False
    if token.text.islower():
        if listings & (PEOPLE | {Listing.PLACE}):
            proper = token.tag_ in ("NNP", "NNPS") and not classes - {"noun"} and bool(capitalised(token.text))
            return proper and not (classes and _is_one_of_many(token, listings))
        return token.pos_ in ("NOUN", "PROPN", "X", "ADJ", "VERB") and (not classes or token.pos_ in ("NOUN", "PROPN"))
    if opens(token) and classes:
        if listings & PEOPLE or (Listing.PLACE in listings and not classes - {"noun"}):
            return token.pos_ in ("PROPN", "NOUN") and not _acts(token)
        if classes == {"noun"}:
            return token.pos_ == "PROPN" or _is_subject(token) or not gazetteer().is_a_word(written)
        return token.pos_ == "PROPN" and _is_subject(token)
    return written != "I"


def _acts(token: Token) -> bool:
    return token.dep_ in ("aux", "auxpass", "det", "advmod", "mark", "cc")


def _large(doc: Doc, first: int) -> WordRun | None:
    token = doc[first]
    if not _is_large(token) or _is_title(token):
        return None
    if is_chatter(token.text) and _is_said_apart(token):
        return None
    if _is_half(token):
        listings = gazetteer().of(token.text) - PEOPLE - {Listing.NO_NAME}
        if listings:
            return WordRun(first, first + 1, listings)  # "Norway-wide"
        if word_classes(token.lower_):
            return None if opens(token) else WordRun(first, first + 3, sure=False)
    if not opens(token):
        if token.is_stop and token.pos_ != "PROPN":
            return None
        code = _MODEL_CODE.fullmatch(token.text) is not None
        classes = word_classes(token.lower_)
        if token.text.isupper():
            return WordRun(first, first + 1, sure=code)
        return WordRun(first, first + 1, sure=not classes, likely=token.tag_ == "NNP" and classes == {"noun"})
    return None if token.is_stop else _opening(token)


def _is_half(token: Token) -> bool:
    """The first half of "Middle-earth", whose second is written small."""
    if token.whitespace_ or token.i + 2 >= len(token.doc):
        return False
    hyphen, other = token.nbor(), token.nbor(2)
    return hyphen.text == "-" and not hyphen.whitespace_ and other.text.islower()


def _is_said_apart(token: Token) -> bool:
    """Whether nothing leads up to the word that could make a name of it: "Wow, Congrats", but "our cat Boo"."""
    return opens(token) or token.nbor(-1).is_punct or token.nbor(-1).tag_ in ("UH", "CC") or not token.text.isalpha()


def _opening(token: Token) -> WordRun | None:
    """A word that would have its capital in any case."""
    first, doc = token.i, token.doc
    classes = word_classes(token.lower_)
    after = doc[first + 1] if first + 1 < len(doc) else None
    follows = after is not None and _goes_on(doc, after.i, shouted=False) and not after.text.isupper()
    somebody = after is not None and bool(gazetteer().of(after.text) & PEOPLE)
    if (follows and somebody and "adj" in classes) or (token.text.endswith("ing") and token.tag_ != "NNP"):
        return None  # "Glad Max is here", "Blogging is fun"
    if len(doc) <= SHORT_ANSWER and follows and all(_is_large(word) for word in doc if word.is_alpha):
        return WordRun(first, first + 1)
    if not classes:
        return WordRun(
            first,
            first + 1,
            sure=not token.text.isupper() and (follows or _goes_on_as_name(token)) and not token.text.endswith("ing"),
        )
    if follows and token.pos_ == "PROPN" and not somebody:
        return WordRun(first, first + 1)
    return WordRun(first, first + 1, sure=False) if token.pos_ == "PROPN" and "verb" not in classes else None


def _is_subject(token: Token) -> bool:
    return token.i + 1 < len(token.doc) and token.nbor().tag_ in ("POS", "VBZ", "VBD", "MD")


def _goes_on_as_name(token: Token) -> bool:
    """Whether what follows treats the word as somebody or something: "Delphine's covering", "Parisa owns it"."""
    if token.i + 1 == len(token.doc):
        return token.i == 0
    after = token.nbor()
    return after.tag_ in ("POS", "VBZ", "VBD", "VBP", "MD") or after.text in (",", "and", "&", "!", ".", "'s", "’s")  # noqa: RUF001


def _is_large(token: Token) -> bool:
    text = token.text
    if not text[0].isalpha() or token.like_url or token.like_email or _SIGNS.search(text):
        return False
    if token.tag_ == "PRP" or text in ("I", "I.", "I'm", "'S") or _PLURAL_ACRONYM.fullmatch(text):
        return False
    if len(text) == 1:
        glued = token.i + 1 < len(token.doc) and token.nbor().text == "-" and not token.whitespace_
        return text.isupper() and glued and not _is_stammered(token)
    if _NUMBERED.fullmatch(text) and token.i + 1 < len(token.doc) and token.nbor().like_num:
        return False
    if text.isupper():
        beside = token.i + 1 < len(token.doc) and token.nbor().text in _BESIDE
        return beside or _is_acronym(token) or _MODEL_CODE.fullmatch(text) is not None
    return text[0].isupper() or _INNER_CAPITAL.fullmatch(text) is not None


def _is_stammered(token: Token) -> bool:
    """ "R-Robert"."""
    return token.i + 2 < len(token.doc) and token.nbor(2).text.startswith(token.text)


def _is_acronym(token: Token) -> bool:
    return 2 <= len(token.text) <= LONGEST_ACRONYM and not word_classes(token.lower_)


def _is_title(token: Token) -> bool:
    return token.text.lower().rstrip(".") in _TITLES


def _lengthened(doc: Doc, stretch: WordRun, shouted: bool) -> WordRun:
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
            listings = gazetteer().of(doc[first:end].text) | (listings & (PEOPLE if listings & PEOPLE else _TRIM))
            sure = True
    while end > stretch.end and doc[end - 1].lower_ in _NO_END and doc[end - 2].whitespace_:
        end -= 1
    if end == stretch.end:
        listings, sure = stretch.listings, stretch.sure
    if end < len(doc) and doc[end].text in _BESIDE and not listings & PEOPLE:
        end, sure = end + 1, True
    return replace(stretch, end=end, listings=listings, sure=sure)


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
        end_char = token.idx + len(token.text)
        counted = _COUNTED.match(written(doc), end_char) or written(doc)[end_char : end_char + 1].isalpha()
        return 0 if counted or _is_year(token.text) else 1
    if _CODE.fullmatch(token.text) and not token.text.isalpha() and any(letter.isalpha() for letter in token.text):
        return 1
    if token.text in ("II", "III", "IV", "VI"):
        return 1
    if token.text == "&" and end + 1 < len(doc) and doc[end + 1].text in _PARTNERS:
        return 2
    if _goes_on(doc, end, shouted):
        return 1
    if token.lower_ in _JOINS and not token.text[0].isupper():
        ahead = end + 1
        if ahead < len(doc) and doc[ahead].lower_ == "the":
            ahead += 1
        if (
            ahead < len(doc)
            and token.lower_ not in ("the", "for")
            and _goes_on(doc, ahead, shouted)
            and _takes(doc, first, token)
        ):
            return ahead + 1 - end
    return 0


def _is_year(text: str) -> bool:
    return len(text) == 4 and text[:2] in ("19", "20")


def _takes(doc: Doc, first: int, join: Token) -> bool:
    """ "University of Leeds" and "Ludwig van Beethoven" are one name, "Anna of accounting" is not."""
    return join.lower_ != "of" or bool(word_classes(doc[join.i - 1].lower_))


def _goes_on(doc: Doc, place: int, shouted: bool) -> bool:
    token = doc[place]
    if shouted or not _is_large(token) or (_is_title(token) and token.i + 1 != len(doc)):
        return False
    return Listing.NO_NAME not in gazetteer().of(token.text)
