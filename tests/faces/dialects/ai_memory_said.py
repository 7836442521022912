"""What is said to the dialect of ai-memory, for the tests beside."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from treering.door import Treering
from treering.faces.dialects import DIALECTS

AI_MEMORY = DIALECTS["ai-memory"]
NEVER = "550e8400-e29b-41d4-a716-446655440000"
Say = Callable[..., dict[str, Any]]


@pytest.fixture
def say(mem: Treering) -> Say:
    """Calls a tool as a face would, and holds every answer to be plain JSON."""

    def call(name: str, **arguments: Any) -> dict[str, Any]:
        answer = AI_MEMORY.answer(mem, name, arguments)
        assert json.loads(json.dumps(answer)) == answer
        return answer

    return call


def stored(say: Say, title: str, content: str = "", **more: Any) -> str:
    return str(say("memory_store", title=title, content=content or f"About {title}.", **more)["id"])
