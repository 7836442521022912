"""Which kind of word is each one in a parsed sentence? What the model's own rules say, found by the word, tag or place
in the sentence that each rule speaks of. spaCy tries every rule on every word: that took a third of a reading.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from spacy.pipeline import AttributeRuler
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

_ASKED = ("LOWER", "TAG", "DEP", "IS_SPACE")
"""What a rule may ask of a word, what fewest words have in common first."""


class _Test(NamedTuple):
    """What a rule asks of one property of a word: to be one of these, or none of them."""

    column: int
    values: frozenset[int]
    among: bool = True


@dataclass(frozen=True, slots=True)
class _Rule:
    """What is so of the word at `index` where words one after the other pass these tests, each all of its own."""

    number: int
    words: tuple[tuple[_Test, ...], ...]
    index: int
    says: tuple[tuple[str, Any], ...]
    """Names of what a token holds, and the values they get."""

    @property
    def is_certain(self) -> bool:
        """Nothing is asked but that by which it was found."""
        return len(self.words) == 1 and len(self.words[0]) == 1


class WordKinds:
    def __init__(self, ruler: AttributeRuler) -> None:
        self._rules: list[dict[int, list[_Rule]]] = [defaultdict(list) for _ in _ASKED]
        """By a property that the first word must have: of each thing asked, by its value."""
        for rule in _rules(ruler):
            anchor = min(test for test in rule.words[0] if test.among)
            for value in anchor.values:
                self._rules[anchor.column][value].append(rule)
        self._rules = [dict(one) for one in self._rules]

    def tell(self, doc: Doc) -> None:
        """Sets the kind of every word, its form, and its basic form where that is a matter of rules. Where two rules
        speak of one word, the later one has the last word."""
        words = doc.to_array(list(_ASKED)).tolist()
        found: list[list[_Rule]] = [[] for _ in words]
        for place, properties in enumerate(words):
            for rules, value in zip(self._rules, properties, strict=True):
                for rule in rules.get(value, ()):
                    if rule.is_certain or _fits(rule, words, place):
                        found[place + rule.index].append(rule)
        for token, rules_of_it in zip(doc, found, strict=True):
            for rule in sorted(rules_of_it, key=_number) if len(rules_of_it) > 1 else rules_of_it:
                for name, value in rule.says:
                    setattr(token, name, value)


_number = attrgetter("number")


def _fits(rule: _Rule, words: Sequence[Sequence[int]], place: int) -> bool:
    if place + len(rule.words) > len(words):
        return False
    for properties, tests in zip(words[place : place + len(rule.words)], rule.words, strict=True):
        for column, values, among in tests:
            if (properties[column] in values) is not among:
                return False
    return True


def _rules(ruler: AttributeRuler) -> Iterator[_Rule]:
    from spacy.attrs import IDS  # type: ignore[import-not-found]  # compiled, without a stub
    from spacy.tokens import MorphAnalysis

    names = {number: name.lower() for name, number in IDS.items()}
    patterns: list[Any] = ruler.patterns
    for number, (rule, attributes) in enumerate(zip(patterns, ruler.attrs, strict=True)):
        said: dict[str, Any] = {names[attribute]: value for attribute, value in attributes.items()}
        if "morph" in said:
            said["morph"] = MorphAnalysis(ruler.vocab, ruler.vocab.strings[said["morph"]])
        for pattern in rule["patterns"]:
            words = tuple(tuple(sorted(_tests(ruler.vocab, word))) for word in pattern)
            yield _Rule(number, words, rule["index"], tuple(said.items()))


def _tests(vocab: Vocab, word: Mapping[str, Any]) -> Iterator[_Test]:
    for name, asked in word.items():
        column = _ASKED.index(name)
        match asked:
            case {"IN": values}:
                yield _Test(column, _numbers(vocab, values))
            case {"NOT_IN": values}:
                yield _Test(column, _numbers(vocab, values), among=False)
            case {"REGEX": pattern}:
                yield _Test(column, _numbers(vocab, _SPELLED[pattern]))
            case bool():
                yield _Test(column, frozenset((int(asked),)))
            case _:
                yield _Test(column, _numbers(vocab, [asked]))


def _numbers(vocab: Vocab, values: Iterable[str]) -> frozenset[int]:
    return frozenset(vocab.strings.add(value) if value else 0 for value in values)


_SPELLED = {
    "^n'?t$": ("nt", "n't"),
    "^n[ou]thin'$": ("nothin'", "nuthin'"),
    "^y'?$": ("y", "y'"),
}
"""All that the few patterns of the model's rules fit."""
