"""Hooks go into a client's settings and out again, and leave everything else as it was, to the letter."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest
from tests.faces.command import Here

from treering.faces.hooks.clients import CLIENTS
from treering.faces.hooks.install import without
from treering.faces.mcp.install.edit import JsonReader


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    for folder in (".claude", ".codex", ".gemini", ".cursor", ".config/Code/User"):
        (home / folder).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setattr(Path, "home", lambda: home)
    return home


@pytest.fixture
def here(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    return Here(tmp_path / "work.db", capsys, monkeypatch)


FILES = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "cursor": ".cursor/hooks.json",
    "vscode": ".copilot/hooks/treering.json",
}

OTHERS = (
    "",
    "{}\n",
    '{\n  "model": "opus"\n}\n',
    '{\n\t// mine\n\t"model": "opus", /* and */\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{"hooks": [{"type": "command", '
    '"command": "say done"}]}, // keep\n\t\t]\n\t}\n}\n',
    '{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "x"}]}], "Other": []}, "last": true}',
    '{\n  "hooks": {\n    "sessionStart": [\n      { "command": "./mine.sh" }\n    ]\n  },\n  "version": 1\n}',
    '\ufeff{\r\n  "hooks": {},\r\n  "a": [1, 2]\r\n}\r\n',
)


@pytest.mark.parametrize("text", OTHERS)
@pytest.mark.parametrize("client", CLIENTS)
def test_what_is_put_in_works_and_what_is_taken_out_leaves_the_rest(
    home: Path, here: Here, client: str, text: str
) -> None:
    path = home / FILES[client]
    path.parent.mkdir(parents=True, exist_ok=True)
    if text:
        path.write_text(text, "utf-8", newline="")
    before = JsonReader(text).whole().value if text else {}
    assert here("hooks", "install", "--client", client, "--yes").code == 0
    after = JsonReader(path.read_text("utf-8")).whole().value
    for moment, event in CLIENTS[client].events.items():
        mine = after["hooks"][event][-1]
        command = mine.get("command") or mine["hooks"][0]["command"]
        assert shlex.split(command)[-6:] == ["hook", moment, "--client", client, "--url", str(here.store)]
        assert os.access(shlex.split(command)[0], os.X_OK)
        assert after["hooks"][event][:-1] == before.get("hooks", {}).get(event, [])
    assert {name: one for name, one in after.items() if name not in ("hooks", "version")} == {
        name: one for name, one in before.items() if name not in ("hooks", "version")
    }
    if client == "cursor":
        assert after["version"] == 1
    assert "is set up already" in here("hooks", "install", "--client", client, "--yes").out
    assert here("hooks", "remove", "--yes").code == 0
    left = path.read_text("utf-8") if path.exists() else ""
    kept = JsonReader(left).whole().value if left.strip("\ufeff \r\n") else {}
    own = {"version": 1} if client == "cursor" and "version" not in before else {}
    expected = {**before, **own}
    assert {name: one for name, one in kept.items() if one != {}} == {
        name: one for name, one in expected.items() if one != {}
    }
    if "keep" in text and client != "cursor":
        assert left == text, "to the letter"


def test_settings_that_cannot_be_parsed_stop_all_and_nothing_is_written(home: Path, here: Here) -> None:
    (home / FILES["gemini"]).write_text('{"a": ', "utf-8")
    done = here("hooks", "install", "--yes")
    assert done.code == 2
    assert "Gemini CLI" in done.err
    assert not (home / FILES["claude-code"]).exists()


def test_nobody_to_ask_is_told_what_to_do_and_a_look_writes_nothing(home: Path, here: Here) -> None:
    assert "--yes" in here("hooks", "install", "--client", "codex").err
    shown = here("hooks", "install", "--client", "codex", "--dry-run")
    assert '+    "SessionStart"' in shown.out
    assert not (home / FILES["codex"]).exists()


def test_an_old_command_of_ours_is_renewed_and_a_person_s_own_stays() -> None:
    text = json.dumps(
        {"hooks": {"Stop": [
            {"hooks": [{"type": "command", "command": "/old/treering hook turn-end --client claude-code"}]},
            {"hooks": [{"type": "command", "command": "treering hook turn-end --client claude-code"},
                       {"type": "command", "command": "mine"}]},
            {"hooks": [{"type": "command", "command": "echo treering hooks are fine"}]},
        ]}}
    )  # fmt: skip
    left = json.loads(without(text))["hooks"]["Stop"]
    assert [len(one["hooks"]) for one in left] == [2, 1]


def test_hooks_for_one_project_go_into_its_own_file(home: Path, here: Here, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    assert here("hooks", "install", "--client", "claude-code", "--project", str(project), "--yes").code == 0
    assert "SessionStart" in (project / ".claude" / "settings.local.json").read_text("utf-8")
    assert not (home / FILES["claude-code"]).exists()
    assert here("hooks", "remove", "--project", str(project), "--yes").code == 0
    assert "SessionStart" not in (project / ".claude" / "settings.local.json").read_text("utf-8")
