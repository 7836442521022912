"""What hangs on what? Words are taken from a row onto a stack, one move at a time, and a move that joins two of them is
an arc. The model says which move is best where it stands; which moves are possible there is said here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from treering.language.parse.doc import Doc, Token
from treering.language.parse.vectors import Rows

SHIFT, REDUCE, LEFT, RIGHT, BREAK = "SDLRB"
CROSSES = "||"
"""Between the label of an arc that crosses others and that of the word it should hang on."""
ROOT = "ROOT"
_NONE = -1


class Parser:
    def __init__(self, weights: Mapping[str, Any], tables: Mapping[str, Any]) -> None:
        self._narrow, self._narrow_bias = weights["narrow_weights"].T, weights["narrow_bias"]
        whole = weights["state_weights"].swapaxes(1, 2)  # of each number the two sums apart, not side by side
        self._places, _, self._width, narrow = whole.shape
        self._state = np.ascontiguousarray(whole.reshape(-1, narrow).T)
        self._pad = weights["state_pad"].swapaxes(2, 3).reshape(self._places, -1)
        self._bias = weights["state_bias"].T.reshape(-1)
        self._upper = np.ascontiguousarray(weights["move_weights"].T)
        self._moves: list[tuple[str, str]] = [(name[0], name[2:]) for name in tables["moves"]]
        self._barred = _barred([kind for kind, _ in self._moves]) + weights["move_bias"]

    def hang(self, docs: Sequence[Doc], rows: Sequence[Rows]) -> None:
        """A step of every text at a time: what the model is asked for many costs little more than for one."""
        seen = ((np.concatenate(rows) @ self._narrow + self._narrow_bias) @ self._state).reshape(-1, len(self._bias))
        seen = np.concatenate((seen, self._pad))  # the last word is none
        states, first = [], 0
        for doc in docs:
            states.append(_State(len(doc), first))
            first += len(doc)
        waiting = [state for state in states if not state.is_final()]
        while waiting:
            self._step(waiting, seen)
            waiting = [state for state in waiting if not state.is_final()]
        for doc, state in zip(docs, states, strict=True):
            doc.hang(*state.arcs())
            _uncrossed(doc)

    def _step(self, states: Sequence[_State], seen: Rows) -> None:
        last = len(seen) // self._places - 1
        looked_at = [
            (last if word < 0 else word + state.first) * self._places + place
            for state in states
            for place, word in enumerate(state.looked_at())
        ]
        sums = seen.take(looked_at, axis=0).reshape(len(states), self._places, -1).sum(axis=1)
        sums += self._bias
        scores = np.maximum(sums[:, : self._width], sums[:, self._width :]) @ self._upper
        scores += self._barred[[state.possible() for state in states]]
        for state, best in zip(states, scores.argmax(axis=1).tolist(), strict=True):
            state.do(*self._moves[best])


def _barred(kinds: Sequence[str]) -> Rows:
    """By what is possible, a bit each for shift, reduce, left, right, break: what is added to every move's score."""
    bits = [(SHIFT + REDUCE + LEFT + RIGHT + BREAK).index(kind) for kind in kinds]
    return np.array([[0.0 if code >> bit & 1 else -np.inf for bit in bits] for code in range(32)], np.float32)


class _State:
    """A row of words, and a stack of those whose arcs are being looked for."""

    __slots__ = ("_again", "_heads", "_labels", "_lefts", "_length", "_next", "_put_back", "_rights", "_stack",
                 "_starts", "first")  # fmt: skip

    def __init__(self, length: int, first: int) -> None:
        self.first = first
        """Where its words are among those of all texts."""
        self._length, self._next = length, 0
        self._stack: list[int] = []
        self._again: list[int] = []
        """Words that were put back, before those that follow."""
        self._put_back: set[int] = set()
        self._starts = {0}
        self._heads, self._labels = [_NONE] * length, [""] * length
        self._lefts: list[list[int]] = [[] for _ in range(length)]
        self._rights: list[list[int]] = [[] for _ in range(length)]

    def is_final(self) -> bool:
        return not self._stack and self._next >= self._length and not self._again

    def looked_at(self) -> list[int]:
        """Two of the row, three of the stack, and what hangs on the first of each; -1 is none."""
        stack, first = self._stack, self._row(0)
        top = stack[-1] if stack else _NONE
        return [
            first,
            self._row(1),
            top,
            stack[-2] if len(stack) > 1 else _NONE,
            stack[-3] if len(stack) > 2 else _NONE,
            self._lefts[first][-1] if first >= 0 and self._lefts[first] else _NONE,
            self._lefts[top][-1] if top >= 0 and self._lefts[top] else _NONE,
            self._rights[top][-1] if top >= 0 and self._rights[top] else _NONE,
        ]

    def possible(self) -> int:
        """A bit each for shift, reduce, left, right, break."""
        waiting, depth, first = self._waiting(), len(self._stack), self._row(0)
        starts = first in self._starts
        shift = waiting > 0 if depth == 0 else waiting >= 2 and not starts and first not in self._put_back
        arc = depth > 0 and waiting > 0 and not starts
        second = self._row(1)
        breaks = waiting >= 2 and second == first + 1 and second not in self._starts
        return shift | (depth > 0) << 1 | arc << 2 | arc << 3 | breaks << 4

    def do(self, kind: str, label: str) -> None:
        stack = self._stack
        if kind == SHIFT:
            stack.append(self._taken())
        elif kind == REDUCE:
            top = stack.pop()
            if self._heads[top] == _NONE and stack:
                self._put_back.add(top)
                self._again.append(top)
        elif kind == LEFT:
            first = self._row(0)
            self._join(first, stack.pop(), label)
            self._put_back.discard(first)
        elif kind == RIGHT:
            top = stack[-1]
            first = self._taken()
            self._join(top, first, label)
            stack.append(first)
        else:
            self._starts.add(self._row(1))

    def arcs(self) -> tuple[list[int], list[str]]:
        alone = [head == _NONE for head in self._heads]
        heads = [i if alone[i] else head for i, head in enumerate(self._heads)]
        return heads, [ROOT if alone[i] else label for i, label in enumerate(self._labels)]

    def _row(self, place: int) -> int:
        if place < len(self._again):
            return self._again[-1 - place]
        found = self._next + place - len(self._again)
        return found if found < self._length else _NONE

    def _waiting(self) -> int:
        return self._length - self._next + len(self._again)

    def _taken(self) -> int:
        if self._again:
            return self._again.pop()
        self._next += 1
        return self._next - 1

    def _join(self, head: int, child: int, label: str) -> None:
        before = self._heads[child]
        if before != _NONE:
            (self._lefts if before > child else self._rights)[before].remove(child)
        (self._lefts if head > child else self._rights)[head].append(child)
        self._heads[child], self._labels[child] = head, label


def _uncrossed(doc: Doc) -> None:
    """An arc that crosses others was learned as one that does not, with the label of the word it really hangs on."""
    crossing = [token for token in doc if CROSSES in token.dep_]
    for token in crossing:
        label, wanted = token.dep_.split(CROSSES)
        token.hangs_on, token.dep_ = _found_below(token, wanted).i, label
    if crossing:
        doc.hang([token.hangs_on for token in doc], [token.dep_ for token in doc])


def _found_below(token: Token, label: str) -> Token:
    """The nearest word with that label below what the word hangs on."""
    below: Sequence[Token] = [token.head]
    while below:
        further = []
        for one in below:
            for child in one.children:
                if child.is_space or child is token:
                    continue
                if child.dep_ == label:
                    return child
                further.append(child)
        below = further
    return token.head
