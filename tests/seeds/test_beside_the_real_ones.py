"""The same calls to the real CortexGraph, the real MCP reference server and to Treering, in one run: what the others
answer is in our answers, field by field. `make others` brings them; without them these tests are skipped, and say so.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from tests.faces.mcp.agents import program

import treering

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
OTHERS = Path(os.environ.get("TREERING_TEST_OTHERS") or Path(__file__).parents[2] / ".others")
CORTEXGRAPH = OTHERS / "cortexgraph" / "bin"
REFERENCE = OTHERS / "reference" / "node_modules" / ".bin" / "mcp-server-memory"
NOT_SERVED = {"observe_memory_usage"}
"""In CortexGraph's document, and not among the tools of its server."""
OTHERWISE = {
    "get_performance_metrics": "it tells of the operations of the program that is asked",
    "consolidate_memoriespreview": "its document and its server differ; the document is kept",
}
"""Answers that are not compared, and why."""


def _must_be_here(*files: Path) -> None:
    missing = [str(one) for one in files if not one.exists()]
    if missing:
        pytest.skip(f"run `make others` to compare with the real ones; not there: {', '.join(missing)}")


def _data(answer: Any) -> Any:
    """What was answered as data: structured, or JSON in the text."""
    told = answer.structured_content
    if told is None or set(told) == {"result"}:
        told = (told or {}).get("result", answer.content[0].text if answer.content else None)
    if isinstance(told, str):
        try:
            return json.loads(told)
        except ValueError:
            return {"text": told}
    return told


async def _lived(server: StdioServerParameters) -> tuple[dict[str, set[str]], dict[str, Any]]:
    """A short life with every tool: the parameters of each, and what it answered."""
    answers: dict[str, Any] = {}
    async with Client(server, mode="legacy") as client:
        listed = await client.list_tools()
        parameters = {one.name: set((one.input_schema or {}).get("properties", {})) for one in listed.tools}

        async def ask(name: str, /, **given: Any) -> Any:
            answers[name + given.get("mode", "")] = told = _data(await client.call_tool(name, given))
            return told

        said = "Use JWT tokens for authentication in all {}new APIs"
        one = await ask("save_memory", content=said.format(""), tags=["security"], entities=["jwt"])
        other = await ask("save_memory", content=said.format("the "), tags=["security"], entities=["jwt"])
        first, second = one["memory_id"], other["memory_id"]
        await ask("search_memory", query="JWT", top_k=5)
        await ask("search_unified", query="JWT")
        await ask("touch_memory", memory_id=first, boost_strength=True)
        await ask("analyze_message", message="Remember: I prefer dark mode in all my apps")
        await ask("analyze_for_recall", message="What did I say about TypeScript?")
        await ask("gc")
        await ask("promote_memory", auto_detect=True, dry_run=True)
        await ask("create_relation", from_memory_id=first, to_memory_id=second, relation_type="related", strength=0.9)
        await ask("read_graph")
        await ask("open_memories", memory_ids=[first])
        await ask("cluster_memories", threshold=0.5)
        await ask("consolidate_memories", auto_detect=True, mode="preview", cohesion_threshold=0.5)
        await ask("auto_recall_process_message", message="We are working on JWT authentication for the new API.")
        await ask("get_performance_metrics")
        await ask("reset_performance_metrics")
    return parameters, answers


def _lacking(real: Any, ours: Any, where: str) -> list[str]:
    """What the real answer has and ours has not, or has of another type."""
    if real is None or ours is None:
        return []
    if isinstance(real, dict):
        if not isinstance(ours, dict):
            return [f"{where} is no object"]
        gone = [f"{where}.{name} is missing" for name in real if name not in ours]
        return gone + [
            one for name in real if name in ours for one in _lacking(real[name], ours[name], f"{where}.{name}")
        ]
    if isinstance(real, list):
        if not isinstance(ours, list):
            return [f"{where} is no list"]
        return _lacking(real[0], ours[0], f"{where}[0]") if real and ours else []
    if isinstance(real, bool) or isinstance(ours, bool) or isinstance(real, str):
        return [] if type(real) is type(ours) else [f"{where}: {real!r} there, {ours!r} here"]
    return [] if isinstance(ours, int | float) else [f"{where}: {real!r} there, {ours!r} here"]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Any:
    _must_be_here(CORTEXGRAPH / "cortexgraph")
    home = tmp_path_factory.mktemp("real")
    environment = {**os.environ, "HOME": str(home), "CORTEXGRAPH_STORAGE_PATH": str(home / "jsonl")}
    real = StdioServerParameters(command=str(CORTEXGRAPH / "cortexgraph"), args=[], env=environment)
    ours = program(home / "ours.db", "cortexgraph", TREERING_EMBEDDER="none")
    return asyncio.run(_lived(real)), asyncio.run(_lived(ours)), home


