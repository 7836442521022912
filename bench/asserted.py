"""Does a text state a value as true now? By its wording: what is past, denied, planned or supposed is not stated.

Some words keep a whole sentence from stating anything ("we used to …"), others only the clause they stand in ("I left
Google, and live in Oslo"). Questions and what stands between quotes state nothing.
"""

from __future__ import annotations

import re

from bench.labels import plain, says

# fmt: off
_OF_A_SENTENCE = (
    # no longer
    "no longer", "any ?more", "used to", "formerly", "previously", "back in", "before that", "way back",
    r"in (?:19|20)\d\d", r"(?:19|20)\d\d (?:to|till|until) (?:19|20)?\d\d", "was never", "never was",
    # not yet, or not really
    "if", "had we", "were i", "would", "pretend", "imagine", "suppose", "supposing", "hypothetically",
    "thinking (?:of|about)", "considering", "tempted", "leaning towards", "planning (?:to|on|a)", "rumou?rs?",
)
_OF_A_CLAUSE = (
    # gone from
    r"left(?! (?:knee|ear|shoulder|hip|hand|eye|foot|leg|arm|side|wrist|ankle))", "quits?", "resigned", "retired",
    "stepp(?:ed|ing|s) (?:down|away)", "switched from", "moved (?:away )?from", "moves off", "migrated from",
    "away from", "withdrew",
    # was, and is not
    "no more", "former", "previous", "once", "was(?! born)", "were", "instead of", "rather than", "replaced",
    "dropped", "dropping", "ditched", "dumped", "deleted", "cancell?ed", "killed", "binned", "axed", "sold",
    "is gone", "'s gone", "is over", "'s over", "ended", "expired", "lapsed", "stopped", "gave up", "given up",
    "broke up", "split up", "died", "is dead", "'s dead", "passed away", "shut",
    # said not to be
    "turned down", "rejected", "refused", "didn't", "did not", "don't", "do not", "doesn't", "does not", "isn't",
    "is not", "aren't", "wasn't", "never", "wrong", "misread",
    # not certain
    "could", "might", "maybe", "perhaps", "probably", "should", "apparently", "claims?",
)
# fmt: on


def _any(words: tuple[str, ...]) -> str:
    return rf"\b(?:{'|'.join(words)})\b"


_SENTENCE_STATES_NOTHING = re.compile(rf"{_any(_OF_A_SENTENCE)}|(?:19|20)\d\d ?- ?(?:19|20)?\d\d")
_CLAUSE_STATES_NOTHING = re.compile(_any(_OF_A_CLAUSE))
_SENTENCE_ENDS = re.compile(r"(?<=[.!?;])\s+")
_CLAUSE_ENDS = re.compile(r"[,;:()]+|\s(?:so|but|and|because|while|who|which)\s")
_QUOTED = re.compile(r'"[^"]*"')
_VALUE = "\x00"
"""Stands for the value, so that it stays in one piece even if it holds a comma."""
_NOT_THE_VALUE = re.compile(rf"\bnot (?:\w+ ){{0,2}}{_VALUE}")


def asserts(text: str, value: str) -> bool:
    words = plain(value)
    told = _QUOTED.sub(lambda quote: " " if says(quote.group(), words) else quote.group(), plain(text))
    return any(_stated(sentence, words) for sentence in _SENTENCE_ENDS.split(told))


def _stated(sentence: str, words: str) -> bool:
    if not says(sentence, words) or sentence.rstrip().endswith("?"):
        return False
    if _SENTENCE_STATES_NOTHING.search(sentence.replace(words, " ")):
        return False
    clauses = _CLAUSE_ENDS.split(sentence.replace(words, _VALUE))
    return any(_VALUE in clause and not _CLAUSE_STATES_NOTHING.search(clause) and not _NOT_THE_VALUE.search(clause)
               for clause in clauses)  # fmt: skip
