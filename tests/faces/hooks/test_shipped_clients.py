"""Two sessions with each coding agent as its maker ships it, before a scripted model: what the first said the second is
told, and what the second reversed the third is not. `make clients` brings them; without them these tests are skipped,
and say so."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.faces.hooks.machine import PROGRAM, Machine
from tests.scripted_model import ScriptedModel, scripted_model

from treering.faces.hooks.clients import CLIENTS
from treering.faces.mcp.install.clients import Places

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
OTHERS = Path(os.environ.get("TREERING_TEST_OTHERS") or Path(__file__).parents[3] / ".others")
PROGRAMS = OTHERS / "clients" / "node_modules" / ".bin"
FIRST = "Let's use Postgres for the orders service. Always run `make lint` before each commit."
SECOND = "We switched from Postgres to MySQL for the orders service. Build it."


@dataclass(frozen=True)
class Shipped:
    """`words`: how it is asked once. `env`: what leads it to the scripted model. `settings`: its own, before ours."""

    program: str
    hooked: str
    words: tuple[str, ...]
    env: Callable[[str], dict[str, str]]
    settings: Callable[[Path, str], tuple[Path, str]] | None = None


def _of_codex(home: Path, url: str) -> tuple[Path, str]:
    provider = (
        f'[model_providers.local]\nname = "local"\nbase_url = "{url}/v1"\nwire_api = "responses"\nenv_key = "KEY"\n'
    )
    return home / ".codex" / "config.toml", f'model = "scripted"\nmodel_provider = "local"\n{provider}'


def _of_gemini(home: Path, url: str) -> tuple[Path, str]:
    return home / ".gemini" / "settings.json", '{"security": {"auth": {"selectedType": "gemini-api-key"}}}\n'


SHIPPED = {
    "Claude Code": Shipped(
        "claude",
        "claude-code",
        ("--allowedTools", "Bash", "-p"),
        lambda url: {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        },
    ),
    "Codex CLI": Shipped(
        "codex",
        "codex",
        ("exec", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"),
        lambda url: {"KEY": "none"},
        _of_codex,
    ),
    "Gemini CLI": Shipped(
        "gemini",
        "gemini",
        ("--yolo", "-p"),
        lambda url: {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        },
        _of_gemini,
    ),
    "Copilot, as VS Code runs it": Shipped(
        "copilot",
        "vscode",
        ("--allow-all-tools", "--trust-folder", "-p"),
        lambda url: {
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_BASE_URL": f"{url}/v1",
            "COPILOT_PROVIDER_API_KEY": "none",
            "COPILOT_PROVIDER_WIRE_API": "responses",
            "COPILOT_MODEL": "gpt-5-codex",
        },
    ),
}


@pytest.mark.parametrize("name", SHIPPED)
def test_what_one_session_said_the_next_is_told(name: str, machine: Machine) -> None:
    client = SHIPPED[name]
    program = PROGRAMS / client.program
    if not program.exists():
        tell = pytest.fail if os.environ.get("TREERING_TEST_ALL") else pytest.skip
        tell(f"run `make clients` to try the real ones; not there: {program}")
    with scripted_model() as model:
        _made_ready(client, machine, model)
        assert "treering-memory" not in _session(client, machine, model, FIRST, "echo 12 passed")
        machine.until(lambda: _notes(machine) >= 4, "what was said was not noted")
        given = _session(client, machine, model, SECOND, "false")
    assert "treering-memory" in given
    assert "Let's use Postgres for the orders service." in given
    assert "Always run `make lint` before each commit." in given
    machine.until(lambda: "MySQL" in _told(client, machine), "what was reversed is told as before")
    told = _told(client, machine)
    assert "Let's use Postgres" not in told
    assert told.count("Always run `make lint`") == 1, "what it was given is nobody's word"
    _hooks(client, machine, "remove")
    settings = CLIENTS[client.hooked].settings(Places.here({}, home=machine.root))
    assert not settings.exists() or "treering" not in settings.read_text("utf-8")


def _made_ready(client: Shipped, machine: Machine, model: ScriptedModel) -> None:
    git = shutil.which("git")
    assert git is not None
    subprocess.run([git, "init", "-q", str(machine.project)], check=True, env=machine.env)
    if client.settings is not None:
        path, text = client.settings(machine.root, model.url)
        path.parent.mkdir(parents=True)
        path.write_text(text, "utf-8")
    _hooks(client, machine, "install")


def _hooks(client: Shipped, machine: Machine, what: str) -> None:
    words = [*PROGRAM, "hooks", what, "--client", client.hooked, "--yes"]
    subprocess.run(words, env=machine.env, check=True, capture_output=True)


def _session(client: Shipped, machine: Machine, model: ScriptedModel, prompt: str, command: str) -> str:
    """What the model was sent in it."""
    model.will_run(command)
    done = subprocess.run(
        [str(PROGRAMS / client.program), *client.words, prompt], cwd=machine.project, stdin=subprocess.DEVNULL,
        env={**machine.env, "TERM": "xterm", **client.env(model.url)}, capture_output=True, text=True, timeout=240,
        check=False,
    )  # fmt: skip
    shown = done.stdout + done.stderr
    assert done.returncode == 0, shown[-2000:]
    assert "I set it up." in shown
    about_hooks = [line for line in shown.splitlines() if "hook" in line.lower()]
    assert not [line for line in about_hooks if "fail" in line.lower() or "error" in line.lower()]
    return "\n".join(model.asked)


def _notes(machine: Machine) -> int:
    return sum(one.get("notes", 0) for one in machine.diary.entries())


def _told(client: Shipped, machine: Machine) -> str:
    """What a session that began now would be told."""
    event = {"session_id": f"later-{time.monotonic_ns()}", "cwd": str(machine.project)}
    shown = machine.hook(client.hooked, "session-start", event).stdout
    return str(json.loads(shown)["hookSpecificOutput"]["additionalContext"]) if shown else ""
