"""WHO is compared, how is each installed, and how do its users call it? Servers of the Model Context Protocol by their
tools over standard input and output; libraries by a program of few lines in their own environment."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from bench.peers import endpoint

HERE = Path(__file__).parent
_HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}


class Memory(Protocol):
    """One that is running."""

    process: subprocess.Popen[bytes]

    def write(self, text: str, about: str) -> None: ...

    def search(self, asked: str, about: str) -> list[str]: ...


class Failed(Exception):
    """It could not do what it was asked, and this is what it said."""


class Lines:
    """A program that takes and gives lines of JSON."""

    def __init__(self, command: list[str], folder: Path, env: Mapping[str, str] | None = None) -> None:
        self._errors = folder / "stderr.txt"
        with self._errors.open("wb") as errors:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env={**os.environ, **(env or {})}
            )

    def send(self, told: Mapping[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(told).encode() + b"\n")
        self.process.stdin.flush()

    def take(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            try:
                told = json.loads(line)
            except ValueError:
                continue  # some print words of their own there
            if isinstance(told, dict):
                return told
        raise Failed(self._errors.read_text("utf-8", "replace").strip()[-300:] or "it ended without a word")


class Library(Lines):
    def __init__(self, command: list[str], folder: Path, env: Mapping[str, str] | None = None) -> None:
        super().__init__(command, folder, env)
        self.take()

    def write(self, text: str, about: str) -> None:
        self.send({"write": text})
        self.take()

    def search(self, asked: str, about: str) -> list[str]:
        self.send({"search": asked})
        return [str(one) for one in self.take()["found"]]


@dataclass(frozen=True)
class Tools:
    """How a server's tools are called: name and arguments, and which texts an answer holds, best first."""

    write: Callable[[str, str], list[tuple[str, dict[str, Any]]]]
    search: Callable[[str, str], tuple[str, dict[str, Any]]]
    found: Callable[[dict[str, Any]], list[str]]


class Server(Lines):
    def __init__(self, command: list[str], folder: Path, tools: Tools, env: Mapping[str, str] | None = None) -> None:
        super().__init__(command, folder, env)
        self._tools, self._asked = tools, 0
        self._ask("initialize", _HELLO)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        self._asked += 1
        self.send({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params})
        while True:
            told = self.take()
            if told.get("id") == self._asked and ("result" in told or "error" in told):
                break
        if "error" in told or told["result"].get("isError"):
            raise Failed(json.dumps(told)[:300])
        result: dict[str, Any] = told["result"]
        return result

    def write(self, text: str, about: str) -> None:
        for name, arguments in self._tools.write(text, about):
            try:
                self._ask("tools/call", {"name": name, "arguments": arguments})
            except Failed as error:
                if "Duplicate content" not in str(error):  # what is too near to the known is refused by some
                    raise

    def search(self, asked: str, about: str) -> list[str]:
        name, arguments = self._tools.search(asked, about)
        return self._tools.found(self._ask("tools/call", {"name": name, "arguments": arguments}))


def _text(result: dict[str, Any]) -> str:
    return "\n".join(str(one.get("text", "")) for one in result["content"])


TREERING = Tools(
    lambda text, about: [("remember", {"content": text})],
    lambda asked, about: ("recall", {"query": asked, "limit": 5}),
    lambda result: [str(one["memory"]["content"]) for one in result["structuredContent"]["hits"]],
)
CORTEXGRAPH = Tools(
    lambda text, about: [("save_memory", {"content": text})],
    lambda asked, about: ("search_memory", {"query": asked, "top_k": 5}),
    lambda result: [str(one["content"]) for one in result["structuredContent"]["results"]],
)
REFERENCE = Tools(
    lambda text, about: [
        ("create_entities", {"entities": [{"name": about, "entityType": "person", "observations": []}]}),
        ("add_observations", {"observations": [{"entityName": about, "contents": [text]}]}),
    ],
    lambda asked, about: ("search_nodes", {"query": about}),
    lambda result: [text for one in result["structuredContent"]["entities"] for text in one["observations"]],
)
SERVICE = Tools(
    lambda text, about: [("memory_store", {"content": text})],
    lambda asked, about: ("memory_search", {"query": asked, "limit": 5}),
    lambda result: re.findall(r"^\d+\. (.*)$", _text(result), re.MULTILINE),
)


