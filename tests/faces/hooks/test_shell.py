"""A command from a shell is done by the helper where the user asked for one, exactly as the program does it; everywhere
else, and whenever the helper cannot, the program does it itself."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faces.command import Outcome

import treering
from treering.faces.hooks.place import HookFolder
from treering.faces.hooks.shell import command_of, handed_over, url_of

PROGRAM = (sys.executable, "-m", "treering.faces.cli")
SLOW = 100.0


class Shell:
    """A home of one's own with a store in it."""

    def __init__(self, home: Path) -> None:
        self.home, self.store = home, home / "work.db"
        self.env = {
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "TREERING_EMBEDDER": "none",
            "TREERING_JUDGE": "none",
            "TREERING_EXTRACTOR": "reader",
            "TREERING_HOOK_IDLE_SECONDS": "600",
            "TMPDIR": tempfile.gettempdir(),
        }
        self.place = HookFolder.of(self.env, str(self.store))

    def __call__(self, *words: str, **env: str) -> Outcome:
        ran = subprocess.run(
            [*PROGRAM, "--url", "work.db", *words],
            capture_output=True,
            cwd=self.home,
            env={**self.env, **env},
            timeout=SLOW,
            check=False,
        )
        return Outcome(ran.returncode, ran.stdout.decode(), ran.stderr.decode())

    def loads_nothing(self, *words: str) -> bool:
        """Whether it was done without the door."""
        code = (
            "import sys\nfrom treering.faces.cli import main\n"
            f"sys.argv = ['treering', '--url', 'work.db', *{list(words)!r}]\n"
            "try:\n    main()\nexcept SystemExit:\n    print('door' if 'treering.door' in sys.modules else 'none', "
            "file=sys.stderr)"
        )
        ran = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, cwd=self.home, env=self.env, timeout=SLOW, check=True
        )
        return ran.stderr.decode().split()[-1] == "none"


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    made = Shell(tmp_path)
    with treering.open(made.store, embedder="none") as mem:
        mem.add("Sam plays chess in Oslo", entities=["Sam"])
    yield made
    if made.place.shell.exists():
        made("helper", "stop")


def test_a_helper_does_what_the_program_does_until_it_is_stopped(shell: Shell) -> None:
    asked = ("recall", "Who plays chess?")
    alone = [shell(*asked), shell("get", "nosuch"), shell("get", "nosuch", "--json"), shell("recall", "x", "--nope")]
    assert alone[0].out.count("Sam plays chess") == 1
    started = shell("helper", "start", "--json").json
    assert started == {"store": str(shell.store), "handed_over": True, "running": True}
    assert stat.S_IMODE(shell.place.socket.stat().st_mode) == 0o600
    assert shell.loads_nothing(*asked)
    told = [shell(*asked), shell("get", "nosuch"), shell("get", "nosuch", "--json"), shell("recall", "x", "--nope")]
    assert told == alone
    # what it writes is in the store, for everybody
    assert shell("add", "Kim paints: “noir”").code == 0
    with treering.open(shell.store, embedder="none") as mem:
        assert [one.content for one in mem.list()][-1] == "Kim paints: “noir”"
        mem.add("Ann sings in Rome")
    assert "Ann sings in Rome" in shell("recall", "Who sings?").out
    # another actor is another person: done by the program itself
    assert shell("--actor", "eve", "add", "Eve was here").code == 0
    with treering.open(shell.store, embedder="none") as mem:
        assert {one.content: one.observed_by for one in mem.list()}["Eve was here"] == "eve"
    # another file under the same name: nothing is written to the one that is gone
    shell.store.rename(shell.home / "old.db")
    assert shell("recall", "Who sings?").code == 3
    assert shell("add", "A new beginning").code == 0
    with treering.open(shell.store, embedder="none") as mem:
        assert [one.content for one in mem.list()] == ["A new beginning"]
    stopped = shell("helper", "stop", "--json").json
    assert stopped == {"store": str(shell.store), "handed_over": False, "running": False}
    assert not shell.loads_nothing("recall", "Who sings?")


def test_nothing_is_handed_over_unless_it_was_asked_for(shell: Shell) -> None:
    words = ["--url", str(shell.store), "recall", "Who plays chess?"]
    assert handed_over(words, shell.env) is None
    assert not shell.place.folder.exists()


@pytest.mark.parametrize(
    "words",
    [
        ["recall", "x", "--help"],
        ["add", "-"],
        ["--actor", "eve", "recall", "x"],
        ["recall", "x", "--actor=eve"],
        ["add-file", "notes.md"],
        ["add-many", "lines.jsonl"],
        ["assert-facts", "facts.jsonl"],
        ["export", "all.jsonl"],
        ["reembed"],
        ["serve"],
        ["upkeep", "run"],
        ["helper", "status"],
        [],
    ],
)
def test_what_is_about_this_process_or_its_files_is_done_here(shell: Shell, words: list[str]) -> None:
    shell.place.folder.mkdir(parents=True)
    shell.place.shell.write_text(str(shell.store))
    assert handed_over(["--url", str(shell.store), *words], shell.env) is None
    assert not shell.place.lock.exists()  # and no helper was started for it
    shell.place.shell.unlink()


def test_a_store_is_known_by_its_whole_path(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shell.home)
    assert url_of(["recall", "x", "--url", "work.db"]) == url_of(["--url=work.db", "recall"]) == str(shell.store)
    assert url_of(["recall", "--", "--url", "work.db"]) is None
    assert url_of(["--url", "postgresql://db/x", "recall"]) == "postgresql://db/x"
    assert command_of(["--json", "--url", "a.db", "recall", "x"]) == "recall"
    assert handed_over(["recall", "x"], {**shell.env, "TREERING_URL": "work.db"}) is None


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--url", ":memory:", "helper", "start"], "is in one process only"),
        (["--actor", "eve", "helper", "start"], "set TREERING_ACTOR"),
    ],
)
def test_a_helper_that_could_serve_nobody_is_refused(shell: Shell, words: list[str], says: str) -> None:
    told = shell(*words)
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert says in told.err
