"""Does a statement say more than its facts? What was not read as a fact was said all the same.

"User lives in Boston and has two kids" may state one fact: where somebody lives. When that ends, the kids are still
there, and the statement stands. Read without a parse, for it is asked under the lock of a write.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from treering.language.subject import said_of
from treering.language.words import spelled, stem, words

_VALUE = "\N{BULLET}"
"""Stands for what the facts name, so that no joint within it is one: "Smith and Wesson"."""
_JOINED = "and|but|plus|while|whereas|where|who|whose|although|though"
_JOINT = re.compile(rf"(?<!\b[DMS][rst])[.!?;](?:\s+|$)|\s*[,()\u2013\u2014]\s*|\s(?=(?:{_JOINED})\s)", re.IGNORECASE)
_HEADING = re.compile(rf"(?:^|(?<=[.;!?]\s))[^.;!?{_VALUE}]*?:\s+")
"""Who says it, or what is to come: "Ada:", "two things to know:"."""
_LEADS = re.compile(
    rf"(?:(?:{_JOINED}|also|then|still|now|currently|mostly|usually|often|sometimes|always|never|only|just|even|really|both"
    r"|not)\s+)+",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(r"\b(?:it|it's|its|that|this|here|there|those|these|which|nothing|please)\b", re.IGNORECASE)
"""A clause with such a word speaks of the same once more: "been here for years", "loves it", "please note it"."""
_GOES_ON = re.compile(r"(?:at|in|on|for|with|to|of|from|by|near|since|until|because|as|so)\s", re.IGNORECASE)
_CIRCUMSTANCE = re.compile(r"\b(?:am|is|are|was|were)\s(?:up|out|off|on|in|at|back|over|down)\b", re.IGNORECASE)
"""Where and when somebody is belongs to what was said before: "works at a bakery, is up at 3"."""
_OWNERS = re.compile(r"(?<!\bhe)(?<!\bshe)(?<!\bit)(?<!\bthat)(?<!\bwho)(?<!\bthere)['\u2019]s\b", re.IGNORECASE)
"""After a pronoun it is short for "is"."""
SUBJECT_WORDS = 3
"""So soon after the first word comes the verb: "her brother flies"."""
_PLAINEST = frozenset(("am", "is", "are", "was", "were", "have", "has", "had", "do", "does", "did", "can", "will"))
_VERBS = _PLAINEST | frozenset(
    words(
        """
        live work love like hate use prefer speak play study need want own drive go teach run eat drink know miss keep
        make take get got learn read write draw paint sing dance cook bake swim ride hike climb ski sail surf fish hunt
        train coach volunteer travel commute walk cycle fly plan hope try start begin began collect build manage lead
        led ran rent share raise grow grew foster adopt care look sleep wake wear believe think feel enjoy adore dislike
        avoid follow watch listen support belong attend visit meet met marry graduate major earn save pay spend suffer
        struggle allergic freelance consult moonlight tutor babysit host knit sew sell practise practice
        """
    )
)
"""What people say of themselves, by the stem: enough to tell a second verb, said without its subject, from a noun."""


def says_more(text: str, values: Iterable[str], spoken_of: frozenset[str] = frozenset()) -> bool:
    """Whether a clause tells something by itself that names none of the values, and none of the stems spoken of. Where
    no value is known, what comes before leads to it: "friend of mine, goes by Ziggy, plays bass"."""
    parts = list(_clauses(text, values))
    valued = any(_VALUE in part for part in parts)
    stated = [place for place, part in enumerate(parts) if _VALUE in part or not spoken_of.isdisjoint(words(part))]
    first = 0 if valued else min(stated, default=0) + 1
    return any(_tells(part) for place, part in enumerate(parts) if place >= first and place not in stated)


def _clauses(text: str, values: Iterable[str]) -> Iterator[str]:
    """The statement cut where a clause begins. What only goes on with the one before it stays with it: "in sales and
    support"."""
    for value in sorted(filter(None, values), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", _VALUE, text, flags=re.IGNORECASE)
    whole = ""
    for part in filter(None, (one.strip() for one in _JOINT.split(_HEADING.sub("", text)))):
        if whole and _has_a_verb(part):
            yield whole
            whole = part
        else:
            whole = f"{whole} {part}".strip()
    if whole:
        yield whole


def _has_a_verb(part: str) -> bool:
    clause = _OWNERS.sub("", _LEADS.sub("", part, count=1))
    if _GOES_ON.match(clause):
        return False
    first, *rest = spelled(clause) or [""]
    begins = bool(rest) and (first in _PLAINEST or stem(first) in _VERBS)
    follows = any(one.endswith("s") and stem(one) in _VERBS for one in rest[:SUBJECT_WORDS])
    return bool(said_of(clause)) or begins or follows


def _tells(part: str) -> bool:
    return _has_a_verb(part) and not _POINTS_BACK.search(part) and not _CIRCUMSTANCE.search(part)
