"""Which part of speech is a word, where the tagger is known to err? It learned from newspapers; people write otherwise.

They leave out the subject ("Moved to Ghent"), write relatives small ("gran lives in ..."), and say what they do with
a word that looks like a verb ("started engineering"). Each line of the table is one such case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from treering.ingest.extract.rules import lexicon
from treering.ingest.extract.rules.lexicon import APOSTROPHE, words
from treering.ingest.extract.rules.recent import ParsedWord
from treering.ingest.extract.rules.verbs import UNCHANGED, is_past
from treering.ingest.extract.rules.words import spelled
from treering.language.english import word_classes

_AUXILIARIES = words(
    """
    is, 's, was, were, are, am, be, been, being, has, have, had, 've, 'd, get, got, gets, getting
    """
)
_TRUE_PARTICIPLES = words("been, born, gone, stuck, done, seen, taken, given, known, written, driven")
_BEFORE_GERUND = words(
    """
    love, loves, like, likes, enjoy, enjoys, hate, hates, started, starts, start, into, on, at, of, quit, stopped,
    studying, studied, study, doing, do, does, did, prefer, dislike, about
    """
)
_EVENT_NOUNS = words("meeting, training, parking, opening, hearing, briefing, booking, building, screening")
_HANDS_ON = words("moves, goes, passes, changes, switches, transfers, shifts")
_NOUNS_AFTER_DO = words("design, support, research, finance, process, display")
_OBJECTS = frozenset(("DT", "PRP$", "PRP", "IN", "TO", "RP", "CD"))
_NOUNS_TOO = words("work, study, volunteer, play, teach, train, coach, travel, commute, live, intern")
_LONG_SINCE = words("ago, last, yesterday")
_HABITS = words(
    "always, every, usually, often, never, sometimes, whenever, when, if, daily, normally, mostly, typically"
)


@dataclass(frozen=True, slots=True)
class _Place:
    """One word and its neighbours, with the tags found so far."""

    said: Sequence[ParsedWord]
    tags: list[str]
    i: int

    @property
    def before(self) -> str:
        return self.said[self.i - 1].lower_ if self.i else ""

    @property
    def after(self) -> str:
        return self.said[self.i + 1].lower_ if self.i + 1 < len(self.said) else ""

    @property
    def tag_after(self) -> str:
        return self.tags[self.i + 1] if self.i + 1 < len(self.said) else ""

    @property
    def begins(self) -> bool:
        """Whether it is the first word of its clause, fillers aside."""
        k = self.i - 1
        while k >= 0 and self.said[k].tag_ in ("RB", "UH"):
            k -= 1
        if k < 0 or self.said[k].is_space:
            return True
        return self.said[k].lower_ in ("and", ",", ".", "!", ";", ":", "but", "?")

    @property
    def goes_on_with_i(self) -> bool:
        """Whether somebody tells of themselves what they do, with a name behind it."""
        tells = any(word.lower_ in ("i", "we") for word in self.said[: self.i]) and "VBP" in self.tags[: self.i]
        behind = self.said[self.i + 2 : self.i + 4]
        return tells and any(word.tag_ in ("NNP", "DT", "PRP$") for word in behind)

    @property
    def is_a_habit(self) -> bool:
        return any(word.lower_ in _HABITS for word in self.said)

    @property
    def helped(self) -> bool:
        """Whether an auxiliary earlier in the sentence may carry a participle: "it was built and deployed"."""
        k = self.i - 1
        while k >= 0 and self.said[k].text not in (".", "!", "?", ";"):
            if self.said[k].lower_ in _AUXILIARIES:
                return True
            if self.said[k].lower_ == "," and k + 1 == self.i:
                return False
            k -= 1
        return False


def _owns_nothing(at: _Place) -> bool:
    """Whether an 's is "is": what follows is no noun that could be owned."""
    tags, k = at.tags, at.i + 1
    if at.tag_after in ("DT", "PRP$", "IN", "TO"):
        return True
    if at.tag_after in ("VBG", "RB", "CD", "VBN"):
        return not (k + 1 < len(tags) and tags[k + 1].startswith("NN"))
    if at.tag_after != "JJ":
        return False
    while k < len(tags) and tags[k] in ("JJ", "RB", "CC"):
        k += 1
    return k >= len(tags) or not tags[k].startswith(("NN", "VBG", "CD"))


@lru_cache(maxsize=4096)
def _only_noun(word: str) -> bool:
    return word.isalpha() and len(word) > 3 and word_classes(word) == {"noun"}


class _Case(NamedTuple):
    """Of which words it may be said by themselves, and where in a text it is so."""

    example: str
    tag: str
    """The one that the word should have."""
    fits: Callable[[str, str], bool]
    """By the word in lower case and its tag."""
    stands: Callable[[_Place], bool]


