"""What the dialect of ai-memory declares: every tool, with its parameters, defaults, bounds and other names."""

from __future__ import annotations

from typing import Any

import pytest
from tests.faces.dialects.ai_memory_said import AI_MEMORY, NEVER

from treering.errors import InvalidRequest, LimitExceeded
from treering.faces.dialects.contract import DialectTool
from treering.operation import READS, WRITES, WRITES_ONCE, Effect

EFFECTS: dict[str, Effect] = {
    "memory_kg_query": READS,
    "memory_kg_timeline": READS,
    "memory_kg_invalidate": WRITES_ONCE,
    "memory_entity_register": WRITES_ONCE,
    "memory_entity_get_by_alias": READS,
    "memory_link": WRITES_ONCE,
    "memory_unlink": WRITES_ONCE,
    "memory_consolidate": WRITES,
    "memory_detect_contradiction": WRITES_ONCE,
    "memory_store": WRITES,
    "memory_recall": READS,
    "memory_get": WRITES,
    "memory_list": READS,
    "memory_forget": WRITES_ONCE,
}

# Tool: its parameters; those that must be given have no default here.
PARAMETERS: dict[str, dict[str, Any]] = {
    "memory_kg_query": {
        "start_id": ..., "relations": None, "depth": 3, "as_of": None, "namespace": None, "include_invalidated": False,
        "include_automatic": False,
    },
    "memory_kg_timeline": {"node_id": ..., "since": None, "until": None, "relations": None},
    "memory_kg_invalidate": {"source_id": ..., "target_id": ..., "relation": ..., "valid_until": None},
    "memory_entity_register": {"canonical_name": ..., "namespace": None, "aliases": [], "kind": None},
    "memory_entity_get_by_alias": {"alias": ..., "namespace": None},
    "memory_link": {
        "source_id": ..., "target_id": ..., "relation": "related_to", "valid_from": None, "valid_until": None,
        "observed_by": None,
    },
    "memory_unlink": {"source_id": ..., "target_id": ..., "relation": None},
    "memory_consolidate": {"ids": ..., "title": ..., "summary": None, "namespace": None},
    "memory_detect_contradiction": {"id_a": None, "id_b": None, "topic": None, "namespace": None},
    "memory_store": {
        "title": ..., "content": ..., "tier": "mid", "namespace": None, "tags": [], "priority": 5, "confidence": 1.0,
        "source": "claude", "metadata": {}, "agent_id": None, "expires_at": None,
    },
    "memory_recall": {
        "context": ..., "namespace": None, "limit": 10, "tags": [], "since": None, "until": None, "budget_tokens": None,
    },
    "memory_get": {"id": ..., "namespace": None},
    "memory_list": {"namespace": None, "tier": None, "limit": 20, "session_id": None, "agent_id": None},
    "memory_forget": {"ids": None, "namespace": None, "pattern": None, "tier": None, "dry_run": False},
}  # fmt: skip


def test_the_tools_are_those_of_the_other_system() -> None:
    assert list(AI_MEMORY.tools) == list(PARAMETERS)
    assert {name: one.effect for name, one in AI_MEMORY.tools.items()} == EFFECTS


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_tool_has_these_parameters_with_these_defaults(name: str) -> None:
    schema = AI_MEMORY.tool(name).schema()
    needed = set(schema.get("required", ()))
    declared = {one: ... if one in needed else told["default"] for one, told in schema["properties"].items()}
    assert declared == PARAMETERS[name]
    assert all(told.get("description") for told in schema["properties"].values())
    assert AI_MEMORY.tool(name).description.endswith(".")


