"""The core works without what the extras bring, and every part that needs them says by name what to install."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from treering.errors import Unsupported
from treering.extras import EXTRAS, missing, need

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
INSTALLING = PYPROJECT.parent / "docs" / "guides" / "installing.md"
EMBEDDERS = {"minilm", "multilingual", "static"}
"""Each is asked for by the embedder of its name, when that is chosen."""
BLOCKED = sorted({module.split(".")[0] for modules in EXTRAS.values() for module in modules} - {"anyio", "google"})
"""anyio comes with httpx, and google is a folder that packages share."""

CORE = """
import sys, json

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
"""

USED = """
import treering

with treering.open(":memory:") as door:
    door.remember("Ada moved to Lisbon in May. She works at Nordwind.")
    found = [hit.memory.content for hit in door.recall("Where does Ada live?").hits]
    facts = [fact.relation for fact in door.facts(subject="Ada")]
    nodes = len(door.graph("Ada").nodes)
print(json.dumps([found, facts, nodes, sorted(set(BLOCKED) & set(sys.modules))]))
"""

REFUSED = """
import importlib
from treering.errors import Unsupported

def told(make):
    try:
        make()
    except Unsupported as error:
        return str(error)

import treering
from treering.access.oidc import Issuer, OidcPolicy
from treering.traces import to_collector
told_by = {name: told(lambda: importlib.import_module(f"treering.faces.{name}")) for name in NAMES}
told_by["postgres"] = told(lambda: treering.open("postgresql://nobody@127.0.0.1:1/none"))
told_by["otel"] = told(lambda: to_collector("http://127.0.0.1:1"))
told_by["oidc"] = told(lambda: Issuer(OidcPolicy("https://id.example", ("treering",)), None))
with treering.open(":memory:") as door:
    told_by["files"] = told(lambda: door.add_file(PDF, name="a.pdf"))

from contextlib import redirect_stderr
from io import StringIO
from treering.faces.cli import main

for command in COMMANDS:
    sys.argv, said = ["treering", "--url", ":memory:", *command.split()], StringIO()
    with redirect_stderr(said):
        try:
            code = main()
        except SystemExit as ended:
            code = ended.code
    told_by[command] = f"{code} {said.getvalue()}"
print(json.dumps(told_by))
"""

ENTRANCES = {
    "rest.app": "server", "rest.serve": "server", "rest.agents": "server",
    "mcp.stdio": "mcp", "mcp.server": "mcp", "mcp.http": "mcp",
    "frameworks.langgraph": "langgraph", "frameworks.llama_index": "llama-index",
    "frameworks.openai_agents": "openai-agents", "frameworks.anthropic_memory": "anthropic",
    "frameworks.pydantic_ai": "pydantic-ai", "frameworks.adk": "adk", "frameworks.haystack": "haystack",
    "frameworks.crewai": "crewai", "frameworks.claude_agent": "claude-agent",
    "frameworks.strands": "strands", "frameworks.agno": "agno",
}  # fmt: skip


COMMANDS = {"mcp": "mcp", "mcp --http": "server", "serve": "server", "worker": "server", "ui": "server"}


def run(program: str, **names: object) -> subprocess.CompletedProcess[str]:
    given = "".join(f"{name} = {value!r}\n" for name, value in {"BLOCKED": BLOCKED, **names}.items())
    done = subprocess.run([sys.executable, "-c", given + CORE + program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


def test_the_core_remembers_recalls_and_walks_without_any_extra() -> None:
    found, facts, nodes, loaded = json.loads(run(USED).stdout)
    assert "Lisbon" in found[0]
    assert {"LIVES_IN", "WORKS_FOR"} <= set(facts)
    assert nodes > 1
    assert loaded == []


def test_each_part_names_the_extra_that_it_lacks() -> None:
    pdf = b"%PDF-1.4\n%%EOF\n"
    told = json.loads(run(REFUSED, NAMES=list(ENTRANCES), COMMANDS=list(COMMANDS), PDF=pdf).stdout)
    expected = {**ENTRANCES, **COMMANDS, "postgres": "postgres", "files": "files", "otel": "otel", "oidc": "oidc"}
    for name, extra in expected.items():
        if extra == "adk":  # where google is a folder of others, its own part is what is missing
            continue
        assert f"run: pip install 'treering[{extra}]'" in str(told[name]), (name, told[name])
        assert "not installed (" in told[name]
    assert all(told[command].startswith("7 ") and "Traceback" not in told[command] for command in COMMANDS)


def test_what_is_looked_for_is_what_the_project_declares() -> None:
    declared = set(tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]["optional-dependencies"])
    assert set(EXTRAS) | {"all", "dev"} | EMBEDDERS == declared


def test_the_page_on_installing_tells_of_every_extra() -> None:
    told = set(
        re.findall(r"`([\w-]+)`", "".join(re.findall(r"^\| (`.*?) \|", INSTALLING.read_text("utf-8"), re.MULTILINE)))
    )
    assert told == set(EXTRAS) | EMBEDDERS


def test_an_extra_that_is_there_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    need("mcp", "serving agents")
    monkeypatch.setitem(EXTRAS, "mcp", ("mcp", "nothing_of_this_name", "nothing.below"))  # type: ignore[misc]
    assert missing("mcp") == ("nothing_of_this_name", "nothing.below")
    with pytest.raises(Unsupported, match=r"serving agents needs .*nothing_of_this_name, nothing.below"):
        need("mcp", "serving agents")
