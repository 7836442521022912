"""Which part of speech is a word, where the tagger is known to err? It learned from newspapers; people write otherwise.

They leave out the subject ("Moved to Ghent"), write relatives small ("gran lives in ..."), and say what they do with
a word that looks like a verb ("started engineering"). Each line of the table is one such case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from treering.ingest.extract.rules import lexicon
from treering.ingest.extract.rules.lexicon import APOSTROPHE, words
from treering.ingest.extract.rules.recent import Word
from treering.ingest.extract.rules.verbs import is_past
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


@dataclass(frozen=True, slots=True)
class _Place:
    """One word and its neighbours, with the tags found so far."""

    said: Sequence[Word]
    tags: list[str]
    i: int
    low: str

    @property
    def tag(self) -> str:
        return self.tags[self.i]

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


_Case = tuple[str, str, Callable[[_Place], bool]]
# what is said, the tag it should have, and how it is known
_CASES: tuple[_Case, ...] = (
    ("born and raised in Pune", "VBN", lambda at: at.low in ("raised", "bred") and at.before == "and"),
    (
        "allergic to shellfish",
        "NN",
        lambda at: at.tag in ("VB", "VBP", "VBZ", "JJ", "RB", "IN", "UH", "MD") and _only_noun(at.low),
    ),
    ("cats Miso and Tofu", "NNS", lambda at: at.low in lexicon.PETS and at.tag.startswith("V")),
    (
        "Meeting with Dana got moved",
        "NN",
        lambda at: at.i == 0 and at.tag == "VBG" and at.low in _EVENT_NOUNS and at.tag_after == "IN",
    ),
    (
        "I quit smoking",
        "VBD",
        lambda at: (
            at.low == "quit" and at.tag in ("VB", "VBP") and at.before not in ("to", "will", "n't", "not", "could")
        ),
    ),
    ("got engaged", "VBD", lambda at: at.low in ("got", "had") and at.tag == "VBN" and at.begins),
    (
        "Lost my keys",
        "VBD",
        lambda at: (
            at.tag in ("JJ", "NNP", "NN", "NNS", "VB", "VBN", "VBP")
            and at.tag_after in _OBJECTS
            and is_past(spelled(at.low))
            and at.begins
        ),
    ),
    ("the plumber's coming", "VBZ", lambda at: at.tag == "POS" and _owns_nothing(at)),
    (
        "gran lives in Cork",
        "NN",
        lambda at: (
            at.low in lexicon.KIN
            and at.low not in ("baby", "ex", "twin")
            and at.tag.startswith(("V", "RB", "IN", "UH"))
        ),
    ),
    (
        "the lead moves from Tom to Ida",
        "VBZ",
        lambda at: at.tag == "NNS" and at.low in _HANDS_ON and at.after in ("from", "to", "over"),
    ),
    (
        "our eldest, Sixten",
        "NN",
        lambda at: at.low in ("eldest", "youngest", "oldest") and at.before in ("my", "our", "his", "her", "their"),
    ),
    (
        "Moved to Ghent",
        "VBD",
        lambda at: at.tag == "VBN" and at.low not in _TRUE_PARTICIPLES and at.begins and not at.helped,
    ),
    ("Paulo's pescatarian", "VBZ", lambda at: at.low == "'s" and at.after in lexicon.DIETS),
    (
        "started engineering at Chalmers",
        "NN",
        lambda at: (
            at.tag == "VBG"
            and at.before in _BEFORE_GERUND
            and at.tag_after not in ("DT", "PRP", "PRP$", "NN", "NNP", "NNS", "RP", "TO")
        ),
    ),
    (
        "Paul does design",
        "NN",
        lambda at: at.tag in ("VB", "VBP") and at.low in _NOUNS_AFTER_DO and at.before in ("do", "does", "did", "in"),
    ),
)


def tags_of(said: Sequence[Word]) -> list[str]:
    """The tagger's tags, set right from left to right."""
    tags = [word.tag_ for word in said]
    for i in range(len(said)):
        at = _Place(said, tags, i, said[i].lower_.replace(APOSTROPHE, "'"))
        tags[i] = next((tag for _, tag, fits in _CASES if fits(at)), tags[i])
    return tags
