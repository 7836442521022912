"""Which kind of word is each one in a parsed sentence, and what is its basic form? What the model's own rules say,
found by the word, tag or place in the sentence that each rule speaks of, and kept for the next such word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from treering.language.parse.doc import Doc
from treering.language.parse.lemmas import Lemmas

Property = str | bool
Properties = tuple[Property, ...]
K = TypeVar("K")
V = TypeVar("V")
MOST_KEPT = 1 << 16

_ASKED = ("LOWER", "TAG", "DEP", "IS_SPACE")
"""What a rule may ask of a word, what fewest words have in common first."""


class _Test(NamedTuple):
    """What a rule asks of one property of a word: to be one of these, or none of them."""

    column: int
    values: frozenset[Property]
    among: bool = True


@dataclass(frozen=True, slots=True)
class _Rule:
    """What is so of the word at `index` where words one after the other pass these tests, each all of its own."""

    number: int
    words: tuple[tuple[_Test, ...], ...]
    index: int
    says: tuple[tuple[str, str], ...]
    """Names of what a token holds, and the values they get."""


class _Told(NamedTuple):
    """What the rules of one word say of every word with the same properties, and the rules that ask for a further word
    after such a one."""

    rules: tuple[_Rule, ...]
    says: tuple[tuple[str, str], ...]
    longer: tuple[_Rule, ...]


class WordKinds:
    def __init__(self, tables: Mapping[str, Any], lemmas: Lemmas) -> None:
        self._rules: list[dict[Property, list[_Rule]]] = [defaultdict(list) for _ in _ASKED]
        """By a property that the first word must have: of each thing asked, by its value."""
        for rule in _rules(tables["rules"]):
            anchor = min((test for test in rule.words[0] if test.among), key=_column)
            for value in anchor.values:
                self._rules[anchor.column][value].append(rule)
        self._rules = [dict(one) for one in self._rules]
        self._told: dict[Properties, _Told] = {}
        self._lemmas = lemmas

    def tell(self, doc: Doc) -> None:
        """Sets the kind of every word, its form, and its basic form. Where two rules speak of one word, the later one
        has the last word."""
        words: list[Properties] = [(token.lower_, token.tag_, token.dep_, token.is_space) for token in doc]
        told = [self._told.get(properties) or self._told_of(properties) for properties in words]
        says = [one.says for one in told]
        for place, rules in self._beside(words, told).items():
            says[place] = _together([*told[place].rules, *rules])
        for token, said in zip(doc, says, strict=True):
            for name, value in said:
                setattr(token, name, value)
            if not token.lemma_:
                token.lemma_ = self._lemmas.of(token.text, token.pos_, token.morph_)

    def _told_of(self, properties: Properties) -> _Told:
        rules = [rule for of, value in zip(self._rules, properties, strict=True) for rule in of.get(value, ())]
        alone = tuple(rule for rule in rules if len(rule.words) == 1 and _fits(rule, [properties], 0))
        longer = tuple(rule for rule in rules if len(rule.words) > 1)
        return _kept(self._told, properties, _Told(alone, _together(alone), longer))

    def _beside(self, words: Sequence[Properties], told: Sequence[_Told]) -> dict[int, list[_Rule]]:
        """By place: what is said of a word because of those beside it."""
        found: dict[int, list[_Rule]] = defaultdict(list)
        for place, one in enumerate(told):
            for rule in one.longer:
                if _fits(rule, words, place):
                    found[place + rule.index].append(rule)
        return found


def _kept(kept: dict[K, V], key: K, value: V) -> V:
    if len(kept) >= MOST_KEPT:
        kept.clear()
    kept[key] = value
    return value


def _together(rules: Iterable[_Rule]) -> tuple[tuple[str, str], ...]:
    return tuple({name: value for rule in sorted(rules, key=_number) for name, value in rule.says}.items())


_number = attrgetter("number")
_column = attrgetter("column")


def _fits(rule: _Rule, words: Sequence[Properties], place: int) -> bool:
    if place + len(rule.words) > len(words):
        return False
    for properties, tests in zip(words[place : place + len(rule.words)], rule.words, strict=True):
        for column, values, among in tests:
            if (properties[column] in values) is not among:
                return False
    return True


def _rules(rules: Sequence[Mapping[str, Any]]) -> Iterator[_Rule]:
    for number, rule in enumerate(rules):
        says = tuple((f"{name}_", "" if value == "_" else value) for name, value in rule["says"].items())
        for pattern in rule["patterns"]:
            words = tuple(tuple(sorted(_tests(word), key=_column)) for word in pattern)
            yield _Rule(number, words, rule["index"], says)


def _tests(word: Mapping[str, Any]) -> Iterator[_Test]:
    for name, asked in word.items():
        column = _ASKED.index(name)
        match asked:
            case {"IN": values}:
                yield _Test(column, frozenset(values))
            case {"NOT_IN": values}:
                yield _Test(column, frozenset(values), among=False)
            case {"REGEX": pattern}:
                yield _Test(column, frozenset(_SPELLED[pattern]))
            case _:
                yield _Test(column, frozenset((asked,)))


_SPELLED = {
    "^n'?t$": ("nt", "n't"),
    "^n[ou]thin'$": ("nothin'", "nuthin'"),
    "^y'?$": ("y", "y'"),
}
"""All that the few patterns of the model's rules fit."""
