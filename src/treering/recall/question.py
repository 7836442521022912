"""What is being asked? Words, phrases, times and the kind of answer wanted, read from the question alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime

from treering.language.importance import asks
from treering.language.when import when
from treering.language.when.window import Window
from treering.language.words import spelled, stem, words
from treering.recall.asked_time import AskedWindow, stretches
from treering.recall.cues import Trait
from treering.values import dataclass

_ASKED: tuple[tuple[Trait, re.Pattern[str]], ...] = tuple(
    (cue, re.compile(pattern, re.IGNORECASE))
    for cue, pattern in (
        (Trait.NUMBER, r"\bhow (?:many|much|often|old)\b"),
        (Trait.DURATION, r"\bhow long\b"),
        (
            Trait.TIME,
            r"\bwhen\b|\b(?:what|which) (?:date|day|time|year|month)\b"
            r"|\bwhat(?:'s| is| are| was| were)\b[^?]{0,40}\b(?:deadlines?|due dates?|date of)\b",
        ),
        (Trait.PLACE, r"\bwhere\b|\b(?:what|which) (?:place|city|country|state|location)"),
        (Trait.NAME, r"\bwho(?:se|m)?\b|\bwhat (?:person|people)"),
        (Trait.REASON, r"\bwhy\b|\breason\b"),
        (Trait.FEELING, r"\bfeel|\bhow\b"),
    )
)
_REQUEST = re.compile(
    r"^(?:can|could|would|will) you\b|\b(?:how (?:should|do|can|could|would) i|what (?:should|can|would) (?:i|you)"
    r"|suggest|recommend|help me|show me|give me|i'm (?:planning|looking|trying|about|thinking)|i want|i need|should i"
    r"|where (?:should|can) i|which .{0,40} (?:do|should|would|could) (?:i|you))\b",
    re.IGNORECASE,
)
_TO_THE_ASSISTANT = re.compile(
    r"\b(?:did|have|had|were) you\b|\byou (?:recommend|suggest|explain|said|told|gave|advise|mention)"
    r"|\byour (?:recommend|suggest|advice|explan)",
    re.IGNORECASE,
)
_SUMMARY = re.compile(r"\bsummar|\boverview\b|\brecap\b", re.IGNORECASE)
_ORDER = re.compile(r"\border in which\b|\b(?:in|the|in what) order\b|\bwalk me through\b", re.IGNORECASE)
_ABOUT = re.compile(
    r"\b(?:tell me|know|knows|known|remember|remembers|anything|everything|information|news)\b[^?.]{0,20}\babout\b",
    re.IGNORECASE,
)
_SINGULAR = "does|was|is|has|this|his|its|as|across|yes|always|perhaps|class|business|process|address|news"
_PLURAL = rf"(?:[a-z'-]+ ){{0,3}}?(?!(?:{_SINGULAR})\b)[a-z-]{{2,}}(?:[^s'u\W]s|ies|es)\b"
_VERBS = "do|does|did|has|have|had|are|were|is|was|can|could|might|would|should"
_WHETHER = re.compile(rf"\s*(?:am|{_VERBS}|will|must)\b", re.IGNORECASE)
_LIST = re.compile(
    r"\bhow (?:many|often)\b|\bboth\b|\ball (?:the|of|my)\b|\bdifferent\b|\bvarious\b|\b(?:types?|kinds?) of\b"
    r"|\bin common\b|\blist\b|\bsummar|\border (?:in|of)\b|\beach\b|\bacross\b|\bover time\b|\bthroughout\b"
    r"|\bso far\b|\bevolv"
    r"|\b(?:who|what|where|which)\b.{0,40}\b(?:has|have)\b(?! to\b)"
    rf"|\b(?:what|which) {_PLURAL} (?:{_VERBS})\b|\b(?:what|which) are\b"
    r"|\b(?:what|where|which|who)\b(?: [a-z]+){0,3} does\b.{0,60}"
    r"\b(?:like|love|enjoy|do|partake|own|play|make|collect|practice|use)\b",
    re.IGNORECASE,
)
_WHOSE = r"(?:my|our|your|his|her|their|\w+'s)"
_MADE_WAY = (
    "jobs?|role|title|boss|manager|employer|company|team|office|desk|school|teacher|coach|address|flat|apartment|house"
    "|place|home|city|town|landlord|roommate|phone|number|email|password|car|bike|laptop|computer|gym|bank|dentist"
    "|doctor|therapist|salary|rent|plan|diet|boyfriend|girlfriend|partner|wife|husband"
)
"""Of what people have one at a time, an old one made way."""
_PAST = re.compile(
    r"\bused to\b|\bpreviously\b|\bformerly\b|\bin the past\b|\boriginally\b|\bat first\b|\bback then\b"
    r"|\bbefore (?:that|this|then|now|he|she|i|they|we|moving|joining|becoming)\b|\bbefore\s*\?*$"
    r"|\b(?:former|previous|earlier|past|ex)\b|\bprior to\b"
    r"|(?:\b(?:where|who|whom|what|how) |^)did(?:n't)? .{1,40}\buse to\b"
    r"|\b(?:have|has|had|did|was|were|'ve)\b[^?.]{1,60}\bever\b(?! since)"
    r"|\b(?:did|was|were|had)\b.{1,80}\bbefore (?:the |my |our |his |her |their |(?-i:[A-Z]))"
    rf"|\b(?:was|were|did|had)\b.{{0,60}}\b{_WHOSE} (?:old|first|last) (?!names?\b)[a-z]+"
    r"|\b(?:while|when) (?:[\w']+ ){1,2}(?:was|were|lived|worked)\b"
    rf"|\b{_WHOSE} old (?:{_MADE_WAY})\b",
    re.IGNORECASE,
)
_PRESENT = re.compile(
    r"\bnow\b|\bnowadays\b|\bcurrent(?:ly)?\b|\bthese days\b|\bat the moment\b|\bat present\b|\bstill\b|\blatest\b"
    r"|\bmost recent(?:ly)?\b|\bup to date\b",
    re.IGNORECASE,
)
_ONLY_NOW = re.compile(
    r"(?:right |just )?now|nowadays|currently|these days|at the moment|at present|presently", re.IGNORECASE
)
"""What holds is asked for anyway: it is no stretch of time in which something was said."""
_QUOTED = re.compile(r'"([^"]{2,200})"|“([^”]{2,200})”')
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_WHICH = re.compile(r"\W*(?:who|whom|whose|what|which|where|when|why|how)\b", re.IGNORECASE)
SHORTEST_NAME = 3
"""A beginning of fewer letters is taken for one of a name only within a sentence: "Go" may be where it begins."""


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    terms: tuple[str, ...]
    """Stems of its words, each once, without stop words and those that name a time: that is another signal's."""
    spelling: Mapping[str, str]
    """How each of the terms is spelled in the question."""
    spelled: frozenset[str]
    capitalised: frozenset[str]
    phrases: tuple[str, ...]
    windows: tuple[Window, ...]
    stretches: tuple[AskedWindow, ...]
    asks_for: Trait
    is_list: bool
    is_open: bool
    """Whether it asks for whatever is known of something: "Tell me about Ana", "Who is Ana?", "Ana"."""
    asks_whether: bool
    is_question: bool
    """Whether it is put as one, and not as a task or a remark."""
    is_request: bool
    is_recap: bool
    to_assistant: bool
    about_past: bool
    about_present: bool


def read_question(asked: str, asked_at: datetime) -> Question:
    """Telephones write "what\u2019s" for "what's": it is read as the same."""
    text = asked.replace("\u2019", "'")
    told = tuple(when(text, asked_at))
    windows = tuple(one for one in told if not _ONLY_NOW.fullmatch(one.text.strip()))
    recap = bool(_SUMMARY.search(text) or _ORDER.search(text))
    ends = (one.end for one in windows if not _PRESENT.search(one.text))
    over = any(end is not None and end <= asked_at for end in ends)
    terms = tuple(dict.fromkeys(words(without(text, told))))
    names = frozenset(_capitalised(text))
    return Question(
        text=text,
        terms=terms,
        spelling={stem(word): word for word in reversed(spelled(text)) if stem(word)},
        spelled=frozenset(spelled(text)),
        capitalised=names,
        phrases=tuple(one or other for one, other in _QUOTED.findall(text)),
        windows=windows,
        stretches=stretches(windows, asked_at),
        asks_for=next((cue for cue, pattern in _ASKED if pattern.search(text)), Trait(0)),
        is_list=bool(_LIST.search(text)),
        is_open=bool(_ABOUT.search(text)) or (bool(terms) and {*terms} <= {stem(one) for one in names}),
        asks_whether=bool(_WHETHER.match(text)),
        is_question=asks(text) or bool(_WHETHER.match(text) or _WHICH.match(text)),
        is_request=bool(_REQUEST.search(text)) and not recap,
        is_recap=recap,
        to_assistant=bool(_SUMMARY.search(text) or _TO_THE_ASSISTANT.search(text)),
        about_past=over or bool(_PAST.search(text)),
        about_present=bool(_PRESENT.search(text)),
    )


def _capitalised(text: str) -> Iterator[str]:
    """Words written like names, folded; no stop word is one."""
    for found in _LETTERS.finditer(text):
        word = found.group()
        begins = found.start() == 0 or text[: found.start()].rstrip().endswith((".", "!", "?"))
        if word[0].isupper() and word[1:].islower() and (len(word) >= SHORTEST_NAME or not begins):
            yield from (one for one in spelled(word) if stem(one))


def without(text: str, windows: tuple[Window, ...]) -> str:
    """The text without the words that name these windows."""
    for window in sorted(windows, key=lambda one: one.span, reverse=True):
        start, end = window.span
        text = f"{text[:start]} {text[end:]}"
    return text


_ROLES = frozenset({"user", "human", "assistant", "ai", "bot", "system", "the", "and", "of", "all", "both"})


@dataclass(frozen=True, slots=True)
class NamedSpeakers:
    """The speakers that a question names, and the stems of the words it names them with."""

    speakers: tuple[tuple[int, ...], ...]
    """For each name, the speakers that answer to it."""
    stems: frozenset[str]


def named_speakers(question: Question, by_word: Mapping[str, list[int]], heard: frozenset[int]) -> NamedSpeakers:
    """`by_word`: who answers to each word of a name; only those who are `heard` count. A capitalised beginning of a
    name counts if it fits one name only: "Mel" for Melanie."""

    def bearers(word: str) -> tuple[int, ...]:
        there = () if word in _ROLES or len(word) < 2 else by_word.get(word, ())
        return tuple(one for one in there if one in heard)

    found = {word: word for word in question.spelled if bearers(word)}
    for short in question.capitalised - found.keys():
        fits = [word for word in tuple(by_word) if word.startswith(short) and bearers(word)]  # others may be met now
        if len(fits) == 1:
            found[fits[0]] = short
    stems = {stem(word) for pair in found.items() for word in pair}
    return NamedSpeakers(tuple(bearers(word) for word in sorted(found)), frozenset(stems))
