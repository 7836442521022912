"""How does the program behave among others? It loads no more than it needs, ends quietly when nobody reads on, stops
when told to, and tells shells and people what its words mean."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from tests.faces.command import PROGRAM, WORDS_ALONE, Here, clean_environment, fresh_program, program
from tests.faces.conftest import Life

import treering
from treering.door import OPERATIONS
from treering.faces.cli import app
from treering.faces.cli.commands import NAMES
from treering.faces.cli.completing import SHELLS
from treering.faces.cli.words import by_position


def test_treering_alone_shows_what_there_is() -> None:
    outcome = fresh_program()
    assert (outcome.code, outcome.err) == (0, "")
    listed = re.findall(r"^  ([a-z][a-z-]*)  +\S", outcome.out.split("\nRemember:")[1], re.MULTILINE)
    assert sorted(listed) == sorted({*(name.split()[0] for name in NAMES), *app.MORE})
    assert max(map(len, outcome.out.splitlines())) <= 80


def test_it_tells_its_version() -> None:
    assert program("--version").out == program("--json", "--version").out == f"treering {treering.__version__}\n"


def _loaded_by(*words: str) -> set[str]:
    code = (
        "import sys\nfrom treering.faces.cli import main\n"
        f"sys.argv = ['treering', *{list(words)!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    print(*sys.modules, file=sys.stderr)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return {name.split(".")[0] for name in ended.stderr.split()}


def test_telling_the_version_loads_nothing_heavy() -> None:
    loaded = _loaded_by("--version")
    assert "treering" in loaded
    assert not loaded & {"sqlite3", "cryptography", "pydantic", "rich"}


@pytest.mark.parametrize("words", [[], ["--help"], ["rcall", "Who?"]])
def test_the_list_of_commands_is_there_without_what_they_do(words: list[str]) -> None:
    assert not _loaded_by(*words) & {"pydantic", "numpy", "sqlite3", "cryptography", "rich"}


@pytest.mark.parametrize("words", [["add", "--help"], ["add"]])
def test_help_and_refusals_load_no_store(words: list[str]) -> None:
    loaded = _loaded_by(*words)
    assert "click" in loaded
    assert not loaded & {"sqlite3", "cryptography", "rich"}


def test_a_list_of_a_small_store_is_there_at_once(store: Path, life: Life) -> None:
    """Measured against loading the libraries alone, in processor time: a slow or busy machine slows both. Both
    are compiled once, as whatever is installed is."""
    compiled = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}

    def seconds(*command: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True, env=compiled)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    libraries = "import click, sqlite3, pydantic, rich.table, cryptography.hazmat.primitives.asymmetric.ed25519"
    alone = min(seconds(sys.executable, "-c", libraries) for _ in range(3))
    listing = min(
        seconds(sys.executable, "-c", "from treering.faces.cli import main; main()", "--url", str(store), "list")
        for _ in range(3)
    )
    assert listing <= 8 * alone


def test_ctrl_c_ends_with_130_and_one_line(store: Path) -> None:
    """A real interrupt in a real process, at the moment the door is asked."""
    code = (
        "import os, signal, sys, time\nfrom treering.door import Treering\nfrom treering.faces.cli import main\n"
        "def interrupted(self, **asked):\n    os.kill(os.getpid(), signal.SIGINT)\n    time.sleep(10)\n"
        f"Treering.add = interrupted\nsys.argv = ['treering', '--url', {str(store)!r}, 'add', 'half a']\nmain()"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (130, "")
    assert ended.stderr.strip().startswith("error: interrupted")
    assert "\n" not in ended.stderr.strip()
    with treering.open(store) as mem:
        assert mem.verify().ok


@pytest.mark.parametrize("words", [["list", "--limit", "1000"], ["list", "--limit", "1000", "--json"], ["--help"]])
def test_a_pipe_that_nobody_reads_any_more_is_left_quietly(words: list[str], store: Path) -> None:
    with treering.open(store) as mem:
        mem.add_many([{"content": f"statement {n} " + "x" * 200} for n in range(1000)])
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [*PROGRAM, "--url", str(store), *words],
        stdout=writing,
        stderr=subprocess.PIPE,
        env=clean_environment(),
        timeout=60,
        check=False,
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, b"")


def test_a_pipe_gets_one_line_a_memory_whatever_it_says(cli: Here) -> None:
    cli("add", "two\nlines\tand \x1b[31mred\x1b[0m [bold]marks[/bold]")
    [row] = cli("list").rows
    assert row[2] == "two lines and \\x1b[31mred\\x1b[0m [bold]marks[/bold]"
    assert len(row) == 5


def test_a_dry_run_says_so_in_a_pipe_too(cli: Here) -> None:
    assert cli("add", "only imagined", "--dry-run").out.startswith("dry run, nothing was written: ")
    assert cli("list").out == ""


def test_an_output_that_knows_few_letters_is_no_error(store: Path) -> None:
    program("--url", str(store), "add", "snow ☃", **WORDS_ALONE)
    plain_lines = fresh_program("--url", str(store), "list", PYTHONIOENCODING="latin-1")
    assert (plain_lines.code, plain_lines.rows[0][2]) == (0, "snow \\u2603")
    assert (
        fresh_program("--url", str(store), "list", "--json", PYTHONIOENCODING="latin-1").json["memories"][0]["content"]
        == "snow ☃"
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_a_command_says_what_every_parameter_means(name: str, cli: Here) -> None:
    outcome = cli(*name.split(), "--help")
    told = " ".join(outcome.out.split()).replace("- ", "-")
    operation = OPERATIONS[NAMES[name]]
    assert outcome.code == 0
    assert operation.summary.replace("`", "") in told
    for parameter in operation.parameters:
        described = " ".join(parameter.description.split())
        assert described.replace("- ", "-") in told
        assert by_position(parameter) or "--" + parameter.name.replace("_", "-") in told


def test_the_shell_completes_commands_and_words(store: Path) -> None:
    def offered(line: str) -> set[str]:
        words = line.split(" ")
        asked = {"_TREERING_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
        return {one.split(",")[1] for one in program(**asked).out.split()}

    entities = {"entity-register", "entity-gather", "entity-get", "entity-merge", "entity-split"}
    assert offered("treering entity-") == entities
    assert offered("treering list --view ") == {"current", "history", "all"}
    assert "--known-at" in offered("treering facts --")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_is_told_how_to_complete(shell: str) -> None:
    assert f"_TREERING_COMPLETE={shell}_complete" in program("completion", shell).out


def test_bash_reads_what_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "treering").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m treering.faces.cli "$@"\n')
    (tmp_path / "treering").chmod(0o755)
    asked = 'eval "$(treering completion bash)" && complete -p treering'
    told = subprocess.run(
        ["bash", "-c", asked],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.endswith(" treering\n")
    assert not told.stderr
