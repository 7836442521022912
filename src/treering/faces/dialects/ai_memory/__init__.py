"""The dialect of ai-memory: its tools, and the routes under which a server gives them."""

from __future__ import annotations

from treering.errors import TreeringError
from treering.faces.dialects.ai_memory.archive import (
    memory_archive,
    memory_archive_drop,
    memory_archive_list,
    memory_archive_restore,
    memory_archive_stats,
)
from treering.faces.dialects.ai_memory.capable import memory_capabilities
from treering.faces.dialects.ai_memory.changing import (
    memory_bulk,
    memory_delete,
    memory_gc,
    memory_promote,
    memory_update,
)
from treering.faces.dialects.ai_memory.duplicates import memory_check_duplicate
from treering.faces.dialects.ai_memory.graph import (
    memory_entity_get_by_alias,
    memory_entity_register,
    memory_get_links,
    memory_kg_invalidate,
    memory_kg_timeline,
    memory_link,
    memory_unlink,
)
from treering.faces.dialects.ai_memory.memories import (
    memory_consolidate,
    memory_detect_contradiction,
    memory_forget,
    memory_get,
    memory_list,
    memory_recall,
    memory_recall_many,
    memory_search,
    memory_store,
)
from treering.faces.dialects.ai_memory.standing import (
    memory_get_taxonomy,
    memory_namespace_clear_standard,
    memory_namespace_set_standard,
    memory_namespaces,
)
from treering.faces.dialects.ai_memory.walking import memory_kg_query
from treering.faces.dialects.ai_memory.whole import (
    memory_export,
    memory_import,
    memory_session_start,
    memory_stats,
)
from treering.faces.dialects.contract import Answer, Dialect, DialectRoute, by_name


def _fault(error: TreeringError) -> Answer:
    return {"error": str(error), "code": error.code}


def _wrapped(answer: Answer) -> Answer:
    return {"memory": {name: value for name, value in answer.items() if name != "links"}, "links": answer["links"]}


_TOOLS = (
    memory_kg_query,
    memory_kg_timeline,
    memory_kg_invalidate,
    memory_entity_register,
    memory_entity_get_by_alias,
    memory_link,
    memory_unlink,
    memory_consolidate,
    memory_detect_contradiction,
    memory_store,
    memory_recall,
    memory_get,
    memory_list,
    memory_forget,
)
_ROUTES = (
    DialectRoute("POST", "/memories", memory_store, 201),
    DialectRoute("POST", "/memories/bulk", memory_bulk, 201, array="memories"),
    DialectRoute("GET", "/memories", memory_list),
    DialectRoute("GET", "/memories/{id}", memory_get, shape=_wrapped),
    DialectRoute("PUT", "/memories/{id}", memory_update),
    DialectRoute("DELETE", "/memories/{id}", memory_delete),
    DialectRoute("POST", "/memories/{id}/forget", memory_forget),
    DialectRoute("POST", "/memories/{id}/promote", memory_promote),
    DialectRoute("POST", "/forget", memory_forget),
    DialectRoute("POST", "/gc", memory_gc),
    DialectRoute("GET", "/search", memory_search),
    DialectRoute("GET", "/recall", memory_recall_many),
    DialectRoute("POST", "/recall", memory_recall_many),
    DialectRoute("POST", "/links", memory_link, 201),
    DialectRoute("DELETE", "/links", memory_unlink),
    DialectRoute("GET", "/links/{id}", memory_get_links),
    DialectRoute("POST", "/kg/query", memory_kg_query),
    DialectRoute("GET", "/kg/timeline", memory_kg_timeline),
    DialectRoute("POST", "/kg/invalidate", memory_kg_invalidate),
    DialectRoute("POST", "/entities", memory_entity_register, 201),
    DialectRoute("GET", "/entities/by_alias", memory_entity_get_by_alias),
    DialectRoute("GET", "/entities/by-alias", memory_entity_get_by_alias),
    DialectRoute("POST", "/consolidate", memory_consolidate, 201),
    DialectRoute("GET", "/contradictions", memory_detect_contradiction),
    DialectRoute("POST", "/check_duplicate", memory_check_duplicate),
    DialectRoute("POST", "/archive", memory_archive),
    DialectRoute("GET", "/archive", memory_archive_list),
    DialectRoute("GET", "/archive/stats", memory_archive_stats),
    DialectRoute("POST", "/archive/{id}/restore", memory_archive_restore),
    DialectRoute("DELETE", "/archive/{id}", memory_archive_drop),
    DialectRoute("GET", "/namespaces", memory_namespaces),
    DialectRoute("POST", "/namespaces", memory_namespace_set_standard, 201),
    DialectRoute("DELETE", "/namespaces", memory_namespace_clear_standard),
    DialectRoute("GET", "/taxonomy", memory_get_taxonomy),
    DialectRoute("GET", "/capabilities", memory_capabilities),
    DialectRoute("GET", "/stats", memory_stats),
    DialectRoute("GET", "/export", memory_export),
    DialectRoute("POST", "/import", memory_import, array="memories"),
    DialectRoute("POST", "/session/start", memory_session_start),
)

AI_MEMORY = Dialect(
    name="ai-memory",
    about="A typed link graph over titled memories, with an entity registry and walks through time.",
    tools=by_name(*_TOOLS),
    fault=_fault,
    prefix="/api/v1",
    routes=_ROUTES,
)
