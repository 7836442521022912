"""WHAT was said in a session of VS Code's agent? Either what its hooks are given, JSON Lines of events with their data,
or what it keeps of a chat: one JSON object with requests and the parts of their responses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from treering.exchange.transcripts.claude_code import said_by
from treering.exchange.transcripts.turn import Doing, Transcript, TranscriptTurn, cut, lines_of, moment

_ROLES = {"user.message": "user", "assistant.message": "assistant"}


def is_event_of_vscode(one: Mapping[str, Any]) -> bool:
    kind = one.get("type")
    return isinstance(kind, str) and "." in kind and isinstance(one.get("data"), Mapping)


def is_chat_of_vscode(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("requests"), list) and "version" in value


def read_vscode_events(data: bytes, start: int = 0) -> Transcript:
    read = Transcript("vscode", end=start)
    doing = Doing()
    for place, end, one in lines_of(data, start):
        read.end = end
        if one is None:
            read.left_out += 1
        elif is_event_of_vscode(one):
            _take(read, doing, one, place)
    read.turns += doing.turn()
    return read


def _take(read: Transcript, doing: Doing, one: Mapping[str, Any], place: int) -> None:
    told, turn, at = one["data"], str(one.get("id") or place), moment(one.get("timestamp"))
    kind = one["type"]
    if kind == "session.start":
        read.session = read.session or told.get("sessionId")
        around = told.get("context")
        read.folder = read.folder or (around.get("cwd") if isinstance(around, Mapping) else None)
    elif kind in _ROLES:
        content = told.get("content")
        said = cut(said_by(content)) if isinstance(content, str) else ""
        if said:
            read.turns += doing.turn()
            read.turns.append(TranscriptTurn(turn, "user" if kind == "user.message" else "assistant", said, at))
    elif kind == "tool.execution_start":
        doing.begun(str(told.get("toolCallId") or turn), turn, at, *_asked(told))
    elif kind == "tool.execution_complete":
        doing.ended(str(told.get("toolCallId")), _exit_of(told))


def _asked(told: Mapping[str, Any]) -> tuple[str | None, list[str]]:
    given = told.get("arguments")
    said: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    name = str(told.get("toolName") or "").lower()
    command = said.get("command")
    if isinstance(command, str) and ("terminal" in name or name in ("bash", "powershell", "shell")):
        return command, []
    changes = any(part in name for part in ("edit", "create", "replace", "patch", "write"))
    path = said.get("filePath") or said.get("path")
    return None, [path] if changes and isinstance(path, str) else []


def _exit_of(told: Mapping[str, Any]) -> int:
    """A command that failed is a tool that succeeded, and tells the code."""
    shell = told.get("shellExecution")
    code = shell.get("exitCode") if isinstance(shell, Mapping) else None
    return code if isinstance(code, int) else 0 if told.get("success") else 1


def read_vscode_chat(value: Mapping[str, Any], start: int = 0) -> Transcript:
    """`start`: how many requests are known."""
    listed = [one for one in value["requests"] if isinstance(one, Mapping)]
    session = value.get("sessionId")
    read = Transcript("vscode", session=session if isinstance(session, str) else None, end=len(listed))
    for number, one in enumerate(listed[start:], start):
        turn, at = str(one.get("requestId") or number), moment(one.get("timestamp"))
        message = one.get("message")
        asked = message.get("text") if isinstance(message, Mapping) else message
        if isinstance(asked, str) and cut(asked):
            read.turns.append(TranscriptTurn(turn, "user", cut(asked), at))
        parts = one.get("response")
        said = cut("".join(_values(parts if isinstance(parts, list) else [])))
        if said:
            read.turns.append(TranscriptTurn(f"{turn}.answer", "assistant", said, at))
        read.turns += _runs(parts if isinstance(parts, list) else [], turn, at)
    return read


def _values(parts: list[Any]) -> Iterator[str]:
    for one in parts:
        if isinstance(one, Mapping) and one.get("kind") in (None, "markdownContent"):
            value = one.get("value", one.get("content"))
            value = value.get("value") if isinstance(value, Mapping) else value
            if isinstance(value, str):
                yield value


def _runs(parts: list[Any], turn: str, at: Any) -> Iterator[TranscriptTurn]:
    doing = Doing()
    for number, one in enumerate(parts):
        told = one.get("toolSpecificData") if isinstance(one, Mapping) else None
        if not isinstance(told, Mapping) or told.get("kind") != "terminal":
            continue
        line, state = told.get("commandLine"), told.get("terminalCommandState")
        command = line.get("original") if isinstance(line, Mapping) else told.get("command")
        code = state.get("exitCode") if isinstance(state, Mapping) else None
        if isinstance(command, str):
            doing.begun(str(number), f"{turn}.{number}", at, command)
            doing.ended(str(number), code if isinstance(code, int) else None)
    return doing.turn()