@dataclass(frozen=True)
class System:
    name: str
    called: str
    install: Callable[[Path], list[list[str]]]
    start: Callable[[Path, Path, str], Memory]
    """From its environment, a folder for what it keeps, and the endpoint that embeds."""


def _venv(*packages: str, python: str = sys.executable) -> Callable[[Path], list[list[str]]]:
    def commands(home: Path) -> list[list[str]]:
        return [
            [python, "-m", "venv", str(home)],
            [str(home / "bin" / "python"), "-m", "pip", "install", "--quiet", *packages],
        ]

    return commands


def _loads_extensions() -> str:
    """A Python whose SQLite takes extensions, where there is one."""
    asks = "import sqlite3, sys; sys.exit(not hasattr(sqlite3.connect(':memory:'), 'enable_load_extension'))"
    for python in (sys.executable, "/usr/bin/python3"):
        if Path(python).exists() and subprocess.run([python, "-c", asks], check=False).returncode == 0:
            return python
    return sys.executable


def _npm(home: Path) -> list[list[str]]:
    package = "@modelcontextprotocol/server-memory@2026.8.31"
    return [["npm", "install", "--silent", "--ignore-scripts", "--prefix", str(home), package]]


def _of_mem0(home: Path, kept: Path, url: str) -> Memory:
    command = [str(home / "bin" / "python"), str(HERE / "mem0_lines.py"), str(kept), url, str(endpoint.DIMS)]
    return Library(command, kept, {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(kept), "HOME": str(kept)})


def _of_service(home: Path, kept: Path, url: str) -> Memory:
    env = {
        "HOME": str(kept),
        "MCP_MEMORY_STORAGE_BACKEND": "sqlite_vec",
        "MCP_MEMORY_BASE_DIR": str(kept),
        "MCP_MEMORY_SQLITE_PATH": str(kept / "memory.db"),
        "MCP_EXTERNAL_EMBEDDING_URL": f"{url}/embeddings",
        "MCP_EXTERNAL_EMBEDDING_MODEL": "minilm",
    }
    return Server([str(home / "bin" / "memory"), "server"], kept, SERVICE, env)


SYSTEMS = (
    System(
        "Treering",
        "MCP `remember`, `recall`; its own embedder, reader and judge",
        lambda home: [],
        lambda home, kept, url: Server(
            [sys.executable, "-m", "treering.faces.cli", "mcp"], kept, TREERING, {"TREERING_URL": str(kept / "work.db")}
        ),
    ),
    System(
        "CortexGraph 1.2.1",
        "MCP `save_memory`, `search_memory`; embeddings are off unless a model is downloaded",
        _venv("cortexgraph==1.2.1", "mcp<2"),
        lambda home, kept, url: Server(
            [str(home / "bin" / "cortexgraph")],
            kept,
            CORTEXGRAPH,
            {"CORTEXGRAPH_STORAGE_PATH": str(kept), "HOME": str(kept)},
        ),
    ),
    System(
        "MCP reference server 2026.8.31",
        "MCP `create_entities`, `add_observations`; `search_nodes` with the person's name, as it finds substrings only",
        _npm,
        lambda home, kept, url: Server(
            ["node", str(home / "node_modules" / ".bin" / "mcp-server-memory")],
            kept,
            REFERENCE,
            {"MEMORY_FILE_PATH": str(kept / "memory.jsonl")},
        ),
    ),
    System(
        "mem0 2.2.1, infer off",
        "its library, qdrant on disk, MiniLM at an endpoint of this machine",
        _venv("mem0ai==2.2.1"),
        _of_mem0,
    ),
    System(
        "mcp-memory-service 12.2.0",
        "MCP `memory_store`, `memory_search`; sqlite-vec, MiniLM at an endpoint of this machine; "
        "what is too like something kept is refused, and counts as written",
        _venv("mcp-memory-service==12.2.0", python=_loads_extensions()),
        _of_service,
    ),
    System(
        "plain MiniLM + BM25",
        "100 lines of Python, `bench/peers/plain_lines.py`",
        lambda home: [],
        lambda home, kept, url: Library([sys.executable, "-m", "bench.peers.plain_lines", str(kept)], kept),
    ),
)
