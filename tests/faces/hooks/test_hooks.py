"""A client runs the hook as a program, with its event on standard input, and gets what it can use: or nothing.

The helper is a real process, started by the first hook and ended by itself; events and transcripts have the shape in
which each client writes them (`recorded/`).
"""

from __future__ import annotations

import itertools
import json
import socket
import subprocess
from pathlib import Path

import pytest
from tests.faces.hooks.machine import PROGRAM, SECRETS, SLOW, Machine

from treering.faces.hooks.clients import CLIENTS
from treering.faces.hooks.place import HookFolder, own_folder
from treering.faces.hooks.taking import TURN


@pytest.mark.parametrize("client", CLIENTS)
def test_what_one_session_said_the_next_one_is_told(machine: Machine, client: str) -> None:
    transcript = machine.transcript(client)
    first = machine.hook(client, "session-start", machine.event(client, "session-start", transcript))
    assert first.stdout in ("", "{}"), "nothing is known yet, and nothing is said"
    machine.hook(client, "turn-end", machine.event(client, "turn-end", transcript))
    machine.taken()
    event = machine.event(client, "session-start") | {"session_id": "another", "conversation_id": "another"}
    event |= {"sessionId": "another"} if "sessionId" in event else {}
    told = json.loads(machine.hook(client, "session-start", event).stdout)
    text = told["additional_context"] if client == "cursor" else told["hookSpecificOutput"]["additionalContext"]
    if client != "cursor":
        assert told["hookSpecificOutput"]["hookEventName"] == CLIENTS[client].events["session-start"]
        read_besides = {"additionalContext"} if client == "vscode" else set()
        assert told.keys() == {"hookSpecificOutput"} | read_besides, "a strict client refuses what it does not know"
    assert 'project="Acme/Shop"' in text
    assert "Always run `make lint` before each commit." in text
    assert "Let's use Postgres for the orders service." in text
    assert "- lint: make lint" in text
    assert "Still need to add retries to the uploader." in text


@pytest.mark.parametrize("client", [name for name, one in CLIENTS.items() if "prompt" in one.events])
def test_a_prompt_gets_what_is_known_about_it_or_nothing(machine: Machine, client: str) -> None:
    machine.hook(client, "turn-end", machine.event(client, "turn-end", machine.transcript(client)))
    machine.taken()
    other = {"session_id": "another"}
    asked = machine.event(client, "prompt", prompt="Which database do we use for the orders service?") | other
    told = json.loads(machine.answered(client, asked))
    assert "Postgres" in told["hookSpecificOutput"]["additionalContext"]
    assert told["hookSpecificOutput"]["hookEventName"] == CLIENTS[client].events["prompt"]
    again = machine.event(client, "prompt", prompt="And which database was it for the orders service?") | other
    assert "Let's use Postgres" not in machine.hook(client, "prompt", again).stdout, "it was told once"
    for nothing in ("yes, go ahead", "ok", "/clear", "Paint the bicycle shed a nicer shade of purple, dear friend"):
        assert machine.hook(client, "prompt", machine.event(client, "prompt", prompt=nothing) | other).stdout == ""


def test_a_secret_planted_in_every_place_is_nowhere_on_the_disk(machine: Machine) -> None:
    password, token, key = SECRETS
    lines = (machine.transcript("claude-code")).read_text("utf-8").splitlines()
    said = json.loads(lines[4])
    said["message"]["content"] = f"Always use the password {password}: password={password} and {token} in this repo."
    ran = json.loads(lines[5])
    ran["message"]["content"][1]["input"]["command"] = f"AWS_KEY={key} make test --token {token}"
    printed = json.loads(lines[6])
    printed["message"]["content"][0]["content"] = f"export TOKEN={token} {password}"
    answered = json.loads(lines[9])
    answered["message"]["content"][0]["text"] = f"The root cause was that the token {token} had expired, not {key}."
    edited = json.loads(lines[7])
    edited["message"]["content"][1]["input"]["file_path"] = f"/tmp/{token}.env"
    transcript = machine.root / "elsewhere.jsonl"
    transcript.write_text("".join(json.dumps(one) + "\n" for one in (said, ran, printed, edited, answered)), "utf-8")
    event = machine.event("claude-code", "turn-end", transcript) | {"last_assistant_message": f"It is {token}"}
    machine.hook("claude-code", "turn-end", event)
    machine.taken()
    with machine.open() as door:
        door.run_jobs()
        kept = [one.content for one in door.list(space="code/acme/shop", view="all", limit=100)]
    assert any("[masked: " in one for one in kept)
    assert any("make test" in one for one in kept), "what stands around a secret is kept"
    for path in (machine.root / ".local").rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            for secret in SECRETS:
                assert secret.encode() not in data, f"{secret[:6]}… is in {path.name}"


