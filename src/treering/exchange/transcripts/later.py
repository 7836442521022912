"""WHICH of two sentences about a project counts? The later one, if both are about the same thing: another value of a
topic, nearly the same words with a turn in them, or word that something open is done. Judged from the words alone."""

from __future__ import annotations

import re
from functools import lru_cache

from treering.exchange.transcripts import cues
from treering.exchange.transcripts.notable import Notable, What
from treering.exchange.transcripts.topics import topics_of
from treering.values import dataclass

_ENOUGH = 0.5
_ENOUGH_DONE = 0.5


@lru_cache(maxsize=20_000)
def words_of(sentence: str) -> frozenset[str]:
    """Those that carry what it says, without their endings."""
    found = re.findall(r"[a-z0-9][a-z0-9_.+#/-]*", sentence.lower())
    return frozenset(_stem(one.strip("./-")) for one in found if one.strip("./-") not in cues.COMMON and len(one) > 1)


def _stem(word: str) -> str:
    for ending in ("ations", "ation", "ings", "ing", "ers", "ies", "ied", "ed", "es", "er", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def alike(a: str, b: str) -> float:
    """What share of the words of the shorter one the other has too."""
    one, other = words_of(a), words_of(b)
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0


@dataclass(frozen=True, slots=True)
class KeptSentence:
    """What was kept of an earlier sentence. `told`: a command that the person named, not one that was found to work."""

    what: str
    text: str
    purpose: str | None = None
    told: bool = True


def replaces(new: Notable, old: KeptSentence) -> bool:
    """Whether the later one takes the place of the earlier."""
    if new.what is What.COMMAND:
        mine = old.what == What.COMMAND and new.purpose == old.purpose and (new.told or not old.told)
        return mine and _better_command(new, old)
    if new.what is What.DONE:
        return old.what == What.OPEN and alike(new.text, old.text) >= _ENOUGH_DONE
    if new.what is What.OPEN:
        return old.what == What.OPEN and alike(new.text, old.text) >= 0.7
    if new.what is What.FIX:
        return old.what == What.FIX and alike(new.text, old.text) >= 0.8
    return old.what in (What.DECISION, What.INSTRUCTION) and _competes(new.text, old.text)


def _competes(new: str, old: str) -> bool:
    """On the same topic, or nearly the same words with a turn in them."""
    ours, theirs = topics_of(new), topics_of(old)
    for name in ours.keys() & theirs.keys():
        mine, other = ours[name], theirs[name]
        if not mine.values or not other.values:
            if alike(new, old) >= 0.25 or not (mine.values or other.values):
                return True
        elif mine.chosen != other.chosen and (mine.chosen or mine.values & other.chosen):
            return True
    if alike(new, old) >= 0.8:
        return True
    return alike(new, old) >= _ENOUGH and bool(cues.TURNS.search(new))


def _better_command(new: Notable, old: KeptSentence) -> bool:
    """Another program for the purpose, or the same with less that is particular."""
    if new.text == old.text or (new.told and not old.told):
        return new.text != old.text
    ours, theirs = new.text.split(), old.text.split()
    return ours[:1] != theirs[:1] or len(ours) < len(theirs) or (ours[:2] != theirs[:2] and len(ours) <= len(theirs))
