"""WHAT was said in a session of Codex CLI? Its rollout: `~/.codex/sessions/YYYY/MM/DD/rollout-….jsonl`.

Two logs stand in it, one of what the model sees and one of what the terminal shows. Words are read from the first,
without the instructions and the environment that Codex puts there itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from treering.exchange.transcripts.turn import Doing, Transcript, TranscriptTurn, cut, lines_of, moment, texts_of

_KINDS = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_PUT_IN = re.compile(
    r"\s*<(?:environment_context|user_instructions|permissions instructions|turn_aborted|skill|collaboration_mode|"
    r"treering\b)|\s*# AGENTS\.md instructions",
)
_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_ENDS = frozenset({"function_call_output", "custom_tool_call_output"})
_EXIT = re.compile(r"\bexit(?:ed with)? code:? (\d{1,3})", re.I)
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)


def is_of_codex(one: Mapping[str, Any]) -> bool:
    return one.get("type") in _KINDS and isinstance(one.get("payload"), Mapping)


def read_codex(data: bytes, start: int = 0) -> Transcript:
    read = Transcript("codex", end=start)
    doing = Doing()
    for place, end, one in lines_of(data, start):
        read.end = end
        if one is None:
            read.left_out += 1
        elif is_of_codex(one):
            _take(read, doing, one, place)
    read.turns += doing.turn()
    return read


def _take(read: Transcript, doing: Doing, one: Mapping[str, Any], place: int) -> None:
    payload, at = one["payload"], moment(one.get("timestamp"))
    if one["type"] == "session_meta":
        read.session = read.session or payload.get("id")
        read.folder = read.folder or payload.get("cwd")
    elif one["type"] == "turn_context":
        read.folder = read.folder or payload.get("cwd")
    elif one["type"] == "response_item":
        kind = payload.get("type")
        if kind == "message" and payload.get("role") in ("user", "assistant"):
            said = texts_of(payload.get("content"))
            if said.strip() and not (payload["role"] == "user" and _PUT_IN.match(said)):
                read.turns += doing.turn()
                read.turns.append(TranscriptTurn(str(place), payload["role"], cut(said), at))
        elif kind in _CALLS:
            command, edited = _asked(payload)
            doing.begun(str(payload.get("call_id") or place), str(place), at, command, edited)
        elif kind in _ENDS:
            doing.ended(str(payload.get("call_id")), _exit_of(payload.get("output")))


def _asked(payload: Mapping[str, Any]) -> tuple[str | None, list[str]]:
    """The command, or the files of a patch."""
    given: Any = payload.get("action") or payload.get("arguments") or payload.get("input")
    if isinstance(given, str):
        patched = _PATCHED.findall(given)
        if patched:
            return None, patched
        try:
            given = json.loads(given)
        except ValueError:
            return None, []
    if not isinstance(given, Mapping):
        return None, []
    command = given.get("command") or given.get("cmd")
    if isinstance(command, list):
        words = [str(one) for one in command]
        command = words[-1] if words[:1] and words[0].rsplit("/", 1)[-1] in ("bash", "sh", "zsh") else " ".join(words)
    if not isinstance(command, str):
        return None, []
    patched = _PATCHED.findall(command)
    return (None, patched) if patched else (command, [])


def _exit_of(output: Any) -> int | None:
    """What it printed is looked at for its exit only."""
    if isinstance(output, str) and output.startswith("{"):
        try:
            output = json.loads(output)
        except ValueError:
            return None
    if isinstance(output, Mapping):
        told = output.get("metadata")
        code = told.get("exit_code") if isinstance(told, Mapping) else None
        if isinstance(code, int):
            return code
        output = output.get("output") or output.get("content")
    found = _EXIT.search(output) if isinstance(output, str) else None
    return int(found[1]) if found else None
