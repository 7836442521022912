"""WHAT was said in a session of Gemini CLI? One JSON object, written anew as the session grows:
`~/.gemini/tmp/<project>/chats/session-….json`; newer ones are JSON Lines of the same messages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from treering.exchange.transcripts.claude_code import said_by
from treering.exchange.transcripts.turn import Doing, Transcript, TranscriptTurn, cut, lines_of, moment

_ROLES = {"user": "user", "gemini": "assistant", "model": "assistant"}
_EDITS = frozenset({"replace", "write_file", "edit"})


def is_of_gemini(value: Any) -> bool:
    return isinstance(value, Mapping) and "sessionId" in value and ("messages" in value or "projectHash" in value)


def read_gemini(value: Mapping[str, Any], start: int = 0) -> Transcript:
    """`start`: how many messages are known."""
    listed = value.get("messages")
    messages = listed if isinstance(listed, list) else []
    return _read(value.get("sessionId"), messages, start)


def read_gemini_lines(data: bytes, start: int = 0) -> Transcript:
    """A head, then a message a line; a message may come again with more, and the last counts."""
    session, found = None, dict[str, Any]()
    for place, _, one in lines_of(data):
        if one is None:
            continue
        session = session or one.get("sessionId")
        if one.get("type") in _ROLES:
            found[str(one.get("id") or place)] = one
    return _read(session, list(found.values()), start)


def _read(session: Any, messages: list[Any], start: int) -> Transcript:
    """The last message is read again the next time: what its tools did may be written to it only then."""
    end = max(len(messages) - 1, 0)
    read = Transcript("gemini", session=session if isinstance(session, str) else None, end=end)
    doing = Doing()
    for number, one in enumerate(messages[start:], start):
        if not isinstance(one, Mapping) or one.get("type") not in _ROLES:
            continue
        turn, at = str(one.get("id") or number), moment(one.get("timestamp"))
        said = cut(said_by(_words(one.get("content"))))
        if said:
            read.turns += doing.turn()
            role = _ROLES[one["type"]]
            read.turns.append(TranscriptTurn(turn, "user" if role == "user" else "assistant", said, at))
        for call in _calls(one):
            _take(doing, call, turn, at)
    read.turns += doing.turn()
    return read


def _words(content: Any) -> str:
    match content:
        case str():
            return content
        case list():
            return "\n\n".join(text for one in content if (text := _words(one)))
        case Mapping():
            return _words(content.get("text"))
    return ""


def _calls(message: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    listed = message.get("toolCalls")
    return (one for one in listed if isinstance(one, Mapping)) if isinstance(listed, list) else iter(())


def _take(doing: Doing, call: Mapping[str, Any], turn: str, at: Any) -> None:
    given = call.get("args")
    told: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    name, key = str(call.get("name") or ""), str(call.get("id") or turn)
    command = told.get("command") if "shell" in name else None
    path = told.get("file_path") or told.get("path")
    edited = [path] if name in _EDITS and isinstance(path, str) else []
    doing.begun(key, turn, at, command if isinstance(command, str) else None, edited)
    doing.ended(key, _exit_of(call))


def _exit_of(call: Mapping[str, Any]) -> int | None:
    shown = json.dumps(call.get("result"), default=str)
    for line in ("Exit Code: ", "exit code "):
        if line in shown:
            digits = shown.split(line, 1)[1][:3].split("\\")[0].strip("\"'., )")
            return int(digits) if digits.isdigit() else None
    status = call.get("status")
    return 0 if status == "success" else 1 if status == "error" else None
