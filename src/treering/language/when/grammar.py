"""How are patterns matched? A small grammar engine: tables of rules, compiled to tries, parsed with memory.

A pattern is a row of elements: `in|of` is one of these words, `WORD?` may be left out, `MONTHNAME` is a token class or
another part of the grammar, whose value is handed to the rule. Every reading of a part at a position is computed once,
and parts never begin with themselves, so the work grows with the length of the text and not with its shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Generic, TypeVar

from treering.language.when.tokens import TimeToken

Reader = Callable[[list[TimeToken], int], Sequence[tuple[int, Any]]]
Make = Callable[..., Any]
Match = tuple[int, Any]
TimeContext = TypeVar("TimeContext")
_NOTHING: list[Match] = []


@dataclass(frozen=True, slots=True)
class GrammarRule:
    """A pattern, what it makes of the captured values (None refuses), and an example that it reads."""

    pattern: str
    make: Make
    example: str = ""


def same(part: str, example: str) -> GrammarRule:
    """A part that stands for another as it is."""
    return GrammarRule(part, lambda _, thing: thing, example)


def any_of(**parts: str) -> tuple[GrammarRule, ...]:
    """Parts that stand for another as they are, each with its example."""
    return tuple(same(part, example) for part, example in parts.items())


def tables_in(*modules: ModuleType) -> dict[str, tuple[GrammarRule, ...]]:
    """The parts of a grammar: what modules name in capitals, and is a row of rules."""
    named = (one for module in modules for one in vars(module).items() if one[0].isupper() and one[0][0] != "_")
    return {name: row for name, row in named if isinstance(row, tuple) and row and isinstance(row[0], GrammarRule)}


@dataclass(frozen=True, slots=True)
class Primitive:
    """A part read by a function. `keys` are the words and classes it may begin with."""

    read: Reader
    keys: frozenset[str]


@dataclass(slots=True)
class _Node:
    words: dict[str, _Node] = field(default_factory=dict)
    classes: dict[str, _Node] = field(default_factory=dict)
    parts: dict[str, _Node] = field(default_factory=dict)
    rules: list[tuple[int, Make]] = field(default_factory=list)
    ways: list[tuple[str, frozenset[str], _Node]] = field(default_factory=list)
    """The parts again, each with what it may begin with, so that a walk need not look it up."""


class Grammar:
    """Named parts, each a table of rules or a primitive, compiled once."""

    def __init__(self, tables: Mapping[str, Sequence[GrammarRule]], primitives: Mapping[str, Primitive]) -> None:
        self.primitives = dict(primitives)
        self.tries = {name: self._compile(rules, set(tables) | set(primitives)) for name, rules in tables.items()}
        self.first = {name: part.keys for name, part in primitives.items()}
        for name in tables:
            self._first(name, ())
        self.words: set[str] = set()
        self.classes: set[str] = {key for part in primitives.values() for key in part.keys if key.isupper()}
        for trie in self.tries.values():
            self._pave(trie)

    def _compile(self, rules: Sequence[GrammarRule], parts: set[str]) -> _Node:
        root = _Node()
        for order, rule in enumerate(rules):
            for elements in _variants(rule.pattern.split()):
                for node in _leaves([root], elements, parts):
                    node.rules.append((order, rule.make))
        return root

    def _first(self, name: str, above: tuple[str, ...]) -> frozenset[str]:
        if name in above:
            raise ValueError(f"grammar part {name} begins with itself: {' > '.join((*above, name))}")
        if name not in self.first:
            root = self.tries[name]
            keys = set(root.words) | set(root.classes)
            for part in root.parts:
                keys |= self._first(part, (*above, name))
            self.first[name] = frozenset(keys)
        return self.first[name]

    def _pave(self, node: _Node) -> None:
        self.words.update(node.words)
        self.classes.update(node.classes)
        node.ways = [(name, self.first[name], child) for name, child in node.parts.items()]
        for child in (*node.words.values(), *node.classes.values(), *node.parts.values()):
            self._pave(child)


def _variants(elements: list[str]) -> list[list[str]]:
    """The rows that a row with optional elements stands for, the fullest first."""
    rows: list[list[str]] = [[]]
    for element in elements:
        kept = [[*row, element.removesuffix("?")] for row in rows]
        rows = kept + rows if element.endswith("?") and element != "?" else kept
    return [row for row in rows if row]


def _leaves(nodes: list[_Node], elements: list[str], parts: set[str]) -> list[_Node]:
    for element in elements:
        if element in parts:
            nodes = [node.parts.setdefault(element, _Node()) for node in nodes]
        elif element.isupper():
            nodes = [node.classes.setdefault(element, _Node()) for node in nodes]
        else:
            words = element.split("|") if element != "|" else ["|"]
            nodes = [node.words.setdefault(word, _Node()) for node in nodes for word in words]
    return nodes


class Parse(Generic[TimeContext]):
    """One text under one grammar. `scene` is handed to every rule first: the reference and the direction."""

    def __init__(self, grammar: Grammar, tokens: list[TimeToken], scene: TimeContext) -> None:
        self._grammar = grammar
        self._tokens = tokens
        self._scene = scene
        self._count = len(tokens)
        self._known: dict[int, dict[str, list[Match]]] = {}

    def forget(self, scene: TimeContext) -> None:
        """Start again under another scene."""
        self._scene = scene
        self._known.clear()

    def may_begin(self, part: str, i: int) -> bool:
        return not self._grammar.first[part].isdisjoint(self._tokens[i].keys)

    def read(self, part: str, i: int) -> list[Match]:
        """Every reading of `part` at `i` as (next position, value), the longest first."""
        if i >= self._count:
            return []
        here = self._known.get(i)
        if here is None:
            here = self._known[i] = {}
        known = here.get(part)
        if known is None:
            known = here[part] = self._compute(part, i)
        return known

    def _compute(self, part: str, i: int) -> list[Match]:
        primitive = self._grammar.primitives.get(part)
        if primitive is not None:
            return list(primitive.read(self._tokens, i))
        found: dict[int, tuple[int, Any]] = {}
        self._walk(self._grammar.tries[part], i, (), found)
        if not found:
            return _NOTHING
        return [(end, value) for end, (_, value) in sorted(found.items(), reverse=True)]

    def _walk(self, node: _Node, i: int, values: tuple[Any, ...], found: dict[int, tuple[int, Any]]) -> None:
        if node.rules:
            self._apply(node.rules, i, values, found)
        if i >= self._count:
            return
        token = self._tokens[i]
        child = node.words.get(token.text)
        if child is not None:
            self._walk(child, i + 1, values, found)
        if node.classes and token.classes:
            for name, value in token.classes.items():
                child = node.classes.get(name)
                if child is not None:
                    self._walk(child, i + 1, (*values, value), found)
        keys = token.keys
        for name, first, child in node.ways:
            if not first.isdisjoint(keys):
                for end, value in self.read(name, i):
                    self._walk(child, end, (*values, value), found)

    def _apply(
        self,
        rules: list[tuple[int, Make]],
        end: int,
        values: tuple[Any, ...],
        found: dict[int, tuple[int, Any]],
    ) -> None:
        for order, make in rules:
            best = found.get(end)
            if best is not None and best[0] <= order:
                continue
            try:
                value = make(self._scene, *values)
            except (ValueError, OverflowError):
                continue
            if value is not None:
                found[end] = (order, value)
