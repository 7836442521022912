"""What is shown of what a question found? Hits with their reasons, a block for a prompt, or what kept a memory out."""

from __future__ import annotations

from collections.abc import Iterator

from treering.faces.cli.blocks import Block, Cell, Line, Pairs, TimelineRow, TimelineRows, Tone, cell, short_time
from treering.faces.cli.headline import count
from treering.model.memory import SHOWN, Support, View
from treering.model.space import DEFAULT_SPACE
from treering.model.time import to_text
from treering.recall.answer import Answer, Context, Explanation, Hit, WhyNot

NOTHING = Line("nothing known about that", "quiet", for_people=True)
BAR, LONGEST_BAR = "█", 12


def answer(found: Answer) -> Iterator[Block]:
    if found.hits:
        yield TimelineRows(tuple(_hit(rank, hit) for rank, hit in enumerate(found, 1)))
    else:
        yield NOTHING
    for one in found.index:
        if one.embedder is not None and one.embedded < one.memories:
            unread = f"{one.memories - one.embedded:,} of {one.memories:,} memories are not read for meaning yet"
            where = "" if one.space == DEFAULT_SPACE else f" --space {one.space}"
            yield Line(f"{unread}: treering reembed{where}", "warn", for_people=True)
    if found.trouble:
        yield Line(found.trouble, "warn", for_people=True)


def context(block: Context) -> Iterator[Block]:
    """The text and nothing else, so that it can be piped."""
    if block.left_out and not block.text:
        yield Line(f"no hit of {block.left_out} fits into {count(block.budget_tokens, 'token')}", "warn", True)
    elif not block.text:
        yield NOTHING
    else:
        yield from (Line(line) for line in block.text.split("\n"))


def why_not(told: WhyNot) -> Iterator[Block]:
    tone: Tone = "good" if told.found else "warn"
    yield from (Line(reason, tone if place == 0 else "plain") for place, reason in enumerate(told.reasons))
    pairs = [("memory", Cell(told.memory_id, told.memory_id, "name", roomy=True))]
    for name, number in (("rank", told.rank), ("score", told.score), ("last hit", told.needed)):
        pairs += [(name, cell(number))] if number is not None else []
    pairs += [(name, cell(said, "quiet")) for name, said in _account(told.explanation)]
    yield Pairs(tuple(pairs))


def _hit(rank: int, hit: Hit) -> TimelineRow:
    memory, source = hit.memory, next(iter(hit.sources), None)
    speaker = (source.speaker if source else None) or ""
    state = "" if memory.state in SHOWN[View.CURRENT] else f"{memory.state}, "
    state = f"to be seen again, {state}" if hit.review else state
    by = f"replaced by {hit.superseded_by}, " if hit.superseded_by else ""
    by += f"probably outdated by {hit.outdated_by}, " if hit.outdated_by else ""
    notes = [f"{state}{by}{speaker + ', ' if speaker else ''}{short_time(memory.said_at)}, {memory.id}", hit.why]
    notes += ["rests on something that no longer holds"] if hit.support is Support.STALE else []
    notes += [f"conflicts with {one.memory_id}: {one.content}" for one in hit.conflicts]
    notes += [f"instead of {one.memory_id}, for it {one.why}: {one.content}" for one in hit.outdates]
    account = list(_account(hit.explanation))
    what = (memory.id, memory.state.value, memory.content, speaker, to_text(memory.said_at), hit.why)
    return TimelineRow(
        Cell(f"{rank}  {hit.score:.2f}"),
        memory.content,
        (*notes, *(f"{name} {said}" for name, said in account)),
        (str(rank), str(hit.score), *what, *(f"{name} {said.replace(BAR, '').rstrip()}" for name, said in account)),
    )


def _account(explained: Explanation | None) -> Iterator[tuple[str, str]]:
    """How the score came about, a line each: signals with bars, then what changed it, the way and the window."""
    if explained is None:
        return
    for name, signal in explained.signals.items():
        if signal.parts:
            bar = BAR * min(max(round(signal.score), 0), LONGEST_BAR)
            yield name, f"{signal.score:+.2f}, number {signal.rank} {bar}".rstrip()
    for name, added in explained.modifiers.items():
        if added:
            yield name, f"{added:+.2f}"
    if explained.path:
        yield "way", " → ".join(explained.path)
    if explained.window is not None:
        yield "window", f"{explained.window.text}, {explained.days_outside or 0:g} days outside"
