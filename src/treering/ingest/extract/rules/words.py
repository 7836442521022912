"""How is a word written in a pattern? Contractions opened, helpers levelled, fillers and negation taken out.

"I'm", "im" and "he's" are all `is`; "don't" is `do` with a negation beside it; "finally", "btw" and "just" are left
out. A rule is written once, in the plainest English, and matches what people type.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein

from treering.ingest.extract.rules.lexicon import APOSTROPHE, words
from treering.ingest.extract.rules.recent import ParsedWord
from treering.language.english import word_classes

_LEVEL = {
    "am": "is",
    "'m": "is",
    "is": "is",
    "are": "is",
    "'re": "is",
    "was": "was",
    "were": "was",
    "have": "has",
    "'ve": "has",
    "has": "has",
    "ve": "has",
    "will": "will",
    "'ll": "will",
    "wo": "will",
    "shall": "will",
    "would": "would",
    "'d": "would",
    "ca": "can",
    "wanna": "want",
    "gonna": "going",
    "does": "do",
    "&": "and",
    "+": "and",
    "w/": "with",
}
SHORTEST_MENDED = 5
_MENDED = words(
    """
    switched, moved, started, joined, working, living, allergic, quitted, bought, cancelled, changed, adopted, married,
    engaged, divorced, graduated, studied, studying, diagnosed, vegetarian, promoted, replaced, migrated, prefer, hired,
    teacher, engineer, manager, visited, booked, planning, thinking, subscribed
    """
)
_MARKS = frozenset(("`", "*", "_", '"', "“", "”", "'"))
NEGATIONS = frozenset(("not", "n't", "nt", "never", "neither", "nor"))
FILLERS = words(
    """
    just, only, finally, really, actually, also, already, basically, currently, officially, honestly, literally,
    kinda, sorta, super, very, pretty, too, lol, lmao, haha, hahaha, tbh, fwiw, btw, fyi, imo, imho, omg,
    ugh, oh, well, hey, hi, anyway, anyways, um, hmm, hm, yeah, yep, yes, nope, please, pls, plz, still,
    now, mostly, totally, quite, absolutely, definitely, obviously, sadly, luckily, happily, recently,
    lately, simply, mainly, apparently, technically, though, tho, rn, atm, ever, even, almost, normally,
    sometimes, often, generally, wait, sorry, oops, myself, aaand, congrats, wow, phew, yay, ah, aw, aww,
    nah, indeed, fully, truly, seriously, anymore, longer, probably, maybe, perhaps, possibly, officially,
    then, yet, incidentally, somehow, permanently, temporarily, originally, formerly, previously
    """
)
_PARTICIPLES = words(
    """
    been, got, gone, had, become, moved, left, joined, started, switched, quit, handed, taken, given,
    stopped, finished, signed, changed, lived, worked, retired, stepped
    """
)


@lru_cache(maxsize=4096)
def spelled(low: str) -> str:
    """The word that rules ask for, where what is written is no word and one slip away from it: "switchd"."""
    if len(low) < SHORTEST_MENDED or not low.isalpha() or low in _MENDED or word_classes(low):
        return low
    return next((word for word in sorted(_MENDED) if DamerauLevenshtein.distance(low, word) == 1), low)


def written(said: Sequence[ParsedWord], i: int) -> str:
    """The word at `i` as patterns spell it; "" for a word that no pattern asks for."""
    token = said[i]
    low = token.lower_.replace(APOSTROPHE, "'")
    if low in NEGATIONS or low in FILLERS:
        return ""
    if low in ("'s", "s") and token.tag_ in ("VBZ", "VBP", "POS"):
        return "has" if _participle_follows(said, i) else "is"
    if low in ("do", "does", "did") and i + 1 < len(said) and said[i + 1].lower_ in NEGATIONS:
        return ""
    if low in ("m", "re") and token.tag_ in ("VBP", "VBZ"):
        return "is"
    if low == "'d" and _participle_follows(said, i):
        return "had"
    if low == "no" and i + 1 < len(said) and said[i + 1].lower_ == "longer":
        return ""
    if low in _MARKS:
        return ""
    return _LEVEL.get(low) or spelled(low)


def _participle_follows(said: Sequence[ParsedWord], i: int) -> bool:
    for word in said[i + 1 : i + 4]:
        if word.tag_ != "RB" and word.lower_ not in FILLERS:
            return word.lower_ in _PARTICIPLES
    return False
