"""How is an answer told to a model? In few words: what was found, from when, and the ids to go on with.

An answer with no telling of its own is told from the blocks that the command line draws, so that a new operation can
be read at once. Whatever somebody has said is quoted before it is written down (`quoting`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from treering.faces.cli.blocks import Block, Line, Pairs, Rows, TimelineRows, short_time
from treering.faces.cli.kept import matches
from treering.faces.cli.render import rendered
from treering.faces.mcp.quoting import harmless, one_line
from treering.model.memory import WRITTEN_BY
from treering.recall.answer import Answer, Context, Hit
from treering.recall.quote import NOTE, name, quoted, reported
from treering.upkeep.forget import Forgetting
from treering.upkeep.profile import WrittenProfile

if TYPE_CHECKING:
    from treering.model.memory import Memory


def told(result: Any) -> str:
    """Never empty: a model that sees nothing asks again."""
    telling = _TELLINGS.get(type(result))
    text = telling(result) if telling is not None else _with_note(result, lambda one: _lines(rendered(one)))
    return text.strip() or "nothing"


def _with_note(result: Any, lines: Callable[[Any], Iterable[str]]) -> str:
    """A line each; before them that they quote, if they do."""
    answer, has_quoted = harmless(result)
    written = [one_line(line) for line in lines(answer)]
    return "\n".join([NOTE, *written] if has_quoted else written)


def _answer(answer: Answer) -> str:
    if not answer.hits:
        return f"Nothing is known about that ({answer.view.value} view)."
    return "\n".join([NOTE, *(f"{place}. {_hit(hit)}" for place, hit in enumerate(answer.hits, 1))])


def _hit(hit: Hit) -> str:
    notes = [*_standing(hit), *_said(hit), f"id {hit.memory.id}", _why(hit)]
    clashes = [f"\n   but: {quoted(one.content)} ({one.memory_id})" for one in hit.conflicts]
    before = [f"\n   before: {quoted(one.content)} ({one.memory_id})" for one in hit.outdates]
    return f"{quoted(hit.memory.content)}\n   [{'; '.join(notes)}]{''.join(clashes)}{''.join(before)}"


def _why(hit: Hit) -> str:
    """It may name who said it: that closes no bracket."""
    return one_line(hit.why).replace("[", "(").replace("]", ")")


def _standing(hit: Hit) -> Iterator[str]:
    memory = hit.memory
    if memory.state.value not in ("active", "promoted"):
        yield memory.state.value + (f" by {hit.superseded_by}" if hit.superseded_by else "")
    if hit.outdated_by is not None:
        yield f"probably outdated by {hit.outdated_by}"
    yield _window(memory)


def _window(memory: Memory) -> str:
    until = "" if memory.valid_until is None else f" until {short_time(memory.valid_until)}"
    return f"from {short_time(memory.valid_from)}{until}"


def _said(hit: Hit) -> Iterator[str]:
    for source in hit.sources[:1]:
        if source.speaker:
            yield f"said by {name(source.speaker)}"
    memory = hit.memory
    if writer := memory.meta.get(WRITTEN_BY):
        yield reported(memory.observed_by or "", str(writer))


def _forgetting(found: Forgetting) -> str:
    shown = _with_note(found, lambda one: _lines(matches(one)))
    if not found.matches or found.forgotten:
        return shown
    return f'{shown}\nTo forget exactly these, say the same again with confirm="{found.token}".'


def _profile(found: WrittenProfile) -> str:
    if not found.sentences:
        return _with_note(found, lambda one: _lines(rendered(one)))
    return "\n".join([NOTE, *(f"- {quoted(one.text)} [{one.memory_id}]" for one in found.sentences)])


_OPTION = re.compile(r"(?<!\S)--([a-z][a-z-]*)")


def _lines(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        match block:
            case Line():
                yield _in_parameters(block.text) if block.names_options else block.text
            case Pairs():
                yield from (f"{name}: {one.whole()}" for name, one in block.pairs)
            case Rows() if not block.rows:
                yield block.empty
            case Rows():
                yield from _rows(block)
            case TimelineRows():
                yield from (" | ".join(part for part in one.record if part) for one in block.happenings)


def _in_parameters(text: str) -> str:
    """What the shell calls `--max-hops` is `max_hops` here."""
    return _OPTION.sub(lambda hit: hit[1].replace("-", "_"), text)


def _rows(block: Rows) -> Iterator[str]:
    """The heading once, then a line for each."""
    kept = [place for place, _ in enumerate(block.columns) if any(row[place].shown for row in block.rows)]
    names = [block.columns[place].name for place in kept]
    if any(names):
        yield " | ".join(names)
    for row in block.rows:
        yield " | ".join(row[place].whole() for place in kept)


_TELLINGS: dict[type, Callable[[Any], str]] = {
    Answer: _answer,
    Context: lambda context: context.text or "Nothing is known about that.",
    Forgetting: _forgetting,
    WrittenProfile: _profile,
}
