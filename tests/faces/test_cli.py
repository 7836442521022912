"""The command line: every operation reachable, its JSON what Python answers, an error one line and its code."""

from __future__ import annotations

import json
import os
import re
import resource
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from rich.console import Console
from tests.conftest import HandClock
from tests.faces.command import PROGRAM, Here, clean_environment, on_terminal, program
from tests.faces.conftest import THEN

import treering
from treering import errors, settings
from treering.door import OPERATIONS, Treering
from treering.exchange.webhooks.kept import DeadLetter, bury
from treering.faces.cli import app, paper
from treering.faces.cli.commands import NAMES, command_name
from treering.faces.cli.completing import SHELLS
from treering.faces.cli.exits import EXIT_CODES, exit_code
from treering.faces.cli.words import by_position
from treering.keyfile import make_key
from treering.model.identity import Identity
from treering.model.job import JobError, JobStatus
from treering.model.value import plain

Life = dict[str, str]

# Operation: its words, and the arguments the door must get. {names} are ids of the life, {folder} is a fresh folder.
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "remember": (
        "remember 'I moved to Oslo' --speaker Sam --session s1 --at 2025-03-01 --extractor none --tags home "
        '--drafts \'{"content": "Sam lives in Oslo", "triples": [["Sam", "LIVES_IN", "Oslo"]]}\' --dry-run',
        {
            "content": "I moved to Oslo",
            "speaker": "Sam",
            "session": "s1",
            "at": "2025-03-01",
            "extractor": "none",
            "tags": ["home"],
            "drafts": [{"content": "Sam lives in Oslo", "triples": [["Sam", "LIVES_IN", "Oslo"]]}],
            "dry_run": True,
        },
    ),
    "resume": ("resume --extractor none", {"extractor": "none"}),
    "undo": ("undo 1 --why mistaken --dry-run", {"what": "1", "why": "mistaken", "dry_run": True}),
    "add": (
        "add 'Sam plays chess' --tags fun --tags games --entities Sam --entities '{\"name\": \"Kim\"}' --dry-run "
        '--triples \'Sam|PLAYS|Chess\' --triples \'["Kim", "PLAYS", "Go"]\' --meta \'{"turn": 17}\' '
        "--importance 0.9 --event-time 2025-01-01 --space games",
        {
            "content": "Sam plays chess",
            "tags": ["fun", "games"],
            "entities": ["Sam", {"name": "Kim"}],
            "triples": [["Sam", "PLAYS", "Chess"], ["Kim", "PLAYS", "Go"]],
            "meta": {"turn": 17},
            "importance": "0.9",
            "event_time": "2025-01-01",
            "space": "games",
            "dry_run": True,
        },
    ),
    "add_many": ("add-many {folder}/many.jsonl", {"items": [{"content": "one"}, {"content": "two", "tags": ["b"]}]}),
    "add_file": (
        "add-file {folder}/notes.md --tags manual --session s2",
        {"file": "{folder}/notes.md", "tags": ["manual"], "session": "s2"},
    ),
    "revise": (
        "revise {home} 'Sam lives in Oslo' --why moved",
        {"id": "{home}", "content": "Sam lives in Oslo", "why": "moved"},
    ),
    "get": ("get {job} --as-of 2026-01-01", {"id": "{job}", "as_of": "2026-01-01"}),
    "list": (
        "list --view all --kinds semantic --kinds fact --limit 2",
        {"view": "all", "kinds": ["semantic", "fact"], "limit": "2"},
    ),
    "recall": (
        "recall 'Where does Sam work?' --explain --limit 3 --view history",
        {"query": "Where does Sam work?", "explain": True, "limit": "3", "view": "history"},
    ),
    "context": (
        "context 'Where does Sam work?' --budget-tokens 500 --format xml",
        {"query": "Where does Sam work?", "budget_tokens": "500", "format": "xml"},
    ),
    "why_not": (
        "why-not 'Where does Sam work?' {home} --limit 1 --kinds fact",
        {"query": "Where does Sam work?", "id": "{home}", "limit": "1", "kinds": ["fact"]},
    ),
    "history": ("history {fact}", {"id": "{fact}"}),
    "touch": ("touch {job} --boost", {"id": "{job}", "boost": True}),
    "observe": (
        "observe {job} {home} --context-tags chess --context-tags games",
        {"ids": ["{job}", "{home}"], "context_tags": ["chess", "games"]},
    ),
    "scores": ("scores {job} {home}", {"ids": ["{job}", "{home}"]}),
    "gc": ("gc --no-dry-run --limit 5", {"dry_run": False, "limit": "5"}),
    "promote": ("promote {job} --force --dry-run", {"id": "{job}", "force": True, "dry_run": True}),
    "expire": ("expire --limit 5", {"limit": "5"}),
    "health": ("health", {}),
    "forget": ("forget {job}", {"id": "{job}"}),
    "archive": ("archive {job} --why done", {"id": "{job}", "why": "done"}),
    "restore": ("restore {old} --why needed", {"id": "{old}", "why": "needed"}),
    "purge": ("purge {old} private", {"id": "{old}", "why": "private"}),
    "cluster": (
        "cluster --threshold 0.5 --max-size 3 --find-duplicates --duplicate-threshold 0.9",
        {"threshold": "0.5", "max_size": "3", "find_duplicates": True, "duplicate_threshold": "0.9"},
    ),
    "consolidate": (
        "consolidate --auto --mode link --cohesion-threshold 0.5",
        {"auto": True, "mode": "link", "cohesion_threshold": "0.5"},
    ),
    "run_pipeline": ("upkeep run --dry-run --rate-limit 5", {"dry_run": True, "rate_limit": "5"}),
    "run_agent": ("upkeep agent decay --dry-run", {"agent": "decay", "dry_run": True}),
    "run_scheduled": ("upkeep scheduled --interval-seconds 60", {"interval_seconds": "60"}),
    "upkeep_status": ("upkeep status", {}),
    "review_list": ("review list --kind decay --urgency medium", {"kind": "decay", "urgency": "medium"}),
    "review_get": ("review show {question}", {"id": "{question}"}),
    "review_create": (
        'review create decay forget --memory-ids {home} --proposal \'{"op": "forget"}\' --reason old',
        {
            "kind": "decay",
            "action": "forget",
            "memory_ids": ["{home}"],
            "proposal": {"op": "forget"},
            "reason": "old",
        },
    ),
    "review_claim": ("review claim {question} --lease-seconds 60", {"id": "{question}", "lease_seconds": "60"}),
    "review_apply": ("review apply {question} --note fine", {"id": "{question}", "note": "fine"}),
    "review_dismiss": ("review dismiss {question}", {"id": "{question}"}),
    "review_close": ("review close {question} --note done", {"id": "{question}", "note": "done"}),
    "create_consolidation_issue": (
        "create-consolidation-issue merge {home} consolidate --urgency high",
        {"agent": "merge", "memory_ids": ["{home}"], "action": "consolidate", "urgency": "high"},
    ),
    "query_consolidation_issues": (
        "query-consolidation-issues --agent decay --status open",
        {"agent": "decay", "status": "open"},
    ),
    "claim_issue": ("claim-issue {question}", {"id": "{question}"}),
    "close_issue": ("close-issue {question} done", {"id": "{question}", "reason": "done"}),
    "profile": (
        "profile --entity Sam --budget-tokens 300 --limit 5",
        {"entity": "Sam", "budget_tokens": "300", "limit": "5"},
    ),
    "analyze_message": (
        "analyze-message 'Remember: I prefer tea'",
        {"text": "Remember: I prefer tea"},
    ),
    "analyze_for_recall": (
        "analyze-for-recall 'What did I say about tea?'",
        {"text": "What did I say about tea?"},
    ),
    "search_unified": (
        "search-unified --query 'Where does Sam work?' --tags plan --limit 3 --ltm-weight 0.9 --verbose "
        "--vault {folder}/vault",
        {
            "query": "Where does Sam work?",
            "tags": ["plan"],
            "limit": "3",
            "ltm_weight": "0.9",
            "verbose": True,
            "vault": "{folder}/vault",
        },
    ),
    "index_vault": ("index-vault --vault {folder}/vault", {"vault": "{folder}/vault"}),
    "import_vault": (
        "import-vault --vault {folder}/vault --space notes --dry-run",
        {"vault": "{folder}/vault", "space": "notes", "dry_run": True},
    ),
    "enqueue": (
        "enqueue 'Sam moved to Oslo' --session s1 --key k1 --extractor none",
        {"content": "Sam moved to Oslo", "session": "s1", "key": "k1", "extractor": "none"},
    ),
    "job": ("job {asked}", {"id": "{asked}"}),
    "jobs": ("jobs --status pending --limit 2", {"status": "pending", "limit": "2"}),
    "cancel_job": ("cancel-job {asked}", {"id": "{asked}"}),
    "retry_job": ("retry-job {failed}", {"id": "{failed}"}),
    "run_jobs": ("run-jobs --limit 1", {"limit": "1"}),
    "link": (
        "link {home} {job} --relation supports --strength 0.5",
        {"source": "{home}", "target": "{job}", "relation": "supports", "strength": "0.5"},
    ),
    "unlink": ("unlink {home} {job}", {"source": "{home}", "target": "{job}"}),
    "invalidate": (
        "invalidate Sam Google WORKS_FOR --at 2025-01-01",
        {"source": "Sam", "target": "Google", "relation": "WORKS_FOR", "at": "2025-01-01"},
    ),
    "reopen": ("reopen Sam Google WORKS_FOR", {"source": "Sam", "target": "Google", "relation": "WORKS_FOR"}),
    "assert_fact": (
        "assert-fact Sam 'works for' Anthropic --supersede",
        {"subject": "Sam", "relation": "works for", "object": "Anthropic", "supersede": True},
    ),
    "assert_facts": (
        "assert-facts {folder}/facts.jsonl",
        {"facts": [["Sam", "KNOWS", "Kim"], {"subject": "Kim", "relation": "KNOWS", "object": "Sam"}]},
    ),
    "entities": ("entities --limit 5", {"limit": "5"}),
    "facts": ("facts --subject Sam --include-closed", {"subject": "Sam", "include_closed": True}),
    "attest": ("attest {fact} --actor signer", {"id": "{fact}"}),
    "graph": (
        "graph Sam --depth 2 --relations WORKS_FOR --direction both --include-closed",
        {"start": "Sam", "depth": "2", "relations": ["WORKS_FOR"], "direction": "both", "include_closed": True},
    ),
    "paths": ("paths Google Austin --max-depth 3", {"a": "Google", "b": "Austin", "max_depth": "3"}),
    "entity_register": (
        "entity-register Kim --aliases Kimmy --kind person",
        {"name": "Kim", "aliases": ["Kimmy"], "kind": "person"},
    ),
    "entity_get": ("entity-get Sam", {"alias": "Sam"}),
    "entity_merge": ("entity-merge Austin Google", {"entity": "Austin", "into": "Google"}),
    "entity_split": ("entity-split {sammy}", {"entity_id": "{sammy}"}),
    "timeline": (
        "timeline Sam --since 2020-01-01 --until 2030-01-01 --relations WORKS_FOR --relations lives_in",
        {"node": "Sam", "since": "2020-01-01", "until": "2030-01-01", "relations": ["WORKS_FOR", "lives_in"]},
    ),
    "entity": ("entity Sam --as-of 2026-01-01 --limit 5", {"id": "Sam", "as_of": "2026-01-01", "limit": "5"}),
    "diff": ("diff 2020-01-01 --to 2027-01-01", {"from": "2020-01-01", "to": "2027-01-01"}),
    "contradictions": ("contradictions --topic rome --space doubts", {"topic": "rome", "space": "doubts"}),
    "lineage": ("lineage {home} --depth 3", {"memory": "{home}", "depth": "3"}),
    "stale": ("stale --limit 3 --space doubts", {"limit": "3", "space": "doubts"}),
    "taxonomy": ("taxonomy --depth 2 --limit 10", {"depth": "2", "limit": "10"}),
    "spaces": ("spaces --prefix default", {"prefix": "default"}),
    "status": ("status", {}),
    "signers": ("signers --children", {"children": True}),
    "settings": (
        'settings --changes \'{"functional_relations": ["LIVES_IN"]}\'',
        {"changes": {"functional_relations": ["LIVES_IN"]}},
    ),
    "verify": ("verify", {}),
    "doctor": ("doctor --repair", {"repair": True}),
    "reembed": ("reembed --limit 5", {"limit": "5"}),
    "describe": (
        "describe --description 'What Sam told' --metadata '{\"team\": \"red\"}'",
        {"description": "What Sam told", "metadata": {"team": "red"}},
    ),
    "about": ("about", {}),
    "events": ("events --after 2 --limit 3", {"after": "2", "limit": "3"}),
    "key_create": (
        "key-create agent:planner --spaces 'acme/*' --role write",
        {"name": "agent:planner", "spaces": ["acme/*"], "role": "write"},
    ),
    "key_list": ("key-list", {}),
    "key_revoke": ("key-revoke {key}", {"id": "{key}"}),
    "webhook_add": (
        "webhook-add https://example.org/hook --spaces acme --events memory_added",
        {"address": "https://example.org/hook", "spaces": ["acme"], "events": ["memory_added"]},
    ),
    "webhook_list": ("webhook-list", {}),
    "webhook_remove": ("webhook-remove {hook}", {"id": "{hook}"}),
    "webhook_letters": ("webhook-letters --webhook {hook}", {"webhook": "{hook}"}),
    "webhook_resend": ("webhook-resend --webhook {hook}", {"webhook": "{hook}"}),
    "export": ("export {folder}/out.jsonl", {"path": "{folder}/out.jsonl"}),
    "import_journal": (
        "import-journal {folder}/other.jsonl --space taken/in",
        {"path": "{folder}/other.jsonl", "space": "taken/in"},
    ),
    "backup": ("backup {folder}/copy.db", {"path": "{folder}/copy.db"}),
}


