"""What was said, word for word? A source as one reader may see it, with the stretches that memories rest on."""

from __future__ import annotations

from datetime import datetime

from treering.model.memory import State, View
from treering.model.source import BLANK
from treering.model.value import Value
from treering.store.contract import MemoryFilter, Reader
from treering.store.naming import missing
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Stretch(Value):
    """The words from `start` on and before `end`, and the memory that rests on them."""

    memory_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SourceText(Value):
    """`content` is what was said; what the reader may not see in it is blanked, so that all stretches hold."""

    id: str
    space: str
    content: str
    kind: str
    speaker: str | None
    session: str | None
    key: str | None
    occurred_at: datetime
    recorded_at: datetime
    memories: tuple[Stretch, ...] = ()


def source_text(reader: Reader, source_id: str) -> SourceText:
    source = reader.source(source_id)
    if source is None:
        raise missing(reader, source_id, "id", "source")
    which = MemoryFilter(view=View.ALL, source_id=source_id)
    seen = {one.id: one for one in reader.memories(which) if one.state is not State.FORGOTTEN}
    content = source.content
    for memory in reader.all_seeing().memories(which):
        if memory.id not in seen:
            start, end = memory.span
            content = content[:start] + BLANK * (end - start) + content[end:]
    return SourceText(
        id=source.id,
        space=source.space,
        content=content,
        kind=str(source.kind),
        speaker=source.speaker,
        session=source.session,
        key=source.key,
        occurred_at=source.occurred_at,
        recorded_at=source.recorded_at,
        memories=tuple(Stretch(memory_id=one.id, start=one.span[0], end=one.span[1]) for one in seen.values()),
    )
