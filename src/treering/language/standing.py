"""How does a text stand to what it says? As so, as beside something else, or as what only may be or is for a while.

Closed lists of words, one a question. They decide nothing alone: whoever asks knows already that two texts speak of the
same thing, and wants to know which of them to believe about the present.
"""

from __future__ import annotations

import re
from functools import lru_cache

TEXTS = 2_048
"""Short ones, of which every pair is looked at: so many are remembered with what was found."""
_SENTENCE = re.compile(r"(?:[^.!?;\n]|(?<=\d)\.(?=\d))+[.!?;]*")
_CLAUSE = re.compile(
    r"(?:(?<!\d)[,:]|[,:](?!\d)|[()\u2013\u2014])+|\s(?:but|and|so|because|although|though)\s(?=\S+\s\S)", re.IGNORECASE
)
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')


def _any(*listed: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(listed)})\b", re.IGNORECASE)


_SUPPOSED = _any(
    "if(?! (?:at all|any|anything|not))",
    "imagine",
    "suppose",
    "pretend",
    "wish(?! (?:me|us) luck)",
    "just kidding",
    "jk",
    "check the date",
    "april fool",
)
_ONLY_MAY_BE = _any(
    "would(?! not)", "could", "might", "maybe", "perhaps", "probably",
    "possibly", "apparently", "supposedly", "allegedly", "rumou?rs?", "heard", "thinking (?:of|about)", "considering",
    "planning", "(?<!my )(?<!our )(?<!the )plans? (?:to|on)", "hop(?:e|ing) to", "wants? to", "tempted",
    "leaning towards?",
    "looking (?:at|into|for)", "dream(?:ing|s)?", "some ?day", "one day", "should(?:n't)? i", "wonder(?:ing)?",
    "basically", "feels? like", "everyone(?:'s| is)", "reckons?",
)  # fmt: skip
_ONLY_FOR_A_WHILE = _any(
    "visit(?:ed|ing)?", "weekend in", "day trip", "trip to", "holiday in", "vacation", "house[- ]?sitting", "spent",
    "for (?:a|the|one|two|three|four|five|six|a few|a couple of|this|\\d+) (?:nights?|days?|weeks?|weekend|months?)",
    "until", "till", "trial", "crashing (?:at|with)", "staying (?:at|with|over)", "passing through", "layover",
)  # fmt: skip
_ONCE_WAS = _any(
    "used to", "back in (?:19|20)\\d\\d", "back then", "when i was", "formerly", "previously", "years ago", "as a kid",
    "in the old days", "before (?:that|the|i|we|my)", "(?:19|20)\\d\\d (?:to|till|until) (?:19|20)?\\d\\d",
)  # fmt: skip
_ADDED = _any(
    "too",
    "also",
    "(?:an?|my|our) (?:second|third|additional|extra|spare)",
    "as well",
    "another",
    "besides",
    "both",
    "in addition",
    "on the side",
    "side gig",
)

_CORRECTS = re.compile(r"\bactually\b|\bin fact\b|,\s*not\s", re.IGNORECASE)
_TAKES_BACK = re.compile(
    r"\b(?:correction|i meant?|scratch that|ignore (?:that|what)|my bad|wait|oops|sorry|typo|misread|misspoke|mistake"
    r"|mistaken|wrong|mixed up|confused)\b",
    re.IGNORECASE,
)


@lru_cache(TEXTS)
def stated(text: str) -> tuple[str, ...]:
    """The clauses that state something: no questions, nothing quoted, nothing that only may be or once was."""
    said = (one.group() for one in _SENTENCE.finditer(_QUOTED.sub(" ", text)))
    sentences = (one for one in said if not one.rstrip().endswith("?") and not _SUPPOSED.search(one))
    clauses = (clause.strip() for one in sentences for clause in _CLAUSE.split(one))
    return tuple(one for one in clauses if one and not _ONLY_MAY_BE.search(one) and not _ONCE_WAS.search(one))


@lru_cache(TEXTS)
def only_for_a_while(text: str) -> bool:
    return _ONLY_FOR_A_WHILE.search(text) is not None


@lru_cache(TEXTS)
def adds(text: str) -> bool:
    """It says itself that it stands beside something else."""
    return _ADDED.search(text) is not None


def corrects(text: str) -> bool:
    """Whether it says that something is otherwise than was said; "actually" may as well only add to it."""
    return _CORRECTS.search(text) is not None or _TAKES_BACK.search(text) is not None


def takes_back(text: str) -> bool:
    """Whether a correction says that what was said was wrong. "Actually" alone may only add to it."""
    return _TAKES_BACK.search(text) is not None and not adds(text)
