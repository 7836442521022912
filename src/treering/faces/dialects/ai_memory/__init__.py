"""The dialect of ai-memory: its tools, and the routes under which a server gives them."""

from __future__ import annotations

from treering.errors import TreeringError
from treering.faces.dialects.ai_memory.graph import (
    memory_entity_get_by_alias,
    memory_entity_register,
    memory_kg_invalidate,
    memory_kg_query,
    memory_kg_timeline,
    memory_link,
)
from treering.faces.dialects.ai_memory.memories import (
    memory_consolidate,
    memory_detect_contradiction,
    memory_forget,
    memory_get,
    memory_list,
    memory_recall,
    memory_store,
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
    Route("GET", "/memories", memory_list),
    Route("GET", "/memories/{id}", memory_get, shape=_wrapped),
    Route("DELETE", "/memories/{id}", memory_forget),
    Route("POST", "/memories/{id}/forget", memory_forget),
    Route("POST", "/forget", memory_forget),
    Route("GET", "/search", memory_recall),
    Route("GET", "/recall", memory_recall),
    Route("POST", "/recall", memory_recall),
    Route("POST", "/links", memory_link, 201),
    Route("POST", "/kg/query", memory_kg_query),
    Route("GET", "/kg/timeline", memory_kg_timeline),
    Route("POST", "/kg/invalidate", memory_kg_invalidate),
    Route("POST", "/entities", memory_entity_register, 201),
    Route("GET", "/entities/by_alias", memory_entity_get_by_alias),
    Route("GET", "/entities/by-alias", memory_entity_get_by_alias),
    Route("POST", "/consolidate", memory_consolidate, 201),
    Route("GET", "/contradictions", memory_detect_contradiction),
)

AI_MEMORY = Dialect(
    name="ai-memory",
    about="A typed link graph over titled memories, with an entity registry and walks through time.",
    tools=by_name(*_TOOLS),
    fault=_fault,
    prefix="/api/v1",
    routes=_ROUTES,
)
