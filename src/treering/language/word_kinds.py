"""Which kind of word is each one in a parsed sentence, and what is its basic form? What the model's own rules say,
found by the word, tag or place in the sentence that each rule speaks of, and kept for the next such word. spaCy tries
every rule on every word: that took a third of a reading.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from spacy.pipeline import AttributeRuler, Lemmatizer
    from spacy.tokens import Doc, Token
    from spacy.vocab import Vocab

K = TypeVar("K")
V = TypeVar("V")
MOST_KEPT = 1 << 16

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


class _Told(NamedTuple):
    """What the rules of one word say of every word with the same properties, and the rules that ask for a further word
    after such a one."""

    rules: tuple[_Rule, ...]
    says: tuple[tuple[str, Any], ...]
    longer: tuple[_Rule, ...]


class WordKinds:
    def __init__(self, ruler: AttributeRuler, lemmatizer: Lemmatizer) -> None:
        self._rules: list[dict[int, list[_Rule]]] = [defaultdict(list) for _ in _ASKED]
        """By a property that the first word must have: of each thing asked, by its value."""
        for rule in _rules(ruler):
            anchor = min(test for test in rule.words[0] if test.among)
            for value in anchor.values:
                self._rules[anchor.column][value].append(rule)
        self._rules = [dict(one) for one in self._rules]
        self._told: dict[tuple[int, ...], _Told] = {}
        self._lemmatizer = lemmatizer
        self._lemmas: dict[tuple[int, int, int], str] = {}

    def tell(self, doc: Doc) -> None:
        """Sets the kind of every word, its form, and its basic form. Where two rules speak of one word, the later one
        has the last word."""
        words = list(map(tuple, doc.to_array(list(_ASKED)).tolist()))
        told = [self._told.get(properties) or self._told_of(properties) for properties in words]
        says = [one.says for one in told]
        for place, rules in self._beside(words, told).items():
            says[place] = _together([*told[place].rules, *rules])
        for token, said in zip(doc, says, strict=True):
            for name, value in said:
                setattr(token, name, value)
            if not token.lemma:
                token.lemma_ = self._lemma(token)

    def _told_of(self, properties: tuple[int, ...]) -> _Told:
        rules = [rule for of, value in zip(self._rules, properties, strict=True) for rule in of.get(value, ())]
        alone = tuple(rule for rule in rules if len(rule.words) == 1 and _fits(rule, [properties], 0))
        longer = tuple(rule for rule in rules if len(rule.words) > 1)
        return _kept(self._told, properties, _Told(alone, _together(alone), longer))

    def _beside(self, words: Sequence[Sequence[int]], told: Sequence[_Told]) -> dict[int, list[_Rule]]:
        """By place: what is said of a word because of those beside it."""
        found: dict[int, list[_Rule]] = defaultdict(list)
        for place, one in enumerate(told):
            for rule in one.longer:
                if _fits(rule, words, place):
                    found[place + rule.index].append(rule)
        return found

    def _lemma(self, token: Token) -> str:
        """As spaCy finds it, which finds it anew for most words: what is asked of a token is these three."""
        form: Any = token.morph
        key = token.orth, token.pos, form.key
        return self._lemmas.get(key) or _kept(self._lemmas, key, self._lemmatizer.lemmatize(token)[0])


def _kept(kept: dict[K, V], key: K, value: V) -> V:
    if len(kept) >= MOST_KEPT:
        kept.clear()
    kept[key] = value
    return value


def _together(rules: Iterable[_Rule]) -> tuple[tuple[str, Any], ...]:
    return tuple({name: value for rule in sorted(rules, key=_number) for name, value in rule.says}.items())


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
