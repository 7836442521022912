"""A fresh environment with nothing but the core: it is light, it works, and it says by name what it lacks."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from tools.weight import MEGABYTE, MOST_MEGABYTES, installed, weigh

pytestmark = pytest.mark.slow

IN_PYTHON = """
import json, treering
with treering.open("work.db") as door:
    door.remember("Ada moved to Lisbon in May. She works at Nordwind.")
    print(json.dumps([
        [hit.memory.content for hit in door.recall("Where does Ada live?").hits],
        [fact.relation for fact in door.facts(subject="Ada")],
        len(door.graph("Ada").nodes),
    ]))
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("core") / "env"
    installed(home, [])
    return home


def run(home: Path, *command: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TREERING", "PYTHON"))}
    done = subprocess.run(
        [home / "bin" / command[0], *command[1:]],
        cwd=home,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done


def test_the_core_with_its_models_weighs_at_most_what_was_promised(home: Path) -> None:
    sizes = weigh(home)
    assert sizes.total() / MEGABYTE <= MOST_MEGABYTES, sizes.most_common(10)
    assert not {"mcp", "starlette", "uvicorn", "prometheus_client", "psycopg", "markitdown"} & set(sizes)


def test_the_core_remembers_recalls_and_walks_from_python_and_the_command_line(home: Path) -> None:
    found, facts, nodes = json.loads(run(home, "python", "-c", IN_PYTHON).stdout)
    assert "Lisbon" in found[0]
    assert {"LIVES_IN", "WORKS_FOR"} <= set(facts)
    assert nodes > 1
    store = ("treering", "--url", "said.db", "--json")
    run(home, *store, "remember", "Bo lives in Bergen. Bo works at Havn.")
    assert "Bergen" in run(home, *store, "recall", "Where does Bo live?").stdout
    assert "LIVES_IN" in run(home, *store, "facts", "--subject", "Bo").stdout
    assert "Havn" in run(home, *store, "graph", "Bo").stdout


@pytest.mark.parametrize(("command", "extra"), [("mcp", "mcp"), ("serve", "server"), ("ui", "server")])
def test_what_needs_an_extra_says_which(home: Path, command: str, extra: str) -> None:
    done = run(home, "treering", "--url", "said.db", command, code=7)
    assert f"pip install 'treering[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr
