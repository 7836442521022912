"""How is a rule written? In words, with letters where phrases stand: "S {leave.d} X for O".

    S  the subject, one phrase or several joined by and      N  a phrase with a name
    O  X  a phrase (O+ a list of them)                        R  a role: "head of QA", "on-call lead for payments"
    I  who speaks                                             {leave.d}  forms of a verb, see `verbs`

What is claimed is written the same way: "S WORKS_FOR O", "S WORKS_FOR X ends", "S USES O over X"; and where nobody says
what has ended, "S WORKS_FOR any ends". Times may stand between any two words without being written. Each rule carries
its examples, and a test holds it to them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from treering.ingest.extract.contract import Cue, Stance
from treering.ingest.extract.rules.verbs import forms
from treering.model.memory import Kind

_VERB = re.compile(r"\{(\w+)(?:\.(\w))?\}")
_LETTER = re.compile(r"(?<![A-Za-z\\<\[])([SOXNRI])(\+)?(?![A-Za-z>])")
_ANY = r"\[[incpqyz]\d+\]"
_LIST = r"(?:(?: , {0})*(?: ,)? (?:and|or|plus|,) {0})?"
_SHAPES = {
    "S": r"(?P<S>\[[incpq]\d+\](?: and \[[incp]\d+\])*)",
    "O": rf"(?P<O>{_ANY})",
    "X": rf"(?P<X>{_ANY})",
    "N": r"(?P<N>\[n\d+\])",
    "R": r"(?P<R>\[[nc]\d+\](?: (?:of|for) \[[nc]\d+\])?)",
    "I": r"(?P<I>\[i\d+\])",
}
_LISTS = {"O": rf"(?P<O>{_ANY}{_LIST.format(_ANY)})"}
_GAP = r"(?: \[t\d+\])* "
_CLAIM = re.compile(
    r"(?P<subject>[A-Z]|me) (?P<relation>[A-Z][A-Z_]+) (?P<object>[A-Z]|theirs|any)(?: (?P<stance>ends))?"
    r"(?: over (?P<over>[A-Z]))?"
)


@dataclass(frozen=True, slots=True)
class Slot:
    """One claim as a rule writes it: letters to be filled from what matched."""

    subject: str
    relation: str
    object: str
    stance: Stance
    over: str | None


@dataclass(frozen=True)
class SentenceRule:
    """`where` asks more of a letter's phrase than its shape, by a name from `guards`. `state` words the state that a
    change leads to. `denied` is a rule that holds only with a negation ("can't stand"). `planned` may be said of what
    is yet to come, `past` tells of something that is over. `if_known` states its claims only of a subject that is known
    to have another value of the relation. `needs` is asked of the whole text, in either case; where `unless` is found
    in the clause or right beside it, something else is said."""

    name: str
    pattern: str
    claims: tuple[Slot, ...]
    kind: Kind | None = None
    state: str | None = None
    state_kind: Kind = Kind.SEMANTIC
    cue: Cue | None = None
    where: Mapping[str, str] | None = None
    denied: bool = False
    planned: bool = False
    if_known: bool = False
    past: bool = False
    change: bool = False
    needs: str | None = None
    unless: str | None = None
    confidence: float = 1.0
    examples: tuple[tuple[str, ...], ...] = ()

    @cached_property
    def asks_for(self) -> tuple[frozenset[str], ...]:
        """Words that a line must have to fit, one of each set; nothing is asked where phrases alone may fit."""
        return tuple(filter(None, map(_one_of, _parts(_plain(self.pattern)))))

    @cached_property
    def regex(self) -> re.Pattern[str]:
        return re.compile(compiled(self.pattern))


class Rulebook:
    """Rules in their order, found by a word that each asks for: most speak of what a line does not."""

    def __init__(self, rules: tuple[SentenceRule, ...]) -> None:
        self._rules = rules

    def speaking_of(self, said: frozenset[str]) -> Iterator[SentenceRule]:
        """Those that may fit a line of these words."""
        found = set(self._by_word.get(_ANY_WORD, ()))
        for word in said & self._by_word.keys():
            found.update(self._by_word[word])
        for number in sorted(found):
            rule, asked_too = self._numbered[number]
            if not any(asked.isdisjoint(said) for asked in asked_too):
                yield rule

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        """The numbers of the rules, each by those of its words that fewest others have."""
        found: dict[str, list[int]] = {}
        for number, rarest in enumerate(self._rarest):
            for word in rarest:
                found.setdefault(word, []).append(number)
        return found

    @cached_property
    def _numbered(self) -> list[tuple[SentenceRule, tuple[frozenset[str], ...]]]:
        """Each rule with what it asks for besides that by which it is found."""
        return [
            (rule, tuple(asked for asked in rule.asks_for if asked != rarest))
            for rule, rarest in zip(self._rules, self._rarest, strict=True)
        ]

    @cached_property
    def _rarest(self) -> list[frozenset[str]]:
        shared = Counter(word for rule in self._rules for asked in rule.asks_for for word in asked)
        return [
            min(rule.asks_for, key=lambda asked: sum(shared[word] for word in asked), default=frozenset((_ANY_WORD,)))
            for rule in self._rules
        ]


_ANY_WORD = ""
_NO_WORDS = re.compile(r"\[[^\]]*\]|\(\?[!=][^()]*\)|\\.")
_LEFT_OUT = re.compile(r"\([^()]*\)(?:[?*]|\{0)")
_GROUP = re.compile(r"\((?:\?:|\?P<\w>)?([^()]*)\)")


def _parts(pattern: str) -> list[str]:
    """What must be said one after the other, alternatives between bars; what may be left out is left out."""
    pattern, before = _NO_WORDS.sub("#", pattern), ""
    while pattern != before:
        before = pattern
        pattern = _LEFT_OUT.sub(" ", pattern)
        innermost = _GROUP.search(pattern)
        if innermost and not _LEFT_OUT.match(pattern, innermost.start()):
            said = innermost[1].replace(" ", "_")
            pattern = pattern[: innermost.start()] + said + pattern[innermost.end() :]
    return pattern.split()


def _one_of(part: str) -> frozenset[str]:
    """A word of every alternative, or nothing if one of them has none."""
    found = [[word for word in way.split("_") if re.fullmatch(r"[a-z]{2,}", word)] for way in part.split("|")]
    return frozenset(word for words in found for word in words) if all(found) else frozenset()


def _plain(pattern: str) -> str:
    return _VERB.sub(lambda m: forms(m[1], m[2] or ""), pattern)


def rule(name: str, pattern: str, *claims: str, **more: object) -> SentenceRule:
    return SentenceRule(name, pattern, tuple(_slot(claim) for claim in claims), **more)  # type: ignore[arg-type]


def compiled(pattern: str) -> str:
    written = _plain(pattern)
    written = written.replace(" ", "\0")
    written = _LETTER.sub(lambda m: (_LISTS if m[2] else _SHAPES)[m[1]], written)
    written = _once(written)
    written = written.replace("\0", _GAP)
    return r"^(?:\[t\d+\] )*" + written + r"(?= |$|\[)"


def _once(written: str) -> str:
    """A letter written a second time is a phrase that nothing is claimed of."""
    seen: set[str] = set()

    def named(found: re.Match[str]) -> str:
        if found[1] in seen:
            return "(?:"
        seen.add(found[1])
        return found[0]

    return re.sub(r"\(\?P<(\w)>", named, written)


def _slot(text: str) -> Slot:
    found = _CLAIM.fullmatch(text)
    if found is None:
        raise ValueError(f"claim: {text!r} is not written as 'S RELATION O', with ends or over X after it")
    stance = Stance.ENDS if found["stance"] else Stance.HOLDS
    return Slot(found["subject"], found["relation"], found["object"], stance, found["over"])
