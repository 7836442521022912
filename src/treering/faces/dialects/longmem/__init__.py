"""How do clients of LongMem speak to Treering? Agents by its tools, programs by its routes: both keep and tell the
same. A collection is a space, and what is latest is current."""

from __future__ import annotations

from treering.errors import TreeringError
from treering.faces.dialects.contract import Answer, Dialect, DialectRoute, by_name
from treering.faces.dialects.longmem.collections import (
    archive_stale,
    collection_health,
    create_collection,
    delete_collection,
    find_duplicates,
    get_collection,
    list_collections,
    summarize_collection,
    update_collection,
    what_changed,
)
from treering.faces.dialects.longmem.memories import (
    delete_memory,
    get_memory,
    list_memories,
    related_memory,
    restore_memory,
    store_memory,
    update_memory,
)
from treering.faces.dialects.longmem.remembering import remember
from treering.faces.dialects.longmem.searching import search_memory


def _fault(error: TreeringError) -> Answer:
    return {"detail": str(error)}


def _related(answer: Answer) -> Answer:
    return {"id": answer["memory_id"], "related": answer["related"]}


def _profile(answer: Answer) -> Answer:
    return {"collection": answer["collection"], "profile": answer["summary"], "memories": answer["memory_ids"]}


_ONE = "/collections/{collection}"
_MEMORY = _ONE + "/memories/{memory_id}"
_ROUTES = (
    DialectRoute("GET", "/collections", list_collections),
    DialectRoute("POST", "/collections", create_collection, 201, again=200),
    DialectRoute("GET", _ONE, get_collection),
    DialectRoute("PUT", _ONE, update_collection),
    DialectRoute("DELETE", _ONE, delete_collection),
    DialectRoute("POST", _ONE + "/memories", store_memory, 201),
    DialectRoute("GET", _ONE + "/memories", list_memories),
    DialectRoute("GET", _MEMORY, get_memory),
    DialectRoute("PUT", _MEMORY, update_memory),
    DialectRoute("DELETE", _MEMORY, delete_memory),
    DialectRoute("POST", _MEMORY + "/restore", restore_memory),
    DialectRoute("GET", _MEMORY + "/related", related_memory, shape=_related),
    DialectRoute("POST", _ONE + "/search", search_memory),
    DialectRoute("POST", "/search", search_memory),
    DialectRoute("GET", _ONE + "/profile", summarize_collection, shape=_profile),
)

LONGMEM = Dialect(
    name="longmem",
    about="LongMem: collections of facts that update and extend one another.",
    tools=by_name(
        remember,
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
        restore_memory,
    ),
    fault=_fault,
    prefix="/v1/memory",
    routes=_ROUTES,
)
