"""What the command line shows of long reading: a bar on a terminal, one line when it is broken off, what is left."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.faces.command import PROGRAM, Here, clean_environment, on_terminal, program

import treering
from treering.faces.cli.headline import reembedded
from treering.upkeep.reembed import Reembedded

ROOT = Path(__file__).parents[2]
READ = "not read for meaning yet: treering reembed"
_SLOW = """
import os, sys, time
from tests.recall.listening import Listening
from treering.faces.cli import main
from treering.mind import minds
os.environ["TREERING_EMBEDDER"] = "turnfinder"
minds.open_embedder = lambda kind: Listening(kind, lambda _: time.sleep(0.2))
sys.argv = ["treering", *sys.argv[1:]]
main()
"""


@pytest.fixture
def left(store: Path) -> Path:
    """A store in which nothing was read."""
    with treering.open(store) as mem:
        mem.add_many([{"content": f"Ada has {n} apples", "entities": ["Ada"]} for n in range(200)])
    return store


def slow(*words: str) -> list[str]:
    """The program with an embedder that takes its time."""
    return [sys.executable, "-c", _SLOW, *words]


def on_error_terminal(words: list[str]) -> tuple[int, str, str]:
    """A run whose standard error alone is a terminal: exit code, standard output, and what the terminal got."""
    master, slave = pty.openpty()
    environment = clean_environment(COLUMNS="100")
    running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=slave, env=environment, cwd=ROOT)
    os.close(slave)
    shown = bytearray()
    while True:
        try:
            shown += os.read(master, 65536)
        except OSError:
            break
    os.close(master)
    out, _ = running.communicate(timeout=60)
    return running.returncode, out.decode(), shown.decode()


def test_a_terminal_sees_how_far_it_is_how_fast_and_how_long_it_takes(left: Path) -> None:
    code, out, shown = on_error_terminal(slow("--url", str(left), "reembed"))
    assert code == 0
    assert "reading" in shown
    assert "64/201" in shown
    assert "/s" in shown
    assert "0:00:0" in shown
    assert "complete\tyes" in out
    assert "reading" not in out


def test_without_a_terminal_or_with_json_there_is_no_bar(left: Path) -> None:
    assert on_error_terminal(slow("--url", str(left), "reembed", "--limit", "70", "--json"))[2] == ""
    outcome = program("--url", str(left), "reembed", "--embedder", "static")
    assert (outcome.code, outcome.err) == (0, "")
    assert ["read", "201"] in outcome.rows


def test_other_commands_show_no_bar_on_a_terminal(left: Path) -> None:
    assert on_error_terminal([*PROGRAM, "--url", str(left), "list"])[2] == ""


@pytest.mark.parametrize("name", [pytest.param("static", marks=pytest.mark.slow), None])
def test_ctrl_c_keeps_what_was_read_and_says_how_to_go_on(name: str | None, left: Path) -> None:
    words = slow("--url", str(left), "reembed", *(["--embedder", name] if name else []))
    running = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_environment(), cwd=ROOT, text=True
    )
    embedder = name or "turnfinder"
    with treering.open(left) as mem:
        while not list(mem._store.vectors("default", embedder)):
            assert running.poll() is None
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
        assert (running.returncode, out) == (130, "")
        assert err.strip() == "error: interrupted; what was read is kept, and the same command goes on from there"
        kept = len(list(mem._store.vectors("default", embedder)))
        assert 0 < kept < 201
        assert (mem.status().seq, mem.verify().ok) == (1, True)
    again = subprocess.run([*words, "--json"], capture_output=True, env=clean_environment(), cwd=ROOT, check=True)
    assert f'"read": {201 - kept}'.encode() in again.stdout


@pytest.mark.slow
def test_what_was_read_is_told_in_a_line(left: Path) -> None:
    where = ("--url", str(left), "--no-color", "reembed", "--embedder", "static")
    program("--url", str(left), "reembed", "--limit", "1")
    some = on_terminal(*where, "--limit", "10").out
    assert "static read 10 memories and names, 191 left; the same command goes on\n" in some
    assert "static read 191 memories and names, and default is read by it from now on\n" in on_terminal(*where).out
    assert "static had read all of default\n" in on_terminal(*where).out
    program("--url", str(left), "add-many", "-", "--embed-later", stdin=b'{"content": "one"}')
    assert "static read 1 memory or name, and so all of default\n" in on_terminal(*where).out


@pytest.mark.parametrize(("switched", "end"), [(True, "any more"), (False, "here; nothing was done")])
def test_that_nothing_reads_is_told_in_a_line(switched: bool, end: str) -> None:
    done = Reembedded(space="lab", embedder="none", read=0, complete=True, switched=switched)
    assert reembedded(done) == f"nothing reads lab for meaning {end}"


def test_a_question_says_what_is_not_read_yet(left: Path, cli: Here) -> None:
    where = ("--url", str(left), "--no-color", "recall", "How many apples has Ada?", "--limit", "1")
    assert on_terminal(*where).out.splitlines()[-1] == f"200 of 200 memories are {READ}"
    assert READ not in program(*where).out
    assert READ not in on_terminal(*where, TREERING_EMBEDDER="none").out
    program("--url", str(left), "reembed", "--embedder", "static")
    assert READ not in on_terminal(*where).out
    program("--url", str(left), "add", "Bo has an apple", "--space", "lab", TREERING_EMBEDDER="none")
    elsewhere = ("--url", str(left), "--no-color", "recall", "purple elephants", "--space", "lab")
    told = on_terminal(*elsewhere, TREERING_EMBEDDER="static").out
    assert told.splitlines()[-1] == f"1 of 1 memories are {READ} --space lab"
