"""Where does one statement end and the next begin? Stretches of a turn, as a model reads it that has learned to.

The model sees where statements begin; a cut is made only where words join or stop too. What is said in a short turn
stays together, but for sentences that each surely state a fact: a memory that holds two things answers for both, and
half of one answers for none. A long turn, a list and minutes are cut wherever they can be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from treering.language.en.joints import JOINS, LEANS
from treering.language.sentences import sentences
from treering.language.small_talk import small_talk
from treering.mind.reading import ReadMessage, Span

LONG = 200
"""Characters of a turn that says more than one thing."""
FEW_WORDS = 3
"""So many words that name nobody are no statement."""
FEWEST = 4
"""Words of a clause that is told by itself too."""
_WORD = re.compile(r"[\w'’]+")  # noqa: RUF001  the apostrophe of telephones
_STOPS = ",;:–—-("  # noqa: RUF001  dashes


@dataclass(slots=True)
class TurnPart:
    """`why`: the kind of small talk that it is."""

    start: int
    end: int
    why: str | None = None
    begins: bool = True
    """Whether a sentence begins with it."""

    @property
    def span(self) -> Span:
        return self.start, self.end


def parts_of(text: str, told: ReadMessage, sure_at: Sequence[int] = (), whole: bool = False) -> list[TurnPart]:
    """In order; all words of the text stand in one. `sure_at`: where the values of sure facts stand. `whole`: it is not
    cut, whatever it says."""
    found: list[TurnPart] = []
    bits = list(_bits(text, told))
    if whole and bits:
        return [TurnPart(bits[0].start, bits[-1].end)]
    for bit in bits:
        last = found[-1] if found else None
        if last is None or bit.why or last.why or _stands_apart(text, told, last, bit, sure_at):
            found.append(bit)
        else:
            last.end = bit.end
    return found


def clauses_in(text: str, told: ReadMessage, part: Span) -> list[Span]:
    """Those of a statement that each say something by themselves, without what joins them; none where it is one."""
    found: list[Span] = []
    for bit in _bits(text, told):
        if bit.why or not part[0] <= bit.start < bit.end <= part[1]:
            continue
        if found and (
            _leans(text, bit.span)
            or min(map(len, (text[slice(*one)].split() for one in (found[-1], bit.span)))) < FEWEST
        ):
            found[-1] = found[-1][0], bit.end
        else:
            found.append(bit.span)
    return [_unjoined(text, one) for one in found] if len(found) > 1 else []


def _leans(text: str, clause: Span) -> bool:
    first = _WORD.search(text, *clause)
    return first is not None and first[0].lower() in LEANS


def _unjoined(text: str, clause: Span) -> Span:
    start, end = clause
    said = list(_WORD.finditer(text, start, end))
    while len(said) > 1 and said[0][0].lower() in JOINS:
        said.pop(0)
        start = said[0].start()
    while len(said) > 1 and said[-1][0].lower() in JOINS and not text[said[-1].end() : end].strip():
        said.pop()
        end = said[-1].end()
    return start, start + len(text[start:end].rstrip())


def only_asks(text: str) -> bool:
    """Whether each of its sentences is a question; with what is said before one, it tells something."""
    return all(text[start:end].rstrip().endswith("?") for start, end in sentences(text))


def _bits(text: str, told: ReadMessage) -> Iterator[TurnPart]:
    """The smallest stretches there may be."""
    begins = [piece.span[0] for piece in told.pieces]
    for start, end in sentences(text):
        cuts = [cut for cut in begins if start < cut < end and _is_joined(text, start, cut)]
        for first, last in zip([start, *cuts], [*cuts, end], strict=True):
            yield TurnPart(first, last, small_talk(text[first:last]), first == start)


def _is_joined(text: str, start: int, cut: int) -> bool:
    """Whether the words before it stop, or one of those around it joins two clauses."""
    before = text[start:cut].rstrip()
    ahead, behind = _WORD.match(text, cut), _WORD.findall(before)[-1:]
    return before[-1:] in _STOPS or any(word.lower() in JOINS for word in ([ahead[0]] if ahead else []) + behind)


def _stands_apart(text: str, told: ReadMessage, last: TurnPart, bit: TurnPart, sure_at: Sequence[int]) -> bool:
    named = any(bit.start <= name.span[0] < bit.end for name in told.names)
    if len(_WORD.findall(text, bit.start, bit.end)) <= FEW_WORDS and not named:
        return False
    if bit.begins and all(any(one.start <= at < one.end for at in sure_at) for one in (last, bit)):
        return True
    return len(text) >= LONG or "\n" in text[last.start : bit.start]
