"""Which memories were told in a part of the words of another? Clauses of a statement, and what it surely states."""

from __future__ import annotations

from treering.model.memory import Memory, View
from treering.store.contract import MemoryFilter, Reader


def told_within(reader: Reader, whole: Memory, view: View = View.ALL) -> list[Memory]:
    """Those of its source that stand within its stretch, and take up less of it."""
    start, end = whole.span
    some = reader.memories(MemoryFilter(view=view, source_id=whole.source_id))
    return [one for one in some if start <= one.span[0] and one.span[1] <= end and one.span != whole.span]