def _anywhere(at: _Place) -> bool:
    return True


_CASES = (
    _Case("born and raised in Pune", "VBN", lambda low, tag: low in ("raised", "bred"), lambda at: at.before == "and"),
    _Case(
        "allergic to shellfish",
        "NN",
        lambda low, tag: tag in ("VB", "VBP", "VBZ", "JJ", "RB", "IN", "UH", "MD") and _only_noun(low),
        _anywhere,
    ),
    _Case("cats Miso and Tofu", "NNS", lambda low, tag: low in lexicon.PETS and tag.startswith("V"), _anywhere),
    _Case(
        "Meeting with Dana got moved",
        "NN",
        lambda low, tag: tag == "VBG" and low in _EVENT_NOUNS,
        lambda at: at.i == 0 and at.tag_after == "IN",
    ),
    _Case(
        "I quit smoking",
        "VBD",
        lambda low, tag: low == "quit" and tag in ("VB", "VBP"),
        lambda at: at.before not in ("to", "will", "n't", "not", "could"),
    ),
    _Case(
        "I hurt my knee",
        "VBD",
        lambda low, tag: low in UNCHANGED and tag in ("VB", "VBP"),
        lambda at: at.before in ("i", "we") and not at.is_a_habit,
    ),
    _Case(
        "I read Dune last week",
        "VBD",
        lambda low, tag: low == "read" and tag in ("VB", "VBP"),
        lambda at: at.before in ("i", "we") and any(word.lower_ in _LONG_SINCE for word in at.said),
    ),
    _Case(
        "I live in Oslo and work at Nokia",
        "VBP",
        lambda low, tag: low in _NOUNS_TOO and tag in ("NN", "NNP", "VB"),
        lambda at: at.before == "and" and at.after in ("at", "for", "in", "as", "with") and at.goes_on_with_i,
    ),
    _Case("got engaged", "VBD", lambda low, tag: low in ("got", "had") and tag == "VBN", lambda at: at.begins),
    _Case(
        "Lost my keys",
        "VBD",
        lambda low, tag: tag in ("JJ", "NNP", "NN", "NNS", "VB", "VBN", "VBP") and is_past(spelled(low)),
        lambda at: at.tag_after in _OBJECTS and at.begins,
    ),
    _Case("the plumber's coming", "VBZ", lambda low, tag: tag == "POS", _owns_nothing),
    _Case(
        "gran lives in Cork",
        "NN",
        lambda low, tag: (
            low in lexicon.KIN and low not in ("baby", "ex", "twin") and tag.startswith(("V", "RB", "IN", "UH"))
        ),
        _anywhere,
    ),
    _Case(
        "the lead moves from Tom to Ida",
        "VBZ",
        lambda low, tag: tag == "NNS" and low in _HANDS_ON,
        lambda at: at.after in ("from", "to", "over"),
    ),
    _Case(
        "our eldest, Sixten",
        "NN",
        lambda low, tag: low in ("eldest", "youngest", "oldest"),
        lambda at: at.before in ("my", "our", "his", "her", "their"),
    ),
    _Case(
        "Moved to Ghent",
        "VBD",
        lambda low, tag: tag == "VBN" and low not in _TRUE_PARTICIPLES,
        lambda at: at.begins and not at.helped,
    ),
    _Case("Paulo's pescatarian", "VBZ", lambda low, tag: low == "'s", lambda at: at.after in lexicon.DIETS),
    _Case(
        "started engineering at Chalmers",
        "NN",
        lambda low, tag: tag == "VBG",
        lambda at: (
            at.before in _BEFORE_GERUND and at.tag_after not in ("DT", "PRP", "PRP$", "NN", "NNP", "NNS", "RP", "TO")
        ),
    ),
    _Case(
        "Paul does design",
        "NN",
        lambda low, tag: tag in ("VB", "VBP") and low in _NOUNS_AFTER_DO,
        lambda at: at.before in ("do", "does", "did", "in"),
    ),
)


@lru_cache(maxsize=1 << 14)
def _cases(word: str, tag: str) -> tuple[_Case, ...]:
    """Those that such a word may be; of most there are none."""
    low = word.replace(APOSTROPHE, "'")
    return tuple(case for case in _CASES if case.fits(low, tag))


def tags_of(said: Sequence[ParsedWord]) -> list[str]:
    """The tagger's tags, set right from left to right."""
    tags = [word.tag_ for word in said]
    for i, word in enumerate(said):
        cases = _cases(word.lower_, word.tag_)
        if cases:
            at = _Place(said, tags, i)
            tags[i] = next((case.tag for case in cases if case.stands(at)), tags[i])
    return tags