def _filled(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, str):
        for name, meant in names.items():
            value = value.replace("{" + name + "}", meant)
        return value
    if isinstance(value, list):
        return [_filled(one, names) for one in value]
    return {key: _filled(one, names) for key, one in value.items()} if isinstance(value, dict) else value


def _words(line: str, names: dict[str, str]) -> list[str]:
    return [_filled(word, names) for word in shlex.split(line)]


@pytest.fixture
def names(life: Life, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: Full) -> dict[str, str]:
    """What the calls need besides a life: jobs, guests, a signer, a question, files; made once and copied."""
    shutil.copytree(full.folder, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return {**life, **full.names, "folder": str(tmp_path / "files")}


class Full(NamedTuple):
    folder: Path
    names: dict[str, str]


@pytest.fixture(scope="session")
def full(tmp_path_factory: pytest.TempPathFactory, lived: tuple[Path, Life]) -> Full:
    whole = tmp_path_factory.mktemp("full")
    store, folder = whole / "life.db", whole / "files"
    shutil.copy(lived[0], store)
    folder.mkdir()
    (folder / "many.jsonl").write_text('{"content": "one"}\n\n{"content": "two", "tags": ["b"]}\n')
    (folder / "facts.jsonl").write_text('Sam|KNOWS|Kim\n{"subject": "Kim", "relation": "KNOWS", "object": "Sam"}\n')
    (folder / "notes.md").write_text("# Manual\n\nRead me.\n\n## Setup\n\nPlug it in.\n")
    (folder / "vault").mkdir()
    note = folder / "vault" / "Sam.md"
    note.write_text("---\ntags: [plan]\n---\nSam works at [[Google]].\n")
    os.utime(note, (THEN.timestamp(), THEN.timestamp()))
    with treering.open(folder / "other.db", clock=HandClock(THEN)) as other:
        other.add("from elsewhere")
        other.export(str(folder / "other.jsonl"))
    keys = settings.key_folder({"XDG_DATA_HOME": str(whole)})
    made = make_key(keys, "signer")
    signer = Identity.from_secret(Path(made.path).read_text("ascii"))
    with treering.open(store, actor="signer", identity=signer, clock=HandClock(THEN)) as mem:
        mem.entity_register("Notary")
    return Full(whole, {**_jobs(store), **_guests(store), "question": _question(store, lived[1])})


def _guests(store: Path) -> dict[str, str]:
    with treering.open(store, clock=HandClock(THEN)) as mem:
        hook = mem.webhook_add("http://127.0.0.1:9/told").webhook.id
        letter = DeadLetter(
            id="1", webhook_id=hook, space="default", seq=1, at=mem._now(), tries=8, error="answered 500"
        )
        bury(mem._store.drawer, letter)
        return {"key": mem.key_create("Kim").key.id, "hook": hook}


def _question(store: Path, life: Life) -> str:
    with treering.open(store, clock=HandClock(THEN)) as mem:
        return mem.review_create("decay", "reinforce", memory_ids=[life["job"]], proposal={"op": "review"}).id


def _jobs(store: Path) -> dict[str, str]:
    with treering.open(store, clock=HandClock(THEN)) as mem:
        failed = mem.enqueue("Sam failed", extractor="none")
        claim = mem._store.jobs.claim("w", mem._now(), 60)
        assert claim is not None
        mem._store.jobs.finish(claim.job, mem._now(), JobStatus.FAILED, errors=[JobError(code="fault", message="no")])
        return {"failed": failed.id, "asked": mem.enqueue("Sam asked", session="s1", extractor="none").id}


def _watch(monkeypatch: pytest.MonkeyPatch, operation: str) -> list[tuple[dict[str, Any], Any]]:
    """What the door is asked, and what it answers."""
    seen: list[tuple[dict[str, Any], Any]] = []
    real: Callable[..., Any] = getattr(Treering, operation)

    def watched(self: Treering, **arguments: Any) -> Any:
        answer = real(self, **arguments)
        seen.append((arguments, answer))
        return answer

    monkeypatch.setattr(Treering, operation, watched)
    return seen


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
    seen = _watch(monkeypatch, operation)
    outcome = cli(*_words(line, names), "--json")
    assert (outcome.code, outcome.err) == (0, "")
    [(asked, answer)] = seen
    assert asked == _filled(arguments, names)
    assert outcome.json == json.loads(json.dumps(plain(answer)))


@pytest.mark.parametrize("operation", CALLS)
def test_a_command_also_answers_in_plain_lines(operation: str, cli: Here, names: dict[str, str]) -> None:
    outcome = cli(*_words(CALLS[operation][0], names))
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.strip()
    assert "\x1b" not in outcome.out


@pytest.mark.parametrize(
    "words", [["get", "{job}"], ["list"], ["facts"], ["history", "{home}"], ["entity-get", "Sam"], ["spaces"]]
)
def test_what_a_real_run_reads_equals_what_python_reads(words: list[str], store: Path, life: Life) -> None:
    filled = _filled(words, life)
    with treering.open(store) as mem:
        answer = getattr(mem, NAMES[words[0]])(*filled[1:])
    outcome = program("--url", str(store), *filled, "--json")
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


# standard input


def test_content_comes_from_standard_input_without_its_last_line_break(cli: Here) -> None:
    cli("add", "-", stdin="first line\nsecond ☃ line\n".encode())
    with treering.open(cli.store) as mem:
        assert mem.list()[0].content == "first line\nsecond ☃ line"


def test_many_statements_come_from_standard_input(store: Path) -> None:
    lines = b"".join(json.dumps({"content": f"statement {n}"}).encode() + b"\n" for n in range(50))
    outcome = program("--url", str(store), "--json", "add-many", "-", stdin=lines)
    assert [one["content"] for one in outcome.json["memories"]] == [f"statement {n}" for n in range(50)]


def test_a_statement_that_begins_with_a_dash_comes_after_two(cli: Here) -> None:
    assert cli("add", "--", "-5 degrees in Oslo").code == 0
    assert cli("list").rows[0][2] == "-5 degrees in Oslo"


# errors


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
    outcome = cli(*_filled(words, {**life, "store": str(cli.store)}))
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


# the program and its surroundings


def test_treering_alone_shows_what_there_is() -> None:
    outcome = program()
    assert (outcome.code, outcome.err) == (0, "")
    listed = re.findall(r"^  ([a-z][a-z-]*)  +\S", outcome.out.split("\nRemember:")[1], re.MULTILINE)
    assert sorted(listed) == sorted({*(name.split()[0] for name in NAMES), *app._MORE})
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


@pytest.mark.parametrize("words", [["--help"], ["add", "--help"], ["add"]])
def test_help_and_refusals_load_no_store(words: list[str]) -> None:
    loaded = _loaded_by(*words)
    assert "click" in loaded
    assert not loaded & {"sqlite3", "cryptography", "rich"}


def test_a_list_of_a_small_store_is_there_at_once(store: Path, life: Life) -> None:
    """Measured against loading the libraries alone, in processor time: a slow or busy machine slows both."""

    def seconds(*command: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    libraries = "import click, sqlite3, pydantic, rich.table, cryptography.hazmat.primitives.asymmetric.ed25519"
    alone = min(seconds(sys.executable, "-c", libraries) for _ in range(4))
    listing = min(
        seconds(sys.executable, "-c", "from treering.faces.cli import main; main()", "--url", str(store), "list")
        for _ in range(4)
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
    program("--url", str(store), "add", "snow ☃")
    plain_lines = program("--url", str(store), "list", PYTHONIOENCODING="latin-1")
    assert (plain_lines.code, plain_lines.rows[0][2]) == (0, "snow \\u2603")
    assert (
        program("--url", str(store), "list", "--json", PYTHONIOENCODING="latin-1").json["memories"][0]["content"]
        == "snow ☃"
    )


# on a terminal


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
    program("--url", str(store), "add", "\x1b]0;owned\x07 [bold red]loud[/bold red] \x9b31m", "--tags", "\x1b[2J")
    memory = program("--url", str(store), "list").rows[0][0]
    for command in (["list"], ["get", memory], ["history", memory]):
        shown = on_terminal("--url", str(store), "--no-color", *command).out
        assert not {"\x1b", "\x07", "\x9b"} & set(shown)
    assert "[bold red]loud[/bold red]" in on_terminal("--url", str(store), "--no-color", "get", memory).out


@pytest.mark.parametrize("columns", [40, 80, 160])
@pytest.mark.parametrize("operation", CALLS)
def test_every_answer_fits_a_terminal_of_any_width(
    operation: str, columns: int, cli: Here, names: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paper, "paper", lambda _: paper.Screen(Console(width=columns, color_system=None)))
    outcome = cli(*_words(CALLS[operation][0], names))
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.strip()
    assert max(len(line) for line in outcome.out.splitlines()) <= columns


def test_hits_are_drawn_with_rank_score_state_words_and_reasons(store: Path, life: Life) -> None:
    program("--url", str(store), "revise", life["job"], "Sam works at Anthropic")
    where = ("--url", str(store), "--no-color", "recall", "Where did Sam work before?")
    shown = on_terminal(*where).out
    assert shown.count("●") == 3
    assert "Sam works at Google" in shown
    assert "superseded, replaced by " in shown
    assert "has sam" in shown
    assert "keyword +" not in shown
    explained = on_terminal(*where, "--explain").out
    assert explained.count("│ keyword +") + explained.count("  keyword +") == 3
    assert "█" in explained


def test_a_question_about_nothing_known_says_so_to_people_and_nothing_to_programs(store: Path, life: Life) -> None:
    for command in ("recall", "context"):
        words = ("--url", str(store), "--no-color", command, "purple elephants")
        assert on_terminal(*words, TREERING_EMBEDDER="none").out == "nothing known about that\n"
        assert (program(*words).code, program(*words).out) == (0, "")


@pytest.mark.parametrize("form", ["markdown", "xml", "json"])
def test_a_context_is_printed_as_it_stands_and_nothing_else(form: str, cli: Here, life: Life) -> None:
    cli("add", "Sam works\n# on \x1b[31mred\u200d\u2028 things")
    asked = ("context", "Where does Sam work?", "--format", form)
    assert cli(*asked).out == cli(*asked, "--json").json["text"] + "\n"


def test_what_kept_a_memory_out_is_told_first(cli: Here, life: Life) -> None:
    told = cli("why-not", "Where does Sam work?", life["old"]).out
    assert told.startswith("It is forgotten, and no view of a question shows it; restore brings it back.\n")
    assert cli("why-not", "Where does Sam work?", life["job"]).out.startswith("It was found: number 1 of ")


def test_a_history_is_drawn_as_a_line_of_time(store: Path, life: Life) -> None:
    program("--url", str(store), "invalidate", "Sam", "Google", "WORKS_FOR", "--at", "2025-05-05", "--why", "left")
    shown = on_terminal("--url", str(store), "--no-color", "history", life["fact"]).out
    assert shown.count("●") == 2
    assert "│ add by local, entry 1, by the rule stated" in shown
    assert "closed at 2025-05-05T00:00:00Z" in shown
    assert "why: left" in shown


# help


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

    assert offered("treering entity-") == {"entity-register", "entity-get", "entity-merge", "entity-split"}
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


# a store that is not there


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
    outcome = cli(*(_filled(word, {"folder": str(tmp_path)}) for word in words))
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


# import


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
    outcome = cli(*(_filled(word, names) for word in words))
    assert outcome.code == 2
    assert told in outcome.err
