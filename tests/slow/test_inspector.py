"""The protocol's own inspector, a client written by others in another language, reads and calls what agents get.

It is installed by npm when the test runs: npm must be there.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.faces.mcp.agents import program

from treering.faces.mcp.toolset import toolset

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
PACKAGE = "@modelcontextprotocol/inspector"


@pytest.fixture(scope="module")
def inspector(tmp_path_factory: pytest.TempPathFactory) -> Path:
    npm = shutil.which("npm")
    assert npm is not None, "npm is not installed; the inspector comes from it"
    folder = tmp_path_factory.mktemp("inspector")
    words = [npm, "install", "--silent", "--no-audit", "--no-fund", PACKAGE]
    subprocess.run(words, cwd=folder, check=True, capture_output=True, timeout=500)
    return folder / "node_modules" / ".bin" / "mcp-inspector"


def _asked(inspector: Path, store: Path, *wish: str) -> Any:
    server = program(store)
    words = [str(inspector), "--cli", server.command, *server.args[2:4], *wish, "--", *server.args[4:]]
    told = subprocess.run(words, capture_output=True, env=server.env, check=True, timeout=120)
    return json.loads(told.stdout)


def test_the_inspector_lists_and_calls_the_tools(inspector: Path, tmp_path: Path) -> None:
    store = tmp_path / "life.db"
    listed = _asked(inspector, store, "--method", "tools/list")
    assert [one["name"] for one in listed["tools"]] == list(toolset("core"))
    said = "content=I moved to Oslo.", "speaker=Sam"
    tool_arguments = [word for one in said for word in ("--tool-arg", one)]
    kept = _asked(inspector, store, "--method", "tools/call", "--tool-name", "remember", *tool_arguments)
    assert [one["content"] for one in kept["structuredContent"]["memories"]] == [
        "Sam moved to Oslo",
        "Sam lives in Oslo",
    ]
    templates = _asked(inspector, store, "--method", "resources/templates/list")
    assert "memory://{id}" in {one["uriTemplate"] for one in templates["resourceTemplates"]}
    prompts = _asked(inspector, store, "--method", "prompts/list")
    assert [one["name"] for one in prompts["prompts"]] == ["memory_habits"]
