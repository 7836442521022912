"""What is saved and opened through CortexGraph's tools."""

from __future__ import annotations

from typing import Any

import pytest
from tests.seeds.conftest import Tools

from treering.door import Treering


@pytest.fixture
def tools(door: Treering) -> Tools:
    return Tools(door, "cortexgraph")


def saved(tools: Tools, content: str, **more: Any) -> str:
    return str(tools("save_memory", content=content, **more)["memory_id"])


def opened(tools: Tools, memory_id: str) -> dict[str, Any]:
    [memory] = tools("open_memories", memory_ids=memory_id)["memories"]
    return dict(memory)