def test_every_tool_of_the_real_server_is_here_with_its_parameters(both: Any) -> None:
    """Every tool of CortexGraph 1.2.1 is here, and takes every parameter that it takes there."""
    (real, _), (ours, _), _ = both
    assert real.keys() <= ours.keys()
    assert {name: taken - ours[name] for name, taken in real.items() if taken - ours[name]} == {}
    assert ours.keys() - real.keys() >= NOT_SERVED


def test_every_field_of_a_real_answer_is_in_ours(both: Any) -> None:
    """Every field that CortexGraph 1.2.1 answers is in our answer to the same call, of the same type."""
    (_, real), (_, ours), _ = both
    lacking = [one for name in real if name not in OTHERWISE for one in _lacking(real[name], ours[name], name)]
    assert lacking == []


def test_a_folder_of_the_real_one_is_taken_over_and_given_back(both: Any, tmp_path: Path) -> None:
    """A folder that the real CortexGraph wrote comes in with its state, twice the same, and can be read by it again."""
    _, _, home = both
    folder = home / "jsonl"
    with treering.open(tmp_path / "taken.db", embedder="none") as mem:
        done = mem.import_memories(str(folder))
        assert (done.memories, done.left_out) == (2, {})
        assert mem.import_memories(str(folder)).memories == 0
        mem.export(str(tmp_path / "back"), format="cortexgraph")
        kept = {one.id: one for one in mem.survey("all").memories}
    before = _read_by_the_real_one(folder)
    after = _read_by_the_real_one(tmp_path / "back")
    for memory_id, told in before["memories"].items():
        told["entities"] = sorted(told["entities"])
        told["strength"] = round(told["strength"], 6)
        same = {name: after["memories"][memory_id][name] for name in told if name not in ("review_priority", "embed")}
        assert same == {name: value for name, value in told.items() if name in same}
        assert kept[memory_id].use_count == told["use_count"]
    assert after["relations"] == before["relations"]


def _read_by_the_real_one(folder: Path) -> Any:
    script = (
        "import json, sys; from pathlib import Path; from cortexgraph.storage.jsonl_storage import JSONLStorage; "
        "s = JSONLStorage(Path(sys.argv[1])); s.connect(); "
        "print(json.dumps({'memories': {k: v.model_dump(mode='json') for k, v in s.memories.items()}, "
        "'relations': {k: v.model_dump(mode='json') for k, v in s.relations.items()}}))"
    )
    done = subprocess.run(
        [CORTEXGRAPH / "python", "-c", script, folder], capture_output=True, text=True, check=True, timeout=120
    )
    return json.loads(done.stdout.strip().splitlines()[-1])


def test_what_the_reference_server_kept_is_taken_over(tmp_path: Path) -> None:
    """The graph that the real MCP reference server writes comes in whole: entities, observations and relations."""
    _must_be_here(REFERENCE)
    file = tmp_path / "memory.jsonl"
    server = StdioServerParameters(command=str(REFERENCE), args=[], env={**os.environ, "MEMORY_FILE_PATH": str(file)})
    made = [
        {"name": "Ada", "entityType": "person", "observations": ["works at Stripe", "plays the cello"]},
        {"name": "Stripe", "entityType": "company", "observations": ["makes payments"]},
    ]
    related = [{"from": "Ada", "to": "Stripe", "relationType": "works_for"}]

    async def lived() -> Any:
        async with Client(server, mode="legacy") as client:
            await client.call_tool("create_entities", {"entities": made})
            await client.call_tool("create_relations", {"relations": related})
            return _data(await client.call_tool("read_graph", {}))

    graph = asyncio.run(lived())
    with treering.open(tmp_path / "ours.db", embedder="none") as mem:
        mem.add_file(file)
        assert {one.name for one in mem.entities()} >= {one["name"] for one in graph["entities"]}
        [fact] = mem.facts()
        assert (fact.subject, fact.relation, fact.object) == ("Ada", "WORKS_FOR", "Stripe")
        said = " ".join(one.content for one in mem.list())
        for entity in graph["entities"]:
            assert all(one in said for one in entity["observations"])
        assert mem.entity("Ada").memories_count >= 2
