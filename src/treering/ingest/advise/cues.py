"""How do hints in a message add up? Each cue found raises or lowers a confidence between 0 and 1, and is a reason.

Raising cues are independent grounds to believe: together they leave less doubt than the best alone, and never none.
Lowering cues each take away their share of what is believed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from treering.ingest.extract.contract import OWNER, Mentioned
from treering.ingest.extract.learned_names import mentioned, names_in
from treering.language.sentences import sentences
from treering.language.small_talk import small_talk
from treering.mind.reading import OpensReader

SURE, UNSURE = 0.7, 0.4
"""Above the first it is done without asking, from the second on one asks, and below it is let be."""
NAMES_READ_IN = 5_000
"""Characters in which names are looked for: who pastes a book gives advice enough in its beginning."""


@dataclass(frozen=True, slots=True)
class MessageCue:
    """Words that speak for something, or against it where the weight is negative."""

    name: str
    weight: float
    pattern: re.Pattern[str]
    examples: tuple[str, ...]
    tag: str | None = None

    def found_in(self, text: str) -> FoundCue | None:
        match = self.pattern.search(text)
        return None if match is None else FoundCue(self.name, self.weight, " ".join(match.group().split()), self.tag)


@dataclass(frozen=True, slots=True)
class FoundCue:
    """A cue that was found, and the words that it was found in."""

    name: str
    weight: float
    words: str = ""
    tag: str | None = None

    @property
    def reason(self) -> str:
        sign = "+" if self.weight >= 0 else "-"
        return f"{sign} {self.name}" + (f": {self.words.strip(' ,;:')}" if self.words else "")


@dataclass(frozen=True, slots=True)
class OwnWords:
    """A message without what is only quoted in it, cut into sentences; the empty ones are left out."""

    text: str
    sentences: tuple[str, ...]

    @property
    def says_nothing(self) -> bool:
        return not self.sentences

    @property
    def asks(self) -> bool:
        return any(one.endswith("?") for one in self.sentences)

    @property
    def only_asks(self) -> bool:
        return bool(self.sentences) and all(one.endswith("?") for one in self.sentences)


_QUOTED = re.compile(r"^(?:```.*?(?:^```|\Z)|~~~.*?(?:^~~~|\Z)|>[^\n]*$)", re.MULTILINE | re.DOTALL)
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'"})  # noqa: RUF001


def message(text: str) -> OwnWords:
    own = _QUOTED.sub(" ", text.translate(_APOSTROPHES))
    spoken = (own[start:end] for start, end in sentences(own))
    kept = tuple(one for one in spoken if small_talk(one) is None and re.search(r"\w", one))
    return OwnWords(own, kept)


def cue(name: str, weight: float, pattern: str, *examples: str, tag: str | None = None) -> MessageCue:
    return MessageCue(name, weight, re.compile(pattern, re.IGNORECASE | re.MULTILINE), examples, tag)


def grounds(cues: Sequence[MessageCue], text: str) -> list[FoundCue]:
    return [ground for one in cues if (ground := one.found_in(text)) is not None]


def named(said: OwnWords, opens: OpensReader) -> list[Mentioned]:
    """Who and what it names, each once."""
    if said.says_nothing:
        return []
    text = said.text[:NAMES_READ_IN]
    seen = names_in(text, opens().read(text, OWNER).names, ())
    return list({one.name.casefold(): one for one in mentioned(text, (0, len(text)), seen)}.values())


_ACRONYM = re.compile(r"\b(?=[A-Z0-9]*[A-Z][A-Z0-9]*[A-Z])[A-Z][A-Z0-9]{1,9}s?\b")
_NO_TERMS = frozenset(
    {"AM", "PM", "OK", "FYI", "BTW", "ASAP", "TBD", "TBA", "ETA", "IMO", "IMHO", "AFAIK", "LOL", "NB", "PS", "TODO",
     "FAQ", "AKA", "II", "III", "IV", "VI", "VII", "VIII", "IX", "XI", "XII"}
)  # fmt: skip
_TOPIC = re.compile(r"\b[a-z]{3,}(?:tion|tions|ology|graphy|ware|base|bases|script)\b")
_NO_TOPICS = frozenset(
    {"mention", "question", "questions", "section", "sections", "portion", "action", "actions", "option", "options",
     "position", "condition", "conditions", "beware", "aware", "software", "situation", "exception", "occasion",
     "direction", "addition"}
)  # fmt: skip


def terms(said: OwnWords, names: Iterable[str]) -> list[str]:
    """What it is about, each once: the names, acronyms such as JWT, and words that name a field of work."""
    text = said.text[:NAMES_READ_IN]
    letters = (one for one in _ACRONYM.findall(text) if one not in _NO_TERMS)
    topics = (one for one in _TOPIC.findall(text) if one not in _NO_TOPICS)
    own = list(names)
    known = " ".join(own).casefold().split()
    more = (one for one in (*letters, *topics) if one.casefold() not in known)
    return list({one.casefold(): one for one in (*own, *more)}.values())


def believed(found: Iterable[FoundCue]) -> float:
    doubt, share = 1.0, 1.0
    for one in found:
        if one.weight >= 0:
            doubt *= 1 - one.weight
        else:
            share *= 1 + one.weight
    return round((1 - doubt) * share, 2)
