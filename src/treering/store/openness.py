"""What may a reader learn of a change? What was kept and not yet read may be private, and so may what was purged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.model.changes import Change, Marked, Purged, SourceAdded, SourceRestated, SourceTold, Thing

if TYPE_CHECKING:
    from treering.store.contract import Reader


def sources_are_open(reader: Reader, change: Change) -> bool:
    match change:
        case SourceAdded() | SourceRestated():
            return reader.source(change.source.id) is not None
        case Marked(Thing.SOURCE, source_id) | SourceTold(source_id):
            return reader.source(source_id) is not None
    return True


def is_told(change: Change) -> bool:
    """Whether something is left to tell of a change that may be told: of a purge, what not only some knew of."""
    return bool(open_ids(change)) or not change.about


def open_ids(change: Change) -> tuple[str, ...]:
    """What the change is about, without what not all who read the space knew of."""
    if isinstance(change, Purged):
        return tuple(one.id for one in change.gone if not one.private)
    return change.about