def test_turns_are_kept_with_their_roles_and_a_second_telling_changes_nothing(machine: Machine) -> None:
    event = machine.event("codex", "turn-end", machine.transcript("codex"))
    machine.hook("codex", "turn-end", event)
    machine.taken()
    for path in machine.place.sessions.glob("*.json"):
        path.unlink()  # as if it had broken off before it could be noted how far it came
    machine.hook(
        "codex", "before-compaction", machine.event("codex", "before-compaction", Path(event["transcript_path"]))
    )
    machine.until(lambda: sum("ms" in one for one in machine.diary.entries()) >= 2, "it was not taken again")
    with machine.open() as door:
        door.run_jobs()
        turns = door.list(space="code/acme/shop", tags=(TURN,), limit=100)
        assert {door.recall("x", space="code/acme/shop") is not None}
        said = [one for one in turns if one.content.startswith("I set it up.")]
        assert len(said) == 1
        tools = [one.content for one in turns if "Ran `make test` (exit 0)" in one.content]
        assert tools == ["Ran `make test` (exit 0), `npm run build` (exit 2). Edited /src/orders.py."]
        notes = door.list(space="code/acme/shop", tags=("coding-note",), view="all", limit=100)
        assert len({one.content for one in notes}) == len(notes)
        assert door.verify().ok


BROKEN = ("", "not json", "[]", '{"session_id": 7}', '"x"', '{"cwd": null, "prompt": {"a": 1}}', "\x00")
IN_TURN = [(client, list(told.events)[n % len(told.events)]) for n, (client, told) in enumerate(CLIENTS.items())]


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(list(zip(itertools.cycle(IN_TURN), BROKEN)), id="in-turn"),
        pytest.param(
            [((client, one), said) for client, told in CLIENTS.items() for one in told.events for said in BROKEN],
            id="all",
            marks=[pytest.mark.slow, pytest.mark.timeout(1200)],
        ),
    ],
)
def test_what_a_client_could_choke_on_is_never_printed(
    machine: Machine, asked: list[tuple[tuple[str, str], str]]
) -> None:
    for (client, moment), broken in asked:
        shown = machine.hook(client, moment, broken, TREERING_HOOK_TOKENS="nonsense").stdout
        assert shown == ("{}" if client == "cursor" else "")
    assert any("trouble" in one for one in machine.diary.entries()), "it is told in the log"


def test_a_store_that_cannot_be_opened_stops_nobody(machine: Machine) -> None:
    event = machine.event("claude-code", "prompt", prompt="Which database do we use?")
    assert machine.hook("claude-code", "prompt", event, TREERING_URL="/proc/nowhere/x.db").stdout == ""


def test_an_event_that_no_helper_took_waits_without_anybody_s_words(machine: Machine) -> None:
    transcript = machine.transcript("gemini")
    event = machine.event("gemini", "turn-end", transcript, prompt=f"the password is {SECRETS[0]}")
    ran = subprocess.run(
        [*PROGRAM, "hook", "turn-end", "--client", "gemini"],
        input=json.dumps(event), capture_output=True, text=True, env=machine.env, check=True,
    )  # fmt: skip
    assert ran.stdout == ""
    waiting = list(machine.place.waiting.glob("*.json")) if machine.place.waiting.exists() else []
    assert all(SECRETS[0] not in one.read_text("utf-8") for one in waiting)
    machine.taken()
    machine.until(lambda: not list(machine.place.waiting.glob("*.json")), "what was taken still waits")


