"""The dialect of Crosmos: its tools, and the routes under which a server gives them."""

from __future__ import annotations

from treering.errors import TreeringError
from treering.faces.dialects.contract import Answer, Dialect, DialectRoute, by_name
from treering.faces.dialects.crosmos.graph import get_entity, get_graph, get_graph_stats, list_entities
from treering.faces.dialects.crosmos.ingest import add_conversation, add_sources, get_job
from treering.faces.dialects.crosmos.memories import (
    delete_memory,
    get_memory,
    list_memories,
    restore_memory,
    search,
)
from treering.faces.dialects.crosmos.spaces import create_space, delete_space, get_space, list_spaces


def _fault(error: TreeringError) -> Answer:
    return {"detail": str(error), "code": error.code}


_ROUTES = (
    DialectRoute("POST", "/spaces", create_space, 201),
    DialectRoute("GET", "/spaces", list_spaces),
    DialectRoute("GET", "/spaces/{id}", get_space),
    DialectRoute("DELETE", "/spaces/{id}", delete_space, 204),
    DialectRoute("POST", "/sources", add_sources, 202),
    DialectRoute("POST", "/conversations", add_conversation, 202),
    DialectRoute("GET", "/jobs/{id}", get_job),
    DialectRoute("POST", "/search", search),
    DialectRoute("GET", "/memories", list_memories),
    DialectRoute("GET", "/memories/{id}", get_memory),
    DialectRoute("DELETE", "/memories/{id}", delete_memory, 204),
    DialectRoute("POST", "/memories/{id}/restore", restore_memory),
    DialectRoute("GET", "/entities", list_entities),
    DialectRoute("GET", "/entities/{id}", get_entity),
    DialectRoute("GET", "/graph", get_graph),
    DialectRoute("GET", "/graph/stats", get_graph_stats),
)

CROSMOS = Dialect(
    name="crosmos",
    about="Sources and conversations are read into memories and a graph that only grows.",
    tools=by_name(*(one.tool for one in _ROUTES)),
    fault=_fault,
    prefix="/api/v1",
    routes=_ROUTES,
)
