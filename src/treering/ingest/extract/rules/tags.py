"""Which part of speech is a word, where the tagger is known to err? It learned from newspapers; people write otherwise.

They leave out the subject ("Moved to Ghent"), write names of relatives small ("gran lives in ..."), and say what they do with
a word that looks like a verb ("started engineering").
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from treering.ingest.extract.rules import lexicon
from treering.ingest.extract.rules.verbs import is_past
from treering.language.english import word_classes

if TYPE_CHECKING:
    from spacy.tokens import Doc

_FINITE = ("VBD", "VBZ", "VBP", "MD")
_AUXILIARIES = frozenset(
    ("is", "'s", "was", "were", "are", "am", "be", "been", "being", "has", "have", "had", "'ve", "'d", "get", "got", "gets", "getting")
)  # fmt: skip
_TRUE_PARTICIPLES = frozenset(
    ("been", "born", "gone", "stuck", "done", "seen", "taken", "given", "known", "written", "driven")
)
_BEFORE_GERUND = frozenset(
    ("love", "loves", "like", "likes", "enjoy", "enjoys", "hate", "hates", "started", "starts", "start", "into", "on", "at", "of",
     "quit", "stopped", "studying", "studied", "study", "doing", "do", "does", "did", "prefer", "dislike", "about")
)  # fmt: skip
_HANDS_ON = frozenset(("moves", "goes", "passes", "changes", "switches", "transfers", "shifts"))
_EVENT_NOUNS = frozenset(
    ("meeting", "training", "parking", "opening", "hearing", "briefing", "booking", "building", "screening")
)
_OBJECTS = frozenset(("DT", "PRP$", "PRP", "IN", "TO", "RP", "CD"))
_NOUNS_AFTER_DO = frozenset(("design", "support", "research", "finance", "process", "display"))


def tags_of(doc: Doc) -> list[str]:
    found = [token.tag_ for token in doc]
    for token in doc:
        i, low = token.i, token.lower_
        before = doc[i - 1].lower_ if i else ""
        after = found[i + 1] if i + 1 < len(doc) else ""
        if low in ("raised", "bred") and i > 1 and before == "and" and doc[i - 2].lower_ == "born":
            found[i] = "VBN"
        elif found[i] in ("VB", "VBP", "VBZ", "JJ", "RB", "IN", "UH", "MD") and _only_noun(low):
            found[i] = "NN"
        elif low in lexicon.PETS and found[i].startswith("V"):
            found[i] = "NNS"
        elif low in _EVENT_NOUNS and i == 0 and found[i] == "VBG" and after == "IN":
            found[i] = "NN"
        elif low in ("got", "had") and found[i] == "VBN" and _begins(doc, i):
            found[i] = "VBD"
        elif (
            found[i] in ("JJ", "NNP", "NN", "VB", "VBN", "VBP")
            and _begins(doc, i)
            and after in _OBJECTS
            and is_past(low)
        ):
            found[i] = "VBD"
        elif found[i] == "POS" and i + 1 < len(doc) and _is_said(doc, found, i):
            found[i] = "VBZ"
        elif low in lexicon.KIN and low not in ("baby", "ex", "twin") and found[i].startswith(("V", "RB", "IN", "UH")):
            found[i] = "NN"
        elif (
            low in _HANDS_ON and found[i] == "NNS" and i + 1 < len(doc) and doc[i + 1].lower_ in ("from", "to", "over")
        ):
            found[i] = "VBZ"
        elif low in ("eldest", "youngest", "oldest") and before in ("my", "our", "his", "her", "their"):
            found[i] = "NN"
        elif found[i] == "VBN" and low not in _TRUE_PARTICIPLES and _begins(doc, i) and not _helped(doc, i):
            found[i] = "VBD"
        elif (
            found[i] in ("POS", "VBZ")
            and low in ("'s", "’s")
            and i + 1 < len(doc)
            and doc[i + 1].lower_ in lexicon.DIETS
        ):
            found[i] = "VBZ"
        elif (
            found[i] == "VBG"
            and before in _BEFORE_GERUND
            and after not in ("DT", "PRP", "PRP$", "NN", "NNP", "NNS", "RP", "TO")
        ):
            found[i] = "NN"
        elif found[i] in ("VB", "VBP") and low in _NOUNS_AFTER_DO and before in ("do", "does", "did", "in"):
            found[i] = "NN"
    return found


@lru_cache(maxsize=4096)
def _only_noun(word: str) -> bool:
    return word.isalpha() and len(word) > 3 and word_classes(word) == {"noun"}


def _is_said(doc: Doc, found: list[str], i: int) -> bool:
    """Whether an 's is "is": what follows is no noun that could be owned."""
    after = found[i + 1]
    if after in ("VBG", "DT", "PRP$", "IN", "RB", "CD", "VBN", "TO") and doc[i + 1].lower_ not in ("own",):
        beyond = found[i + 2] if i + 2 < len(doc) else ""
        return after in ("DT", "PRP$", "IN", "TO") or not beyond.startswith("NN")
    if after == "JJ":
        k = i + 1
        while k < len(doc) and found[k] in ("JJ", "RB", "CC"):
            k += 1
        return k >= len(doc) or not found[k].startswith(("NN", "VBG", "CD"))
    return False


def _begins(doc: Doc, i: int) -> bool:
    """Whether a word is the first of its clause, fillers aside."""
    k = i - 1
    while k >= 0 and doc[k].tag_ in ("RB", "UH"):
        k -= 1
    return k < 0 or doc[k].lower_ in ("and", ",", ".", "!", ";", ":", "but", "?", "\n") or doc[k].is_space


def _helped(doc: Doc, i: int) -> bool:
    """Whether an auxiliary earlier in the sentence may carry a participle: "it was built and deployed"."""
    if i == 0:
        return False
    k = i - 1
    while k >= 0 and doc[k].text not in (".", "!", "?", ";"):
        if doc[k].lower_ in _AUXILIARIES:
            return True
        if doc[k].lower_ == "," and doc[k + 1].i == i:
            return False
        k -= 1
    return False
