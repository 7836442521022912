"""What was read of a text: its words in order, each with its place, kind, basic form and what it hangs on.

A word's names are spaCy's (`lower_`, `tag_`, `head`), which readers of this field know.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, overload

from treering.language.parse.lexicon import Lexeme

MOST_ROUNDS = 11
"""In which the edges of what hangs on each word settle, where arcs cross."""


class Token:
    __slots__ = ("dep_", "doc", "edge", "hangs_on", "i", "idx", "lemma_", "lexeme", "morph_", "norm_", "pos_", "tag_",
                 "whitespace_")  # fmt: skip

    def __init__(self, doc: Doc, i: int, idx: int, lexeme: Lexeme, norm: str | None, space: bool) -> None:
        self.doc, self.i, self.idx, self.lexeme = doc, i, idx, lexeme
        self.norm_ = norm
        """Where a rule of the tokenizer says another than the word's own."""
        self.whitespace_ = " " if space else ""
        self.tag_ = self.pos_ = self.morph_ = self.lemma_ = self.dep_ = ""
        self.hangs_on = i
        self.edge = (i, i)
        """The first and the last word of all that hangs on it."""

    def __len__(self) -> int:
        return len(self.lexeme.text)

    def __repr__(self) -> str:
        return self.lexeme.text

    @property
    def text(self) -> str:
        return self.lexeme.text

    @property
    def lower_(self) -> str:
        return self.lexeme.lower_

    @property
    def is_alpha(self) -> bool:
        return self.lexeme.is_alpha

    @property
    def is_punct(self) -> bool:
        return self.lexeme.is_punct

    @property
    def is_space(self) -> bool:
        return self.lexeme.is_space

    @property
    def is_stop(self) -> bool:
        return self.lexeme.is_stop

    @property
    def like_num(self) -> bool:
        return self.lexeme.like_num

    @property
    def like_email(self) -> bool:
        return self.lexeme.like_email

    @property
    def like_url(self) -> bool:
        return self.lexeme.like_url

    @property
    def head(self) -> Token:
        """What it hangs on; itself where nothing."""
        return self.doc[self.hangs_on]

    @property
    def children(self) -> Iterator[Token]:
        first, last = self.edge
        return (token for token in self.doc[first : last + 1] if token.hangs_on == self.i and token.i != self.i)

    @property
    def left_edge(self) -> Token:
        return self.doc[self.edge[0]]

    @property
    def is_sent_start(self) -> bool:
        return self.i in self.doc.sentence_starts

    @property
    def sent(self) -> Span:
        starts = self.doc.sentence_starts
        first = next((i for i in range(self.i, 0, -1) if i in starts), 0)
        return self.doc[first : next((i for i in range(self.i + 1, len(self.doc)) if i in starts), len(self.doc))]

    def nbor(self, by: int = 1) -> Token:
        """The word so many places on, or back."""
        if not 0 <= self.i + by < len(self.doc):
            raise IndexError(f"there is no word {by} from word {self.i} of {len(self.doc)}")
        return self.doc[self.i + by]


class Span(Sequence[Token]):
    __slots__ = ("doc", "end", "start")

    def __init__(self, doc: Doc, start: int, end: int) -> None:
        self.doc, self.start, self.end = doc, start, max(start, end)

    def __len__(self) -> int:
        return self.end - self.start

    def __iter__(self) -> Iterator[Token]:
        return iter(self.doc.tokens[self.start : self.end])

    @overload
    def __getitem__(self, place: int) -> Token: ...
    @overload
    def __getitem__(self, place: slice) -> Span: ...
    def __getitem__(self, place: int | slice) -> Token | Span:
        if isinstance(place, slice):
            start, end, _ = place.indices(len(self))
            return Span(self.doc, self.start + start, self.start + end)
        return self.doc.tokens[self.start : self.end][place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Span) and (self.doc, self.start, self.end) == (other.doc, other.start, other.end)

    def __hash__(self) -> int:
        return hash((id(self.doc), self.start, self.end))

    @property
    def start_char(self) -> int:
        tokens = self.doc.tokens
        return tokens[self.start].idx if self.start < len(tokens) else len(self.doc.text)

    @property
    def end_char(self) -> int:
        last = self.doc.tokens[self.end - 1] if len(self) else None
        return self.start_char if last is None else last.idx + len(last)

    @property
    def root(self) -> Token:
        """The word on which the others hang, as directly as any."""
        alone = next((token for token in self if token.hangs_on == token.i), None)
        outward = [token for token in self if not self.start <= token.hangs_on < self.end]
        return alone or min(outward, key=_depth, default=self[0])

    @property
    def text(self) -> str:
        return self.doc.text[self.start_char : self.end_char] if len(self) else ""