def test_one_helper_serves_and_it_ends_when_nobody_asks(machine: Machine) -> None:
    machine.env["TREERING_HOOK_IDLE_SECONDS"] = "3"
    machine.place = HookFolder.of(machine.env, None)
    event = json.dumps(machine.event("claude-code", "session-start"))
    hooks = [
        subprocess.Popen(
            [*PROGRAM, "hook", "session-start", "--client", "claude-code"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=machine.env,
        )
        for _ in range(4)
    ]  # fmt: skip
    for one in hooks:
        one.communicate(event, timeout=SLOW)
    machine.until(lambda: len(machine.helpers()) == 1, "more than one helper serves")
    assert machine.place.socket.stat().st_mode & 0o077 == 0, "others may not talk to it"
    assert machine.place.folder.stat().st_mode & 0o077 == 0
    machine.until(lambda: not machine.helpers(), "the helper did not end")
    assert not machine.place.socket.exists()


def test_beside_a_helper_that_is_slow_no_second_is_started(machine: Machine) -> None:
    """It would make the first slower still, at every prompt another."""
    own_folder(machine.place.folder)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as slow:
        slow.bind(str(machine.place.socket))
        slow.listen()
        event = machine.event("claude-code", "prompt", prompt="Which database do we use for the orders service?")
        assert machine.hook("claude-code", "prompt", event).stdout == ""
        assert machine.helpers() == []
    assert any("not ready in time" in one.get("trouble", "") for one in machine.diary.entries())
    machine.hook("claude-code", "prompt", event)
    machine.until(lambda: len(machine.helpers()) == 1, "where nobody listens none was started")


def test_a_session_that_is_compacted_as_it_begins_is_told_twice(machine: Machine) -> None:
    transcript = machine.transcript("codex")
    machine.hook("codex", "turn-end", machine.event("codex", "turn-end", transcript))
    machine.taken()
    event = machine.event("codex", "session-start") | {"session_id": "another"}
    assert "Let's use Postgres" in machine.hook("codex", "session-start", event).stdout
    assert machine.hook("codex", "session-start", event).stdout == "", "two files of one client told of it"
    assert "Let's use Postgres" in machine.hook("codex", "session-start", event | {"source": "compact"}).stdout


def test_after_a_compaction_it_is_told_again(machine: Machine) -> None:
    transcript = machine.transcript("claude-code")
    machine.hook("claude-code", "before-compaction", machine.event("claude-code", "before-compaction", transcript))
    machine.until(lambda: any("taken" in one for one in machine.diary.entries()), "nothing was taken")
    event = machine.event("claude-code", "session-start", transcript) | {"source": "compact"}
    assert "Let's use Postgres" in machine.hook("claude-code", "session-start", event).stdout


def test_the_log_tells_what_was_given_and_taken(machine: Machine) -> None:
    machine.hook("claude-code", "turn-end", machine.event("claude-code", "turn-end", machine.transcript("claude-code")))
    machine.taken()
    machine.hook("claude-code", "session-start", machine.event("claude-code", "session-start") | {"session_id": "b"})
    shown = subprocess.run([*PROGRAM, "hooks", "log"], capture_output=True, text=True, env=machine.env, check=True)
    assert "turn-end code/acme/shop: took 3 turns" in shown.stdout
    assert "session-start code/acme/shop: gave " in shown.stdout
    told = json.loads(
        subprocess.run(
            [*PROGRAM, "hooks", "log", "--json"], capture_output=True, text=True, env=machine.env, check=True
        ).stdout
    )
    assert told["summary"]["tokens_given"] > 0
    assert told["summary"]["turns_taken"] == 3
    assert "Postgres" not in machine.place.log.read_text("utf-8"), "words are in the store alone"


def test_clones_and_work_trees_share_a_space_and_folders_of_one_name_do_not(tmp_path: Path) -> None:
    from treering.faces.hooks.project import project_of

    for name in ("a", "b"):
        (tmp_path / name / "shop" / ".git").mkdir(parents=True)
        (tmp_path / name / "shop" / "src").mkdir()
    assert project_of(tmp_path / "a" / "shop").space != project_of(tmp_path / "b" / "shop").space
    for name, url in (("a", "git@github.com:Acme/Shop.git"), ("b", "ssh://git@github.com:22/acme/shop")):
        (tmp_path / name / "shop" / ".git" / "config").write_text(f'[remote "origin"]\n  url = {url}\n')
    assert {project_of(tmp_path / one / "shop" / "src").space for one in "ab"} == {"code/acme/shop"}
    tree = tmp_path / "tree"
    tree.mkdir()
    own = tmp_path / "a" / "shop" / ".git" / "worktrees" / "tree"
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    (tree / ".git").write_text(f"gitdir: {own}\n")
    assert project_of(tree).space == "code/acme/shop"