# Tool, an argument, what it is refused for, and values at its bounds that are taken.
BOUNDS: list[tuple[str, str, list[Any], list[Any]]] = [
    ("memory_kg_query", "depth", [0, 9, "deep"], [1, 8]),
    ("memory_kg_query", "relations", [["causes"], ["WORKS_FOR"], "extends", ["updates"]], [["related_to"], [], None]),
    ("memory_kg_query", "start_id", ["", None], []),
    ("memory_kg_query", "as_of", ["yesterday", "2026-04-15T00:00:00"], ["2026-04-15T00:00:00Z", None]),
    ("memory_kg_timeline", "relations", [["about_entity"]], [["supersedes", "contradicts"]]),
    ("memory_kg_timeline", "since", ["soon"], ["2026-01-01T00:00:00Z"]),
    ("memory_kg_invalidate", "relation", ["extends", "", None], ["contradicts", "kg_related_to"]),
    ("memory_link", "relation", ["causes", "consolidated_from", "Related_To"], ["derived_from", "kg_related_to"]),
    ("memory_entity_register", "canonical_name", ["", None], ["AlphaOne LLC"]),
    ("memory_entity_register", "kind", ["k" * 51], ["organization", None]),
    ("memory_consolidate", "ids", [[], ["a"], ["a"] * 101], [["a"] * 2, ["a"] * 100]),
    ("memory_consolidate", "title", ["", None], ["t"]),
    ("memory_store", "tier", ["forever", None], ["short", "mid", "long"]),
    ("memory_store", "priority", [0, 11, 1.5], [1, 10]),
    ("memory_store", "confidence", [-0.1, 1.1], [0, 1]),
    ("memory_store", "title", ["", "t" * 501], ["t" * 500]),
    ("memory_store", "content", ["", "c" * 65_537, "é" * 32_769], ["c" * 65_536, "é" * 32_768]),
    ("memory_store", "tags", [["t"] * 51], ["a,b", ["a"]]),
    ("memory_store", "metadata", ["x", None], [{"a": [1]}]),
    ("memory_recall", "limit", [0, 51], [1, 50]),
    ("memory_recall", "context", ["", None], ["x"]),
    ("memory_recall", "budget_tokens", [0], [1, None]),
    ("memory_list", "limit", [0, 1001], [1, 1000]),
    ("memory_list", "tier", ["forever"], ["short", None]),
    ("memory_forget", "pattern", [""], ["x", None]),
    ("memory_forget", "dry_run", ["perhaps"], [True, "true"]),
]
LEAST: dict[str, dict[str, Any]] = {
    "memory_kg_query": {"start_id": NEVER},
    "memory_kg_timeline": {"node_id": NEVER},
    "memory_kg_invalidate": {"source_id": NEVER, "target_id": NEVER, "relation": "related_to"},
    "memory_entity_register": {"canonical_name": "Orion"},
    "memory_link": {"source_id": NEVER, "target_id": NEVER},
    "memory_unlink": {"source_id": NEVER, "target_id": NEVER},
    "memory_consolidate": {"ids": ["a", "b"], "title": "t"},
    "memory_store": {"title": "t", "content": "c"},
    "memory_recall": {"context": "c"},
    "memory_list": {},
    "memory_forget": {},
}


@pytest.mark.parametrize(
    ("name", "parameter", "refused", "taken"), BOUNDS, ids=lambda one: one if isinstance(one, str) else ""
)
def test_a_parameter_is_held_to_its_bounds(name: str, parameter: str, refused: list[Any], taken: list[Any]) -> None:
    tool: DialectTool = AI_MEMORY.tool(name)
    for wrong in refused:
        with pytest.raises((InvalidRequest, LimitExceeded), match=parameter):
            tool.check({**LEAST[name], parameter: wrong})
    for right in taken:
        tool.check({**LEAST[name], parameter: right})


OTHER_NAMES = [
    ("memory_kg_query", "start_id", "source_id", NEVER),
    ("memory_kg_query", "depth", "max_depth", 5),
    ("memory_kg_query", "as_of", "valid_at", "2026-04-15T00:00:00Z"),
    ("memory_kg_timeline", "node_id", "source_id", NEVER),
    ("memory_recall", "context", "q", "tea"),
    ("memory_forget", "ids", "id", [NEVER]),
]


@pytest.mark.parametrize(("name", "first", "other", "value"), OTHER_NAMES)
def test_where_clients_use_another_name_it_is_read_too(name: str, first: str, other: str, value: Any) -> None:
    tool = AI_MEMORY.tool(name)
    least = {key: one for key, one in LEAST[name].items() if key != first}
    assert getattr(tool.check({**least, other: value}), first) == getattr(tool.check({**least, first: value}), first)
