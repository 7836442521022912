"""Who waits for long work is told how far it is, and what is left of it when it is broken off."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from tests.faces.command import PROGRAM
from tests.faces.test_reembed_shown import on_error_terminal

import treering
from treering.door import Treering
from treering.faces.cli.progress import BROKEN_OFF, watching

Work = Callable[[Treering, Path], object]


def chats(folder: Path) -> str:
    """An account's export with more messages than are read at once."""
    nodes = {
        str(number): {
            "message": {
                "author": {"role": "user"},
                "create_time": 1_700_000_000 + number,
                "content": {"content_type": "text", "parts": [f"My locker number {number} is in hall {number % 7}"]},
            },
            "parent": str(number - 1) if number else None,
            "children": [str(number + 1)],
        }
        for number in range(300)
    }
    told = [{"title": "Lockers", "create_time": 1_700_000_000, "mapping": nodes, "current_node": "299"}]
    path = folder / "conversations.json"
    path.write_text(json.dumps(told))
    return str(path)


def bring_in(door: Treering, folder: Path) -> object:
    with treering.open(":memory:") as other:
        other.add("Ada likes tea", space="far")
        other.add("Bo likes cake", space="far")
        other.export(str(folder / "far.jsonl"))
    return door.import_journal(str(folder / "far.jsonl"))


LONG: dict[str, Work] = {
    "verify": lambda door, _: door.verify(),
    "doctor": lambda door, _: door.doctor(),
    "export": lambda door, folder: door.export(str(folder / "out.jsonl")),
    "backup": lambda door, folder: door.backup(str(folder / "copy.db")),
    "import_journal": bring_in,
    "add_file": lambda door, folder: door.add_file(chats(folder)),
    "add_many": lambda door, _: door.add_many([{"content": f"Locker {number} is mine"} for number in range(300)]),
}


@pytest.mark.parametrize("work", LONG)
def test_long_work_tells_how_far_it_is_until_all_is_done(work: str, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with treering.open(tmp_path / "work.db", embedder="static") as door:
        door.add("Ada likes tea")
        door.add("Bo likes cake", space="lab")
        LONG[work](door.watched(lambda done, of: told.append((done, of))), tmp_path)
    assert told
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1] > 0


def test_a_journal_from_a_pipe_is_read_but_once(tmp_path: Path) -> None:
    """How much there is to read is not known then."""
    import os
    import threading

    with treering.open(":memory:") as here:
        here.add("Ada likes tea")
        here.export(str(tmp_path / "out.jsonl"))
    os.mkfifo(tmp_path / "pipe")
    writing = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes((tmp_path / "out.jsonl").read_bytes()))
    writing.start()
    with treering.open(":memory:") as there:
        assert there.import_journal(str(tmp_path / "pipe")).added == 1
    writing.join()


@pytest.mark.parametrize(
    ("words", "doing"), [(("verify",), "checking"), (("export", "{}/out.jsonl"), "writing"), (("doctor",), "checking")]
)
def test_a_terminal_sees_a_bar_of_it(words: tuple[str, ...], doing: str, store: Path, tmp_path: Path) -> None:
    with treering.open(store) as mem:
        for number in range(40):
            mem.add(f"Ada has {number} apples")
    spoken = [word.format(tmp_path) for word in words]
    code, _, shown = on_error_terminal([*PROGRAM, "--url", str(store), *spoken])
    assert code == 0
    assert doing in shown
    assert "/40" in shown
    assert on_error_terminal([*PROGRAM, "--url", str(store), "verify", "--json"])[2] == ""


@pytest.mark.parametrize(
    ("work", "kept"), [("reembed", True), ("resume", True), *((one, False) for one in (*LONG, "migrate"))]
)
def test_broken_off_it_says_that_it_goes_on_only_where_it_does(work: str, kept: bool) -> None:
    def broken_off() -> None:
        with watching(True, True, work) as watch:
            watch(1, 2)
            raise KeyboardInterrupt

    with pytest.raises((click.Abort, KeyboardInterrupt)) as told:
        broken_off()
    assert (str(told.value) == BROKEN_OFF) == kept
