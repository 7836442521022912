"""What does the command line say when it cannot do what was asked? One line, harmless whatever it quotes, and the exit
code of its kind; and a check that finds something names it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from tests.faces.calls import filled
from tests.faces.command import Here, program
from tests.faces.conftest import Life

from treering import errors
from treering.door import Treering
from treering.faces.cli.exits import EXIT_CODES, exit_code


def test_every_kind_of_error_has_its_exit_code_in_the_table() -> None:
    def tree(kind: type[errors.TreeringError]) -> set[type[errors.TreeringError]]:
        return {kind}.union(*(tree(below) for below in kind.__subclasses__()))

    assert {one for one in tree(errors.TreeringError) if one.__module__ == errors.__name__} == EXIT_CODES.keys()


def test_an_error_of_a_kind_below_another_has_the_code_of_the_nearest() -> None:
    class Elsewhere(errors.NotFound):
        pass

    assert exit_code(Elsewhere()) == EXIT_CODES[errors.NotFound] == 3
    assert exit_code(ZeroDivisionError()) == EXIT_CODES[errors.Fault] == 8


BAD_WORDS: dict[str, tuple[list[str], str]] = {
    "an unknown command": (["remembr"], "there is no command 'remembr'"),
    "a command nearly right": (["lst"], "did you mean list?"),
    "an unknown option": (["list", "--limits", "3"], "no such option"),
    "a missing argument": (["add"], "missing argument 'CONTENT'"),
    "too many arguments": (["add", "a", "b"], "unexpected extra argument"),
    "an option without its value": (["list", "--limit"], "requires an argument"),
    "an empty content": (["add", ""], "content:"),
    "a content too long": (["add", "x" * 50_001], "at most 50000 characters"),
    "half of a surrogate pair": (["add", "a\udcff"], "content:"),
    "a number that is none": (["add", "x", "--importance", "much"], "importance:"),
    "a number out of bounds": (["add", "x", "--importance", "1.5"], "importance:"),
    "a whole number that is none": (["list", "--limit", "2.5"], "limit:"),
    "too small a limit": (["list", "--limit", "0"], "limit:"),
    "a word that is none of the few": (["list", "--view", "everything"], "view:"),
    "a kind that is none": (["add", "x", "--kind", "poem"], "kind: 'poem' is not one of"),
    "a time without its zone": (
        ["facts", "--as-of", "2025-01-01T10:00:00"],
        "has no time zone; write it with its offset",
    ),
    "a time that does not exist": (["facts", "--as-of", "2025-02-30"], "is not a time that exists"),
    "a time that is none": (["facts", "--known-at", "yesterday"], "is not an ISO 8601 time"),
    "broken JSON": (["add", "x", "--meta", "{"], "meta: '{' cannot be read as JSON"),
    "JSON of the wrong kind": (["add", "x", "--meta", "[1]"], "meta:"),
    "JSON too deep": (["add", "x", "--meta", '{"a":' * 100_000], "meta:"),
    "a fact of two words": (["add", "x", "--triples", "Sam|KNOWS"], "write it as 'User|WORKS_FOR|Anthropic'"),
    "a relation that cannot be written": (["add", "x", "--triples", "Sam|???|Kim"], "relation:"),
    "a bad space": (["list", "--space", "No Such"], "space: 'No Such'"),
    "a file that is not there": (["add-many", "/no/such/file.jsonl"], "items: /no/such/file.jsonl cannot be read"),
    "a folder for a file": (["add-many", "/"], "items: / cannot be read"),
}


@pytest.mark.parametrize("case", BAD_WORDS)
def test_words_that_cannot_be_carried_out_are_refused_in_one_line_before_a_store_is_made(case: str, cli: Here) -> None:
    words, told = BAD_WORDS[case]
    outcome = cli(*words)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith("error: ")
    assert outcome.err.count("\n") == 1
    assert told in outcome.err
    assert not cli.store.exists()


REFUSED: dict[str, tuple[list[str], int, str]] = {
    "a memory nobody has": (["get", "nobody"], 3, "there is no memory 'nobody'"),
    "an entity nobody has": (["facts", "--subject", "Nobody"], 3, "Nobody"),
    "an edge nobody has": (["reopen", "Sam", "Austin", "OWNS"], 3, "OWNS"),
    "a link that is none": (["link", "{home}", "{job}", "--relation", "admires"], 2, "'admires' is not a link"),
    "a closing before the beginning": (["invalidate", "Sam", "Google", "WORKS_FOR", "--at", "1999-01-01"], 2, "before"),
    "an export over a file": (["export", "{store}"], 4, "exists already"),
    "a journal that is none": (["import-journal", "{store}"], 2, "path:"),
    "an unknown setting": (["settings", "--changes", '{"volume": 11}'], 2, "there is no setting 'volume'"),
    "a cursor nobody gave": (["list", "--cursor", "abc"], 2, "cursor:"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_the_door_refuses_is_told_in_one_line_with_its_code(case: str, cli: Here, life: Life) -> None:
    words, code, told = REFUSED[case]
    outcome = cli(*filled(words, {**life, "store": str(cli.store)}))
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.startswith("error: ")
    assert outcome.err.count("\n") == 1
    assert told in outcome.err


def test_the_same_key_with_other_words_is_a_conflict(cli: Here) -> None:
    assert cli("add", "one", "--key", "k").code == 0
    assert cli("add", "one", "--key", "k", "--json").json["repeated"] is True
    assert cli("add", "two", "--key", "k").code == 4


def test_a_store_that_cannot_be_is_told_by_its_kind(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("this is no database, but long enough to be looked at twice" * 20)
    codes = {
        "a store of another kind": program("--url", "mysql://localhost/x", "list"),
        "a file that is none of ours": program("--url", str(tmp_path / "text.db"), "list"),
        "a folder": program("--url", str(tmp_path), "list"),
        "a place where nothing can be made": program("--url", "/proc/treering.db", "add", "x"),
    }
    assert {case: one.code for case, one in codes.items()} == {
        "a store of another kind": 7,
        "a file that is none of ours": 8,
        "a folder": 2,
        "a place where nothing can be made": 6,
    }
    assert all(one.err.startswith("error: ") and one.err.count("\n") == 1 for one in codes.values())


def test_a_message_with_line_breaks_and_escapes_stays_one_harmless_line(cli: Here, life: Life) -> None:
    outcome = cli("get", "no\n\x1b[31msuch")
    assert outcome.code == 3
    assert outcome.err.count("\n") == 1
    assert "\x1b" not in outcome.err


def test_a_slip_of_treering_itself_is_one_line_too(cli: Here, life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Treering, "status", lambda self: 1 // 0)
    outcome = cli("status")
    assert outcome.code == 8
    assert outcome.err.startswith("error: a fault of Treering itself (ZeroDivisionError")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("words", [["verify"], ["doctor"]])
def test_a_check_that_finds_differences_names_them_and_ends_with_one(words: list[str], cli: Here, life: Life) -> None:
    assert cli(*words).code == 0
    with sqlite3.connect(cli.store) as connection:
        connection.execute("UPDATE memory SET content = 'Sam owns Google' WHERE id = ?", (life["job"],))
    connection.close()
    outcome = cli(*words)
    assert outcome.code == 1
    assert outcome.err == ""
    assert f"default: memory {life['job']}: column content" in outcome.out
    assert cli(*words, "--json").json["ok"] is False


def test_a_doctor_who_mends_ends_well(cli: Here, life: Life) -> None:
    with sqlite3.connect(cli.store) as connection:
        connection.execute("UPDATE memory SET content = 'Sam owns Google' WHERE id = ?", (life["job"],))
    connection.close()
    assert cli("doctor", "--repair").code == 0
    assert cli("verify").code == 0
    assert cli("get", life["job"]).out.startswith("Sam works at Google\n")


@pytest.mark.parametrize(
    ("words", "code", "kind", "told"),
    [
        (["--json", "get", "nobody"], 3, "not_found", "there is no memory 'nobody'"),
        (["get", "nobody", "--json"], 3, "not_found", "there is no memory 'nobody'"),
        (["--json", "lst"], 2, "invalid_request", "did you mean list?"),
        (["list", "--json", "--limit", "0"], 2, "invalid_request", "limit:"),
        (["export", "{store}", "--json"], 4, "conflict", "exists already"),
        (["--json", "get", "no\nsuch"], 3, "not_found", "'no\\nsuch'"),
    ],
)
def test_who_asks_for_json_is_told_of_errors_in_json(
    words: list[str], code: int, kind: str, told: str, cli: Here, life: Life
) -> None:
    outcome = cli(*filled(words, {"store": str(cli.store)}))
    assert (outcome.code, outcome.out) == (code, "")
    error = json.loads(outcome.err)["error"]
    assert error["code"] == kind
    assert told in error["message"]
    assert outcome.err.count("\n") == 1


def test_a_slip_of_treering_itself_is_json_too(cli: Here, life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Treering, "status", lambda self: 1 // 0)
    outcome = cli("status", "--json")
    assert (outcome.code, json.loads(outcome.err)["error"]["code"]) == (8, "fault")


def test_json_that_is_only_quoted_changes_nothing(cli: Here, life: Life) -> None:
    assert cli("get", "--", "--json").err.startswith("error: ")


@pytest.mark.parametrize("words", [["keys", "{}", "list"], ["db", "{}", "status"], ["review", "{}", "list"]])
def test_a_group_takes_the_options_of_every_command(words: list[str], cli: Here, life: Life) -> None:
    said = [one.format("--json") for one in words]
    assert cli(*said).json == cli(*said[:1], *said[2:], "--json").json


def test_a_webhook_that_only_some_servers_would_call_is_told_of(cli: Here) -> None:
    assert "--allow-private-webhooks" in cli("webhook-add", "http://127.0.0.1:9/told").out
    assert "--allow-private-webhooks" not in cli("webhook-add", "https://example.org/told").out
