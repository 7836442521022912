"""What is it that somebody likes? The thing in as many words as it takes to know it again, or nothing.

"I love getting lost in a book" is about getting lost in a book, and neither about getting nor about a book. "I love
that colour" is said of something both can see: who reads it later cannot, so it is kept as it was said and claims
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treering.ingest.extract.rules import lexicon
from treering.ingest.extract.rules.lexicon import words
from treering.ingest.extract.rules.phrases import Phrase
from treering.ingest.extract.rules.reading import TextReading

MOST_WORDS = 8
_POINTING = frozenset(("this", "that", "these", "those", "such", "each", "another"))
_KNOWN_TO_ALL = words(
    """
    sea, ocean, beach, seaside, coast, lake, river, mountains, hills, woods, forest, countryside, outdoors, wilderness,
    desert, city, country, suburbs, sun, moon, stars, sky, night, rain, snow, heat, cold, dark, wind, weather, summer,
    winter, autumn, spring, fall, morning, mornings, evening, evenings, weekend, weekends, holidays, gym, theatre,
    theater, cinema, movies, opera, ballet, circus, zoo, news, radio, internet, piano, guitar, violin, cello, drums,
    flute, harp, saxophone, trumpet, accordion, banjo, ukulele, eighties, nineties, sixties, seventies, past, future,
    blues, arts
    """
)
"""What "the" stands before without pointing at one of several: "I love the sea"."""
_SAYS_NOTHING = words(
    """
    fact, idea, way, lot, bit, part, parts, kind, sort, one, ones, guy, girl, man, woman, bunch,
    rest, side, feel, feels, vibe, moment, whole, good, fave, faves, favorite, favorites, favourite, favourites
    """
)
_SAYS_NOTHING_ALONE = words("thing, things, stuff, bits, place, places, time, times, feelings")
"""These tell what is meant where something describes them: "smoky stuff"."""
_PRAISE = words(
    """
    good, great, nice, amazing, awesome, wonderful, lovely, fantastic, cool, best, favorite, favourite, perfect,
    beautiful, incredible, brilliant, gorgeous, excellent, terrible, awful, horrible, real, whole, newfound
    """
)
_SAYS_LITTLE = words(
    """
    being, getting, going, having, doing, making, taking, coming, keeping, seeing, giving, putting, letting, becoming,
    feeling, looking, seeming, trying, starting, helping, spending, using, finding, bringing, playing, working,
    learning, living, staying, watching, listening, talking, waking, growing, knowing, meeting, thinking, telling,
    wearing, turning
    """
)
"""Verbs that want something after them to say what is done."""
_LEADS_ON = words("about, to, into, with, from, of, around, on, over, through, like, as")
_ALSO_LEADS_ON = _LEADS_ON | words("in, at, for, by, up, out, off, down, back, away, together, outside, inside")
_WITHIN = frozenset(("NN", "NNS", "NNP", "NNPS", "JJ", "JJR", "JJS", "VBN", "VBG", "DT", "IN", "RP", "RB", "TO", "CD"))
_NOUNS = frozenset(("NN", "NNS", "NNP", "NNPS"))
_LOOSE = frozenset(("DT", "IN", "TO", "RB", "CC", "PRP$", "CD"))


def tastes(phrases: Sequence[Phrase], reading: TextReading) -> list[str]:
    """How claims call what is liked or disliked, without what nobody could know again by what was said. The article of
    the first counts for all: "the colour and texture"."""
    first = phrases[0]
    meant = [phrase if phrase.article else replace(phrase, article=first.article) for phrase in phrases[1:]]
    return [name for phrase in (first, *meant) if (name := _tasted(phrase, reading))]


def _tasted(phrase: Phrase, reading: TextReading) -> str | None:
    if phrase.sort != "c":
        return phrase.label
    if reading.words[phrase.end - 1].tag_ == "VBG" and phrase.end - phrase.start == 1:
        return _doing(phrase, reading)
    if phrase.article in _POINTING or phrase.text.startswith("'"):
        return None
    thing = _without_praise(phrase.full or phrase.noun)
    if thing is None or lexicon.last_word(thing) in _SAYS_NOTHING or thing.lower() in _SAYS_NOTHING_ALONE:
        return None
    if phrase.whose:
        return f"{phrase.whose}'s {thing}" if phrase.whose[:1].isupper() else None
    if phrase.article == "the" and thing.lower() not in _KNOWN_TO_ALL and not thing[0].isupper():
        return _of_something(thing, phrase, reading)
    return thing


def _without_praise(said: str) -> str | None:
    """ "an amazing lemon tart" is a lemon tart; of "the best" nothing is left."""
    kept = said.split(" ")
    while kept and kept[0].lower() in _PRAISE:
        kept = kept[1:]
    return " ".join(kept) or None


def _of_something(thing: str, phrase: Phrase, reading: TextReading) -> str | None:
    """ "the smell of rain" tells what it is, "the smell" does not."""
    after = phrase.end
    if after + 1 >= len(reading.words) or reading.words[after].lower_ != "of" or after + 1 not in reading.phrase_at:
        return None
    of = reading.phrases[reading.phrase_at[after + 1]]
    if of.sort not in "nc" or of.article in _POINTING or (of.whose is not None and not of.name):
        return None
    return f"{thing} of {of.text}"


def _doing(phrase: Phrase, reading: TextReading) -> str | None:
    """ "getting" with what it takes to say what is done: "getting lost in a book"; and "hiking" by itself."""
    first = phrase.start
    word = reading.words[first].lower_
    says_little = word in _SAYS_LITTLE
    after = reading.words[first + 1] if first + 1 < len(reading.words) else None
    leads_on = after is not None and after.lower_ in (_ALSO_LEADS_ON if says_little else _LEADS_ON)
    if not says_little and not leads_on:
        return phrase.full or phrase.noun
    end = _last(first, reading)
    if end is None:
        return None
    return reading.text(first, end) if end - first > 1 else None


def _last(first: int, reading: TextReading) -> int | None:
    """Where what is done has been told: after the first thing that is named in it. None: it points at something."""
    end, named = first + 1, False
    while end < min(len(reading.words), first + MOST_WORDS) and end not in reading.time_at:
        word, tag = reading.words[end], reading.words[end].tag_
        if word.lower_ in _POINTING or tag in ("PRP", "PRP$"):
            return None
        if tag not in _WITHIN or (named and tag in ("IN", "TO", "RP", "DT", "RB", "VBG", "VBN")):
            break
        named = named or (tag in _NOUNS and not _goes_on(end, reading))
        end += 1
    while end > first + 1 and reading.words[end - 1].tag_ in _LOOSE and not _closes(reading.words[end - 1].lower_):
        end -= 1
    return end


def _goes_on(at: int, reading: TextReading) -> bool:
    return at + 1 < len(reading.words) and reading.words[at + 1].tag_ in _NOUNS


def _closes(word: str) -> bool:
    return word in ("together", "outside", "inside", "outdoors", "indoors", "home", "alone", "abroad", "early", "late")
