"""How does a text stand to what it says? As so now, as changed, as ended, or as something that only may be or once was.

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
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"


def _any(*listed: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(listed)})\b", re.IGNORECASE)


_NOT_ONCE = "".join(f"(?<!{did} {a} )" for did in ("tried", "visited", "saw", "watched") for a in ("a", "the", "this"))
"""What was tried or seen once is new to whom did so, and changes nothing yet."""
_CHANGED = _any(
    # by the time that it names
    "(?<!than )now", "nowadays", "these days", "no longer", "any ?more", "as of", "going forward", "again", "instead",
    "from (?:now|today|here|this|next|the)", "starting", "lately", "after all", "for good", "officially",
    rf"since (?:the|last|this|then|yesterday|{_DAYS}|\d{{4}}|[A-Z]\w+)", "back (?:in|to|on|at|with|home|together)",
    # by what was done
    f"{_NOT_ONCE}new", "first (?:day|week)", "switch(?:ed|ing|es)?", "mov(?:ed|ing|es)", "relocated", "transferred",
    "settled", "unpack(?:ed|ing)", "chang(?:ed|es|ing)", "swap(?:ped|ping)?", "replac(?:ed|es|ing)", "upgraded",
    "downgraded", "migrated", "ported", "rewrote", "rewritten", "rewriting", "converted", "renamed", "rebranded",
    "reset", "promoted", "demoted", "t(?:oo|a)k(?:es|en|ing)? (?:\\w+ )?over", "stepp?(?:ed|s|ing)",
    "hand(?:ed|ing|s)", "voted", "elected", "appointed", "named", "hired", "bec(?:a|o)mes?", "turned", "joined",
    "joining", "signed", "adopted",
    "started (?:at|as|with|my|a|the|on|work|\\w+ing|\\w+th)",
    "bought", "picked up", "traded", "arrived", "passed (?:my|the|his|her)", "hit \\d+",
    "got (?:an? (?:new|job|raise|place|flat)|my own|the keys|off|rid|back|\\w+ed)", "put (?:me|us)",
    "made (?:me|him|her|us|them)",
    "gone (?:over|back|freelance|for)", "went (?:up|down|back|over|off|with|from|full|part)", "jumped", "retired",
    "filling in", "accepted", "different", "found (?:a|an|another)", "had a (?:baby|boy|girl|son|daughter)",
     "been (?:there|here|at|with|on)", "engaged", "married", "born", "said yes",
    "stand(?:s|ing) in", "covering", "cover(?:s|ed)? for", "opened", "moves? (?:to|off|from|into)",
    # by how much
    "(?:up|down) (?:to|from|at)", "bumped", "raised", "lowered", "increased", "reduced", "cut", "doubled", "slipped",
    "pushed", "postponed", "reschedul(?:ed|e)", "shifted", "delayed", "extended", "brought forward", "is at \\d+",
    # by having been wrong
    "actually", "turn(?:s|ed) out", "correction", "scratch that", "(?<!can't )wait(?=,)", "i meant", "wrong", "misread",
    "mixed up",
)  # fmt: skip
_INTO = re.compile(
    r"\b(?:switch(?:ed|ing)?|mov(?:ed|ing|es)|migrated|relocated|transferred|chang(?:ed|ing)|swapped|replaced|upgraded|ported"
    r"|rewritten|rewrote|renamed|converted|gone|went|handed|passed|taken over|took over|promoted|traded|jumped)\b"
    r"(?: [\w'-]+){0,5}? (?:to|into|onto|with|for|over|as|from|by)\b",
    re.IGNORECASE,
)
_ENDED = _any(
    "no longer", "any ?more", "no more", "quit", "left", "handed in", "cancell?ed", "dropp(?:ed|ing)", "stopped",
    "gave up", "given up", "broke up", "broken up", "split", "divorced?", "called (?:it )?(?:off|quits)",
    "sold", "died", "dead",
    "passed away", "closed", "lapsed", "expired", "(?:didn't|did not) renew", "deleted", "ditched", "ditching",
    "dumped", "got rid of", "retired", "resigned", "gone", "(?:is|are|'s) (?:out|over|off|done|history)", "shelved",
    "scrapped", "axed", "fell through", "let me go", "laid off", "fired", "went off", "came off", "off of", "goodbye",
    "ripped", "haven't", "hasn't", "don't (?:need|want)", "not (?:\\w+ ){0,3}(?:any ?more|happening)", "fixed",
    "cleared",
    "stolen", "stole", "lost", "replaced", "traded", "last day", "back from", "is fine",
    "not true", "returned", "finished", "moved out", "stood down", "came home", "reopened",
)  # fmt: skip
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
_SAME = _any("still", "same", "stays?", "stayed", "staying", "unchanged", "untouched", "as before", "as is", "remains?")
_GOES_ON = _any(
    "is",
    "are",
    "am",
    "[a-z]+s (?:at|in|on|for|with|to)",
    "since",
    "(?<!than )now",
    "these days",
    "nowadays",
    "as of",
    "already",
    "(?:has|have|'s|'ve) been",
    "lately",
)
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


@lru_cache(TEXTS)
def stated(text: str) -> tuple[str, ...]:
    """The clauses that state something: no questions, nothing quoted, nothing that only may be or once was."""
    said = (one.group() for one in _SENTENCE.finditer(_QUOTED.sub(" ", text)))
    sentences = (one for one in said if not one.rstrip().endswith("?") and not _SUPPOSED.search(one))
    clauses = (clause.strip() for one in sentences for clause in _CLAUSE.split(one))
    return tuple(one for one in clauses if one and not _ONLY_MAY_BE.search(one) and not _ONCE_WAS.search(one))


@lru_cache(TEXTS)
def stays_the_same(clause: str) -> bool:
    return _SAME.search(clause) is not None


@lru_cache(TEXTS)
def goes_on(text: str) -> bool:
    """It says itself that it holds to this day."""
    return _GOES_ON.search(text) is not None


@lru_cache(TEXTS)
def speaks_of_change(text: str) -> bool:
    return _CHANGED.search(text) is not None or says_it_ended(text)


@lru_cache(TEXTS)
def names_what_changed(text: str) -> bool:
    """It says by a verb of changing into what: "migrated to", "swapped for"."""
    return _INTO.search(text) is not None


@lru_cache(TEXTS)
def says_it_ended(text: str) -> bool:
    return _ENDED.search(text) is not None


@lru_cache(TEXTS)
def what_ended(text: str) -> str | None:
    """The words behind the one that says so."""
    found = _ENDED.search(text)
    return text[found.end() :] if found else None


@lru_cache(TEXTS)
def only_for_a_while(text: str) -> bool:
    return _ONLY_FOR_A_WHILE.search(text) is not None


@lru_cache(TEXTS)
def adds(text: str) -> bool:
    """It says itself that it stands beside something else."""
    return _ADDED.search(text) is not None
