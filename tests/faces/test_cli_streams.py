"""What does the command line do with its streams? `-` is standard output for what is written to a file, an output that
is closed or full is no fault, and whoever interrupts it early sees no traceback."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from tests.faces.command import PROGRAM, WORDS_ALONE, Here, clean_environment, program
from tests.faces.conftest import Life

import treering
from treering.faces import cli as the_program
from treering.faces.client import Client
from treering.faces.mcp.text import told as told_to_agents


def shelled(line: str, store: Path) -> subprocess.CompletedProcess[str]:
    command = " ".join((*PROGRAM, "--url", str(store), line))
    return subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, env=clean_environment(**WORDS_ALONE), check=False
    )


@pytest.mark.usefixtures("life")
def test_a_journal_goes_to_standard_output_whole_and_alone(store: Path, tmp_path: Path) -> None:
    file = tmp_path / "journal.jsonl"
    program("--url", str(store), "export", str(file))
    told = program("--url", str(store), "export", "-")
    assert (told.code, told.err) == (0, "")
    assert told.out == file.read_text()
    assert {"actor", "hash", "op"} <= json.loads(told.out.splitlines()[0]).keys()


@pytest.mark.usefixtures("life")
def test_a_folder_of_notes_does_not_go_there(cli: Here) -> None:
    told = cli("export", "-", "--format", "markdown")
    assert (told.code, told.out) == (2, "")
    assert "name a folder" in told.err


@pytest.mark.usefixtures("life")
def test_a_command_whose_output_is_closed_is_done_all_the_same(store: Path) -> None:
    told = shelled("add 'I keep bees' >&-", store)
    assert (told.returncode, told.stderr) == (0, "")
    with treering.open(store) as door:
        assert "I keep bees" in [one.content for one in door.list()]


@pytest.mark.usefixtures("life")
def test_a_full_disk_is_told_as_what_it_is(store: Path) -> None:
    told = shelled("list > /dev/full", store)
    assert told.returncode == 6
    assert told.stderr == "error: the system refuses: No space left on device\n"


def test_who_interrupts_while_the_program_loads_sees_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_words: list[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sys.argv", ["treering", "list"])
    monkeypatch.setattr("treering.faces.hooks.shell.handed_over", interrupted)
    with pytest.raises(SystemExit) as ended:
        the_program.main()
    assert ended.value.code == 130
    assert ended.value.__suppress_context__


@pytest.mark.usefixtures("life")
def test_advice_names_commands_not_operations(cli: Here) -> None:
    assert "`treering review list` shows what waits" in cli("review", "show", "nothing").err


def test_agents_are_told_parameters_not_options(store: Path, life: Life) -> None:
    with treering.open(store) as door:
        page = door.list(limit=1)
        assert page.next
        told = told_to_agents(page)
        assert f"more: cursor {page.next}" in told
        assert "--cursor" not in told
        door.add("run it with --force")
        assert "--force" in told_to_agents(door.list())


@pytest.mark.parametrize("url", ["localhost:8321", "ftp://host", "http://", ""])
def test_an_address_of_no_server_is_refused_before_anything_is_asked(url: str) -> None:
    with pytest.raises(treering.InvalidRequest, match="no address of a server"):
        Client(url)
