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
from treering.faces.dialects.contract import Answer, Dialect, Route, by_name


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
    Route("POST", "/memories", memory_store, 201),
    Route("POST", "/memories/bulk", memory_bulk, 201, array="memories"),
    Route("GET", "/memories", memory_list),
    Route("GET", "/memories/{id}", memory_get, shape=_wrapped),
    Route("PUT", "/memories/{id}", memory_update),
    Route("DELETE", "/memories/{id}", memory_delete),
    Route("POST", "/memories/{id}/forget", memory_forget),
    Route("POST", "/memories/{id}/promote", memory_promote),
    Route("POST", "/forget", memory_forget),
    Route("POST", "/gc", memory_gc),
    Route("GET", "/search", memory_search),
    Route("GET", "/recall", memory_recall_many),
    Route("POST", "/recall", memory_recall_many),
    Route("POST", "/links", memory_link, 201),
    Route("DELETE", "/links", memory_unlink),
    Route("GET", "/links/{id}", memory_get_links),
    Route("POST", "/kg/query", memory_kg_query),
    Route("GET", "/kg/timeline", memory_kg_timeline),
    Route("POST", "/kg/invalidate", memory_kg_invalidate),
    Route("POST", "/entities", memory_entity_register, 201),
    Route("GET", "/entities/by_alias", memory_entity_get_by_alias),
    Route("GET", "/entities/by-alias", memory_entity_get_by_alias),
    Route("POST", "/consolidate", memory_consolidate, 201),
    Route("GET", "/contradictions", memory_detect_contradiction),
    Route("POST", "/check_duplicate", memory_check_duplicate),
    Route("POST", "/archive", memory_archive),
    Route("GET", "/archive", memory_archive_list),
    Route("GET", "/archive/stats", memory_archive_stats),
    Route("POST", "/archive/{id}/restore", memory_archive_restore),
    Route("DELETE", "/archive/{id}", memory_archive_drop),
    Route("GET", "/namespaces", memory_namespaces),
    Route("POST", "/namespaces", memory_namespace_set_standard, 201),
    Route("DELETE", "/namespaces", memory_namespace_clear_standard),
    Route("GET", "/taxonomy", memory_get_taxonomy),
    Route("GET", "/capabilities", memory_capabilities),
    Route("GET", "/stats", memory_stats),
    Route("GET", "/export", memory_export),
    Route("POST", "/import", memory_import, array="memories"),
    Route("POST", "/session/start", memory_session_start),
)

AI_MEMORY = Dialect(
    name="ai-memory",
    about="A typed link graph over titled memories, with an entity registry and walks through time.",
    tools=by_name(*_TOOLS),
    fault=_fault,
    prefix="/api/v1",
    routes=_ROUTES,
)
