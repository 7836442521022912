"""Which coding agents have hooks, where are they written, and what may each be told? One table, by the clients' own
documentation. A client that takes nothing at a prompt is not called at prompts: it would wait for nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from treering.faces.mcp.install.clients import Places
from treering.values import dataclass

Entry = dict[str, Any]
SECONDS = {"session-start": 15, "prompt": 10, "turn-end": 10, "session-end": 10, "before-compaction": 10}
"""How long a client is to wait before it goes on without us. We are done long before: on a machine that is so busy that
we are not, a client that gives up shows an error, and one that waits shows nothing."""


@dataclass(frozen=True, slots=True)
class HookedClient:
    """`events`: what the client calls the moments it has. `answer`: how what is given is written for it."""

    name: str
    title: str
    settings: Callable[[Places], Path]
    in_project: Path
    """The file of a project, if it is to be set up for one alone."""
    events: Mapping[str, str]
    entry: Callable[[str, str], Entry]
    """From the moment and the command line."""
    answer: Callable[[str, str], str]
    """From the client's name of the event and the text."""
    head: Mapping[str, Any]
    """What a file that is begun here must say besides."""
    after: str
    own_file: bool = False
    """The file is ours alone, and goes with the hooks."""


def _nested(moment: str, command: str) -> Entry:
    return {"hooks": [{"type": "command", "command": command, "timeout": SECONDS[moment]}]}


def _in_milliseconds(moment: str, command: str) -> Entry:
    timeout = SECONDS[moment] * 1000
    return {"hooks": [{"name": "treering", "type": "command", "command": command, "timeout": timeout}]}


def _flat(moment: str, command: str) -> Entry:
    return {"type": "command", "command": command, "timeout": SECONDS[moment]}


def _of_cursor(moment: str, command: str) -> Entry:
    return {"command": command, "timeout": SECONDS[moment]}


def _specific(event: str, text: str) -> str:
    return json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}})


def _both(event: str, text: str) -> str:
    """VS Code runs its own agents, which read the first, and Copilot's, which read the second, with the same hooks."""
    return json.dumps(
        {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}, "additionalContext": text}
    )


def _additional(event: str, text: str) -> str:
    return json.dumps({"additional_context": text})


_AS_CLAUDE_CODE = {
    "session-start": "SessionStart",
    "prompt": "UserPromptSubmit",
    "turn-end": "Stop",
    "session-end": "SessionEnd",
    "before-compaction": "PreCompact",
}

CLIENTS: dict[str, HookedClient] = {
    one.name: one
    for one in (
        HookedClient(
            "claude-code",
            "Claude Code",
            lambda places: places.home / ".claude" / "settings.json",
            Path(".claude") / "settings.local.json",
            _AS_CLAUDE_CODE,
            _nested,
            _specific,
            {},
            "Start a new session; /hooks lists them.",
        ),
        HookedClient(
            "codex",
            "Codex CLI",
            lambda places: places.home / ".codex" / "hooks.json",
            Path(".codex") / "hooks.json",
            {name: event for name, event in _AS_CLAUDE_CODE.items() if name != "session-end"},
            _nested,
            _specific,
            {},
            "Start Codex and trust the hooks when it asks; /hooks lists them.",
        ),
        HookedClient(
            "gemini",
            "Gemini CLI",
            lambda places: places.home / ".gemini" / "settings.json",
            Path(".gemini") / "settings.json",
            {
                "session-start": "SessionStart",
                "prompt": "BeforeAgent",
                "turn-end": "AfterAgent",
                "session-end": "SessionEnd",
                "before-compaction": "PreCompress",
            },
            _in_milliseconds,
            _specific,
            {},
            "Start a new session; /hooks panel lists them.",
        ),
        HookedClient(
            "cursor",
            "Cursor",
            lambda places: places.home / ".cursor" / "hooks.json",
            Path(".cursor") / "hooks.json",
            {
                "session-start": "sessionStart",
                "turn-end": "stop",
                "session-end": "sessionEnd",
                "before-compaction": "preCompact",
            },
            _of_cursor,
            _additional,
            {"version": 1},
            "Look under Settings, Hooks.",
        ),
        HookedClient(
            "vscode",
            "VS Code",
            lambda places: places.home / ".copilot" / "hooks" / "treering.json",
            Path(".github") / "hooks" / "treering.json",
            {"session-start": "SessionStart", "turn-end": "Stop", "before-compaction": "PreCompact"},
            _flat,
            _both,
            {},
            "Start a new chat; Chat: Configure Hooks lists them.",
            own_file=True,
        ),
    )
}
