"""Is that still so? "My ex girlfriend Nora" was one, "my late husband" was too, and "my future boss" is none yet."""

from __future__ import annotations

import re

from treering.ingest.extract.rules.lexicon import words
from treering.ingest.extract.rules.phrases import Phrase

_OVER = words("ex, former, late, previous, deceased, dead, onetime, then, erstwhile, past")
_OVER_IF_ONE_AT_A_TIME = words("old, last, first, childhood, highschool, college")
"""An old friend is one, and so is a first child; an old boss is not, nor a first wife."""
_TO_COME = words("future, next, prospective, potential, would, soon, imaginary, hypothetical, fake")
_WORD = re.compile(r"[a-z]+")


def is_over(phrase: Phrase, one_at_a_time: bool = True) -> bool:
    """By the words before its noun. Of what there is one at a time, more of them say so."""
    said = _before_the_noun(phrase) | {phrase.noun.lower()}
    return bool(said & _OVER) or (one_at_a_time and bool(said & _OVER_IF_ONE_AT_A_TIME))


def is_to_come(phrase: Phrase) -> bool:
    return bool(_before_the_noun(phrase) & _TO_COME)


def _before_the_noun(phrase: Phrase) -> set[str]:
    described = phrase.text if phrase.name is None else phrase.text.split(phrase.name, 1)[0]
    return set(_WORD.findall(described.lower())[:-1])
