"""What do people see on a terminal? Tables in colour that fit any width, hits with their reasons, and nothing that was
remembered can speak to the terminal itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from tests.faces.calls import CALLS, words_of
from tests.faces.command import WORDS_ALONE, Here, on_terminal, program
from tests.faces.conftest import Life

import treering
from treering.faces.cli import paper


def test_a_terminal_gets_a_table_in_colour(store: Path, life: Life) -> None:
    shown = on_terminal("--url", str(store), "list").out
    assert "\x1b[32mactive" in shown
    assert "content" in shown
    assert f"…{life['job'][-8:]}" in shown
    assert life["job"] not in shown


def test_a_wide_terminal_gets_whole_ids(store: Path, life: Life) -> None:
    shown = on_terminal("--url", str(store), "facts", columns=160).out
    assert life["fact"] in shown
    assert life["job"] in shown


@pytest.mark.parametrize("columns", [30, 45, 69])
def test_a_narrow_terminal_gets_records_below_one_another_and_no_line_too_long(
    columns: int, store: Path, life: Life
) -> None:
    shown = on_terminal("--url", str(store), "list", "--no-color", columns=columns).out
    assert max(len(line) for line in shown.splitlines()) <= columns
    assert "Sam works at Google" in shown
    assert life["job"] in shown.replace("\n", "").replace(" ", "")


@pytest.mark.parametrize("how", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {}])
def test_without_colour_there_is_no_escape_sequence(how: dict[str, str], store: Path, life: Life) -> None:
    words = [] if how else ["--no-color"]
    for command in (["list"], ["history", life["fact"]], ["verify"]):
        shown = on_terminal("--url", str(store), *words, *command, **how)
        assert shown.code == 0
        assert "\x1b" not in shown.out
        assert shown.out.strip()


def test_what_was_remembered_cannot_speak_to_the_terminal(store: Path) -> None:
    words = ("add", "\x1b]0;owned\x07 [bold red]loud[/bold red] \x9b31m", "--tags", "\x1b[2J")
    program("--url", str(store), *words, **WORDS_ALONE)
    with treering.open(store) as mem:
        memory = mem.list()[0].id
    for command in (["list"], ["history", memory], ["get", memory]):
        shown = on_terminal("--url", str(store), "--no-color", *command).out
        assert not {"\x1b", "\x07", "\x9b"} & set(shown)
    assert "[bold red]loud[/bold red]" in shown


def _widths() -> list[Any]:
    """Each on a narrow terminal and on a wider one, in turn; in the slow group on all."""
    turns = [
        (operation, columns, columns == 40 or place % 2 == columns // 160)
        for place, operation in enumerate(CALLS)
        for columns in (40, 80, 160)
    ]
    return [
        pytest.param(operation, columns, marks=[] if now else pytest.mark.slow) for operation, columns, now in turns
    ]


@pytest.mark.parametrize(("operation", "columns"), _widths())
def test_every_answer_fits_a_terminal_of_any_width(
    operation: str, columns: int, cli: Here, names: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paper, "paper", lambda _: paper.Screen(Console(width=columns, color_system=None)))
    outcome = cli(*words_of(CALLS[operation][0], names))
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.strip()
    assert max(len(line) for line in outcome.out.splitlines()) <= columns


def test_hits_are_drawn_with_rank_score_state_words_and_reasons(store: Path, life: Life) -> None:
    program("--url", str(store), "revise", life["job"], "Sam works at Anthropic", **WORDS_ALONE)
    where = ("--url", str(store), "--no-color", "recall", "Where did Sam work before?")
    shown = on_terminal(*where, **WORDS_ALONE).out
    assert shown.count("●") == 3
    assert "Sam works at Google" in shown
    assert "superseded, replaced by " in shown
    assert "has sam" in shown
    assert "keyword +" not in shown
    explained = on_terminal(*where, "--explain", **WORDS_ALONE).out
    assert explained.count("│ keyword +") + explained.count("  keyword +") == 3
    assert "█" in explained


def test_a_question_about_nothing_known_says_so_to_people_and_nothing_to_programs(store: Path, life: Life) -> None:
    for command in ("recall", "context"):
        words = ("--url", str(store), "--no-color", command, "purple elephants")
        assert on_terminal(*words, **WORDS_ALONE).out == "nothing known about that\n"
        piped = program(*words, **WORDS_ALONE)
        assert (piped.code, piped.out) == (0, "")


@pytest.mark.parametrize("form", ["markdown", "xml", "json"])
def test_a_context_is_printed_as_it_stands_and_nothing_else(form: str, cli: Here, life: Life) -> None:
    cli("add", "Sam works\n# on \x1b[31mred\u200d\u2028 things")
    asked = ("context", "Where does Sam work?", "--format", form)
    assert cli(*asked).out == cli(*asked, "--json").json["text"] + "\n"


def test_what_kept_a_memory_out_is_told_first(cli: Here, life: Life) -> None:
    told = cli("why-not", "Where does Sam work?", life["old"]).out
    assert told.startswith("It is forgotten, and no view of a question shows it; restore brings it back.\n")
    assert cli("why-not", "Where does Sam work?", life["job"]).out.startswith("It was found: number 1 of ")


def test_a_history_says_in_plain_words_what_replaced_what(cli: Here, store: Path, life: Life) -> None:
    new = cli("revise", life["home"], "Sam lives in Oslo", "--json").json["memories"][0]["id"]
    program("--url", str(store), "undo", str(cli("journal", "--limit", "1", "--json").json["lines"][0]["seq"]))
    again = cli("revise", life["home"], "Sam lives in Bergen", "--json").json["memories"][0]["id"]
    old = on_terminal("--url", str(store), "--no-color", "history", life["home"], columns=160).out
    assert "was replaced by “Sam lives in Bergen”" in old
    assert f"was replaced by: {again}" in old
    assert "undone by entry" in old
    now = on_terminal("--url", str(store), "--no-color", "history", again, columns=160).out
    assert "took the place of “Sam lives in Austin”" in now
    assert f"took the place of: {life['home']}" in now
    assert not {"←", "→", "supersedes"} & {*old.split(), *now.split()}
    assert f"undone by {cli('journal', '--limit', '2', '--json').json['lines'][1]['seq']}:" in cli("journal").out
    assert new != again


def test_a_history_is_drawn_as_a_line_of_time(store: Path, life: Life) -> None:
    program("--url", str(store), "invalidate", "Sam", "Google", "WORKS_FOR", "--at", "2025-05-05", "--why", "left")
    shown = on_terminal("--url", str(store), "--no-color", "history", life["fact"]).out
    assert shown.count("●") == 2
    assert "│ add by local, entry 1, by the rule stated" in shown
    assert "closed at 2025-05-05T00:00:00Z" in shown
    assert "why: left" in shown
