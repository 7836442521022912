"""The command line: every operation reachable, its JSON what Python answers, and its words from the command line, the
environment, standard input or a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.faces.calls import CALLS, filled, watch, words_of
from tests.faces.command import WORDS_ALONE, Here, program
from tests.faces.conftest import Life

import treering
from treering.door import OPERATIONS
from treering.faces.cli.commands import NAMES, command_name
from treering.model.value import plain


def test_every_operation_of_the_door_has_a_command_tried_here() -> None:
    assert CALLS.keys() == OPERATIONS.keys()
    assert set(NAMES.values()) == OPERATIONS.keys()
    for operation, (line, _) in CALLS.items():
        assert f"{line} ".startswith(f"{command_name(operation)} ")


@pytest.mark.parametrize("operation", CALLS)
def test_a_command_asks_the_door_for_what_was_said_and_its_json_is_the_answer(
    operation: str, cli: Here, names: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    line, arguments = CALLS[operation]
    seen = watch(monkeypatch, operation)
    outcome = cli(*words_of(line, names), "--json")
    assert (outcome.code, outcome.err) == (0, "")
    [(asked, answer)] = seen
    assert asked == filled(arguments, names)
    assert outcome.json == json.loads(json.dumps(plain(answer)))


EMPTY = {"holds"}
"""Lists of which there is nothing in that life: they are empty, as a pipe wants them."""


@pytest.mark.parametrize("operation", CALLS)
def test_a_command_also_answers_in_plain_lines(operation: str, cli: Here, names: dict[str, str]) -> None:
    outcome = cli(*words_of(CALLS[operation][0], names))
    assert (outcome.code, outcome.err) == (0, "")
    assert bool(outcome.out.strip()) is (operation not in EMPTY)
    assert "\x1b" not in outcome.out


@pytest.mark.parametrize(
    "words", [["get", "{job}"], ["list"], ["facts"], ["history", "{home}"], ["entity-get", "Sam"], ["spaces"]]
)
def test_what_a_real_run_reads_equals_what_python_reads(words: list[str], store: Path, life: Life) -> None:
    said = filled(words, life)
    with treering.open(store) as mem:
        answer = getattr(mem, NAMES[words[0]])(*said[1:])
    outcome = program("--url", str(store), *said, "--json")
    assert outcome.err == ""
    assert outcome.json == json.loads(json.dumps(plain(answer)))


def test_json_may_be_asked_for_before_or_after_the_command(cli: Here, life: Life) -> None:
    assert cli("--json", "facts").json == cli("facts", "--json").json == cli("--json", "facts", "--json").json


def test_the_store_and_the_actor_may_be_said_after_the_command_and_then_count_more(cli: Here, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    cli("--actor", "first", "add", "kept elsewhere", "--url", str(other), "--actor", "second")
    assert not cli.store.exists()
    with treering.open(other) as mem:
        [memory] = mem.list()
    assert (memory.content, memory.observed_by) == ("kept elsewhere", "second")


def test_two_spaces_do_not_see_each_other(cli: Here) -> None:
    cli("add", "the plan of a", "--space", "team/a")
    cli("add", "the plan of b", "--space", "team/b")
    assert [row[2] for row in cli("list", "--space", "team/a").rows] == ["the plan of a"]
    assert cli("list").out == ""
    both = cli("list", "--space", "team", "--children").rows
    assert [(row[2], row[4]) for row in both] == [("the plan of a", "team/a"), ("the plan of b", "team/b")]
    assert [row[0] for row in cli("spaces").rows] == ["team/a", "team/b"]


def test_the_environment_names_the_store_the_actor_and_the_space(tmp_path: Path) -> None:
    where = {"TREERING_URL": str(tmp_path / "env.db"), "TREERING_ACTOR": "agent:env", "TREERING_SPACE": "of/env"}
    assert program("add", "said quietly", **where).code == 0
    with treering.open(tmp_path / "env.db") as mem:
        [memory] = mem.list(space="of/env")
    assert memory.observed_by == "agent:env"


def test_content_comes_from_standard_input_without_its_last_line_break(cli: Here) -> None:
    cli("add", "-", stdin="first line\nsecond ☃ line\n".encode())
    with treering.open(cli.store) as mem:
        assert mem.list()[0].content == "first line\nsecond ☃ line"


def test_many_statements_come_from_standard_input(store: Path) -> None:
    lines = b"".join(json.dumps({"content": f"statement {n}"}).encode() + b"\n" for n in range(50))
    outcome = program("--url", str(store), "--json", "add-many", "-", stdin=lines, **WORDS_ALONE)
    assert [one["content"] for one in outcome.json["memories"]] == [f"statement {n}" for n in range(50)]


def test_a_statement_that_begins_with_a_dash_comes_after_two(cli: Here) -> None:
    assert cli("add", "--", "-5 degrees in Oslo").code == 0
    assert cli("list").rows[0][2] == "-5 degrees in Oslo"


@pytest.mark.parametrize(
    "words",
    [
        ["list"],
        ["recall", "x"],
        ["status"],
        ["verify"],
        ["doctor", "--repair"],
        ["settings"],
        ["export", "{folder}/out.jsonl"],
        ["run-jobs"],
        ["undo", "1"],
    ],
)
def test_reading_where_no_store_is_says_so_and_makes_nothing(words: list[str], cli: Here, tmp_path: Path) -> None:
    outcome = cli(*(filled(word, {"folder": str(tmp_path)}) for word in words))
    assert (outcome.code, outcome.out) == (3, "")
    assert f"there is no store at {cli.store}" in outcome.err
    assert "treering remember" in outcome.err
    assert list(tmp_path.iterdir()) == []


def test_the_first_write_begins_a_store_and_a_dry_run_does_not(cli: Here, tmp_path: Path) -> None:
    assert cli("remember", "I moved to Oslo", "--speaker", "Sam", "--dry-run").code == 0
    assert list(tmp_path.iterdir()) == []
    assert cli("remember", "-", stdin=b"I moved to Oslo\n").code == 0
    assert cli.store.exists()
    assert cli("list").rows


def test_import_knows_a_journal_from_a_chat_and_a_document(cli: Here, names: dict[str, str], tmp_path: Path) -> None:
    folder = Path(names["folder"])
    assert cli("import", f"{folder}/other.jsonl", "--space", "taken/in", "--json").json["added"] == 1
    chat = [{"role": "user", "content": "I keep bees."}, {"role": "assistant", "content": "How many hives?"}]
    (folder / "chat.json").write_text(json.dumps(chat))
    told = cli("import", f"{folder}/chat.json", "--json").json
    assert [one["content"] for one in told["memories"]] == ["I keep bees.", "How many hives?"]
    assert cli("import", f"{folder}/chat.json", "--json").json["repeated"]
    assert cli("import", f"{folder}/notes.md", "--dry-run", "--json").json["dry_run"]


def test_import_takes_a_folder_for_a_vault(cli: Here, names: dict[str, str]) -> None:
    folder = f"{names['folder']}/vault"
    assert cli("import", folder, "--dry-run", "--json").json["dry_run"]
    assert cli("import", folder, "--space", "notes", "--json").json["added"] == 1
    assert [row[2] for row in cli("list", "--space", "notes").rows] == ["Sam works at [[Google]]."]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["import", "{folder}/nowhere.jsonl"], "cannot be read"),
        (["import", "{folder}/other.jsonl", "--dry-run"], "a journal is brought in all or nothing"),
        (["import", "{folder}/half.jsonl", "--space", "half"], "is not a journal entry"),
    ],
)
def test_import_of_what_cannot_be_brought_in_is_refused(
    words: list[str], told: str, cli: Here, names: dict[str, str]
) -> None:
    folder = Path(names["folder"])
    whole = (folder / "other.jsonl").read_text()
    (folder / "half.jsonl").write_text(whole + whole[: len(whole) // 2])
    outcome = cli(*(filled(word, names) for word in words))
    assert outcome.code == 2
    assert told in outcome.err


def test_a_guess_says_that_it_is_one(cli: Here) -> None:
    cli("assert-fact", "Ann", "USES", "Rust", "--confidence", "0.3")
    cli("assert-fact", "Ann", "USES", "Go", "--confidence", "0.5")
    assert [(row[2], row[-1]) for row in cli("facts").rows] == [("Rust", "perhaps, 0.30"), ("Go", "")]
    assert [row[2] for row in cli("facts", "--min-confidence", "0.5").rows] == ["Go"]
