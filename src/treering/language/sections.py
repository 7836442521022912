"""WHERE may a long text be cut? Into sections of about a paragraph or a few, along its own headings, paragraphs, lists
and code, each with the headings it stands under.

A section is a stretch of the text as it is: together the sections hold every character but blanks, and none twice. What
the text says is not looked at, and Markdown is read only as far as its structure goes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from unicodedata import combining

from treering.language.sentences import sentences

TARGET = 1_200
"""Characters of a section: near what an embedder reads at once, and what one looks up at once."""
MOST = 2_400
"""A block is left whole up to this length."""
_SMALL = TARGET // 3  # what is shorter takes in the next block even if that makes it longer than the target

_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*\Z")
_UNDERLINE = re.compile(r" {0,3}(?:(=)=+|--+)[ \t]*\Z")
_LISTED = re.compile(r"[ \t]*(?:[-*+|>]|\d{1,9}[.)])")
_MARKS = re.compile(r"[*_`]+|!?\[([^\]]*)\]\([^)]*\)")
_BLANKS = re.compile(r"\s+")
_JOINERS = "\u200d\ufe0e\ufe0f"
_ACCENTS = 32  # as many signs as one may be made of

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch `[start, end)` of a text, and the headings above it, the outermost first."""

    start: int
    end: int
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines that belong together. A heading has a level and its words; `by_line` is what is cut at its lines if it must
    be cut: code, lists, tables."""

    start: int
    end: int
    level: int = 0
    heading: str = ""
    by_line: bool = False


def sections(text: str, headings: bool = True) -> list[Section]:
    """In order. Without `headings` no line is taken for one: `#` begins a comment in most of what is not prose."""
    gathering = _Gathering(text)
    for block in _blocks(text, headings):
        gathering.take(block)
    gathering.close()
    return gathering.done


@dataclass
class _Gathering:
    """Blocks under one heading, put together until they make a section."""

    text: str
    done: list[Section] = field(default_factory=list)
    held: Span | None = None
    only_headings: bool = True
    path: list[tuple[int, str]] = field(default_factory=list)

    def take(self, block: _Block) -> None:
        if block.level:
            self._begin_under(block)
        elif self.held is None or self._fits(block):
            self._hold(block)
        else:
            self.close()
            self._hold(block)
        if self.held is not None and self.held[1] - self.held[0] > MOST:
            self._cut(block)

    def _begin_under(self, block: _Block) -> None:
        """A heading goes with what follows it, as do those above it that have no words of their own."""
        if not self.only_headings or (self.held and block.end - self.held[0] > TARGET):
            self.close()
        self.path = [one for one in self.path if one[0] < block.level]
        self.path.append((block.level, block.heading))
        self.held = (self.held[0] if self.held else block.start, block.end)

    def _fits(self, block: _Block) -> bool:
        assert self.held is not None
        start, end = self.held
        size, with_it = end - start, block.end - start
        if with_it <= TARGET or self.only_headings:
            return True
        leads_on = size < _SMALL or self.text[start:end].rstrip().endswith(":")
        return leads_on and with_it <= MOST

    def _hold(self, block: _Block) -> None:
        self.held = (self.held[0] if self.held else block.start, block.end)
        self.only_headings = False

    def _cut(self, block: _Block) -> None:
        """What is held is too long, and its last block with it: it is cut, and the last piece may still grow."""
        assert self.held is not None
        pieces = list(_pieces(self.text, self.held, block.by_line))
        for piece in pieces[:-1]:
            self._add(piece)
        self.held = pieces[-1]

    def close(self) -> None:
        if self.held is not None:
            self._add(self.held)
        self.held, self.only_headings = None, True

    def _add(self, span: Span) -> None:
        start, end = _trimmed(self.text, span)
        if start < end:
            self.done.append(Section(start, end, tuple(name for _, name in self.path if name)))


def _trimmed(text: str, span: Span) -> Span:
    """Without blank lines before and blanks after; the first line keeps its indentation."""
    piece = text[span[0] : span[1]]
    first = len(piece) - len(piece.lstrip())
    start = span[0] + max(piece.rfind("\n", 0, first) + 1, 0)
    return (start, span[0] + len(piece.rstrip())) if piece.strip() else (span[0], span[0])


# Blocks


def _blocks(text: str, headings: bool) -> Iterator[_Block]:
    at = 0
    if headings:
        at = _front_matter(text)
        if at:
            yield _Block(0, at, by_line=True)
    begin: int | None = None
    lines = _lines_from(text, at)
    for start, end in lines:
        line = text[start:end]
        bare = line.rstrip("\n")
        if not bare or bare.isspace():
            if begin is not None:
                yield _plain(text, begin, start)
            begin = None
        elif headings and (found := _HEADING.match(bare)):
            if begin is not None:
                yield _plain(text, begin, start)
            begin = None
            yield _Block(start, end, len(found[1]), _words(found[2] or ""))
        elif headings and (fence := _FENCE.match(bare)):
            if begin is not None:
                yield _plain(text, begin, start)
            begin = None
            yield _Block(start, _fence_end(text, fence[1], lines, end), by_line=True)
        elif headings and begin is not None and (under := _UNDERLINE.match(bare)) and _one_line(text, begin, start):
            yield _Block(begin, end, 1 if under[1] else 2, _words(text[begin:start]))
            begin = None
        elif begin is None:
            begin = start
    if begin is not None:
        yield _plain(text, begin, len(text))


def _lines_from(text: str, at: int) -> Iterator[Span]:
    for found in _LINE.finditer(text, at):
        if found.end() > found.start():
            yield found.span()


def _front_matter(text: str) -> int:
    """Where the lines between `---` and `---` at the very beginning end; 0 if there are none."""
    if not text.startswith("---\n"):
        return 0
    close = text.find("\n---\n", 3)
    return close + 5 if close != -1 else 0


def _fence_end(text: str, fence: str, lines: Iterator[Span], end: int) -> int:
    """Takes the lines of a code block, up to its closing fence or the end of the text."""
    last = end
    for start, last in lines:
        found = _FENCE.match(text, start, last)
        if found and found[1].startswith(fence) and not text[found.end() : last].strip():
            break
    return last


def _one_line(text: str, begin: int, end: int) -> bool:
    line = text[begin:end].strip()
    return "\n" not in line and not _LISTED.match(line) and len(line) <= 200


def _plain(text: str, begin: int, end: int) -> _Block:
    return _Block(begin, end, by_line=_LISTED.match(text, begin, end) is not None)


def _words(heading: str) -> str:
    """A heading without its marks: `**Set up** [Linux](linux.md)` is Set up Linux."""
    return " ".join(_MARKS.sub(lambda found: found[1] or "", heading).split())


# Cutting what is too long


def _pieces(text: str, span: Span, by_line: bool) -> Iterator[Span]:
    """Stretches of at most MOST characters, in order and without a gap, cut where it hurts least."""
    begin = last = span[0]
    for stop in _stops(text, span, _WAYS if by_line else _WAYS[1:]):
        if stop - begin > TARGET and last > begin:
            yield begin, last
            begin = last
        last = stop
    yield begin, last


def _stops(text: str, span: Span, ways: Sequence[Callable[[str], Iterable[int]]]) -> Iterator[int]:
    """Where it may be cut, never further apart than MOST: the first way, and the next where that leaves too much."""
    start, end = span
    begin = start
    for stop in (start + one for one in ways[0](text[start:end])):
        if stop - begin > MOST:
            yield from _stops(text, (begin, stop), ways[1:])
        else:
            yield stop
        begin = stop


def _line_ends(text: str) -> Iterator[int]:
    return (found.end() for found in _LINE.finditer(text) if found.end() > found.start())


def _sentence_ends(text: str) -> Iterator[int]:
    yield from (start for start, _ in sentences(text)[1:])
    yield len(text)


def _word_ends(text: str) -> Iterator[int]:
    yield from (found.end() for found in _BLANKS.finditer(text, 0, len(text)) if found.end() < len(text))
    yield len(text)


def _anywhere(text: str) -> Iterator[int]:
    """Not between a letter and its accents, nor inside a joined sign, if there is another place nearby."""
    for at in range(TARGET, len(text), TARGET):
        nearby = range(at, at - _ACCENTS, -1)
        yield next((one for one in nearby if not _joined(text[one - 1], text[one])), at)
    yield len(text)


def _joined(before: str, after: str) -> bool:
    return combining(after) > 0 or after in _JOINERS or before == _JOINERS[0]


_WAYS: tuple[Callable[[str], Iterable[int]], ...] = (_line_ends, _sentence_ends, _word_ends, _anywhere)