class Doc(Sequence[Token]):
    __slots__ = ("sentence_starts", "text", "tokens", "user_data")

    def __init__(self, words: Sequence[tuple[Lexeme, str | None, bool]]) -> None:
        """Of each word what it is, its norm if it has one of its own, and whether a blank follows it."""
        self.tokens: list[Token] = []
        idx = 0
        for i, (lexeme, norm, space) in enumerate(words):
            self.tokens.append(Token(self, i, idx, lexeme, norm, space))
            idx += len(lexeme.text) + space
        self.text = "".join(token.lexeme.text + token.whitespace_ for token in self.tokens)
        self.sentence_starts: frozenset[int] = frozenset()
        self.user_data: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self.tokens)

    def __iter__(self) -> Iterator[Token]:
        return iter(self.tokens)

    @overload
    def __getitem__(self, place: int) -> Token: ...
    @overload
    def __getitem__(self, place: slice) -> Span: ...
    def __getitem__(self, place: int | slice) -> Token | Span:
        if isinstance(place, slice):
            start, end, _ = place.indices(len(self.tokens))
            return Span(self, start, end)
        return self.tokens[place]

    def words_at(self, start: int, end: int) -> Span | None:
        """The words that any of these characters is in; None where there are no such characters."""
        if not 0 <= start < end <= len(self.text):
            return None
        first = bisect_right(self.tokens, start, key=_ends)
        return Span(self, first, max(first + 1, bisect_left(self.tokens, end, key=_begins)))

    def hang(self, heads: Sequence[int], labels: Sequence[str]) -> None:
        """Each word on another, by its place; on itself where it hangs on nothing."""
        for token, head, label in zip(self.tokens, heads, labels, strict=True):
            token.hangs_on, token.dep_ = head, label
        self._settle()

    def _settle(self) -> None:
        count = len(self.tokens)
        heads = [token.hangs_on for token in self.tokens]
        first, last = list(range(count)), list(range(count))
        for _ in range(MOST_ROUNDS + 1):
            for order in (range(count), range(count - 1, -1, -1)):
                for i in order:
                    head = heads[i]
                    first[head] = min(first[head], first[i])
                    last[head] = max(last[head], last[i])
            starts = frozenset(first[i] for i in range(count) if heads[i] == i)
            if _within(heads, starts):
                break
        for token, edge in zip(self.tokens, zip(first, last, strict=True), strict=True):
            token.edge = edge
        self.sentence_starts = starts if count else frozenset()


def _begins(token: Token) -> int:
    return token.idx


def _ends(token: Token) -> int:
    return token.idx + len(token)


def _depth(token: Token) -> int:
    """How many arcs it is from what hangs on nothing. A blank or a sign with nothing on it comes last."""
    if (token.is_space or token.is_punct) and next(token.children, None) is None:
        return len(token.doc) - 1
    steps = 0
    while token.hangs_on != token.i and steps <= len(token.doc):
        token, steps = token.head, steps + 1
    return steps


def _within(heads: Sequence[int], starts: frozenset[int]) -> bool:
    """Whether every word hangs on one of its own sentence."""
    begin = 0
    for i in range(len(heads)):
        if (i > 0 and i in starts) or i == len(heads) - 1:
            if any(not begin <= heads[j] <= i for j in range(begin, i)):
                return False
            begin = i
    return True
