"""How do agents of LongMem speak to Treering? By its ten tools; a collection is a space, and what is latest is current.

What a memory was filed under there (category, source, metadata, container tag) is kept in its meta.
"""

from __future__ import annotations

from treering.errors import TreeringError
from treering.faces.dialects.contract import Answer, Dialect, by_name
from treering.faces.dialects.longmem.collections import (
    archive_stale,
    collection_health,
    find_duplicates,
    list_collections,
    summarize_collection,
    what_changed,
)
from treering.faces.dialects.longmem.memories import get_memory, related_memory, search_memory, store_memory


def _fault(error: TreeringError) -> Answer:
    return {"detail": str(error)}


LONGMEM = Dialect(
    name="longmem",
    about="LongMem: collections of facts that update and extend one another.",
    tools=by_name(
        store_memory,
        search_memory,
        get_memory,
        list_collections,
        related_memory,
        what_changed,
        collection_health,
        summarize_collection,
        find_duplicates,
        archive_stale,
    ),
    fault=_fault,
)
