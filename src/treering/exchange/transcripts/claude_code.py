"""WHAT was said in a session of Claude Code or Cursor? Both keep JSON Lines with messages of content blocks.

Claude Code: `~/.claude/projects/<folder>/<session>.jsonl`, with ids, times and results of tools. Cursor:
`~/.cursor/projects/<folder>/agent-transcripts/<session>/<session>.jsonl`, with a role instead of a type, and neither
times nor results. What was put in by the client itself is left out, and so are sub-agents: nobody said it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from treering.exchange.transcripts.turn import Doing, Transcript, TranscriptTurn, cut, lines_of, moment, texts_of

_OF_THE_CLIENT = re.compile(
    r"<(?P<tag>system-reminder|system_reminder|local-command-stdout|local-command-caveat|local-command-stderr|"
    r"command-message|command-args|command-name|ide_\w+|task-notification|user-prompt-submit-hook|bash-stdout|"
    r"bash-stderr|attached_files|open_and_recently_viewed_files|additional_data|timestamp|manually_attached_skills|"
    r"user_info|rules|hook_context|session_context|current_datetime|treering-memory)\b[^>]*>.*?</(?P=tag)>|\[REDACTED\]|"
    r"&lt;treering-memory\b.*?&lt;/treering-memory&gt;",
    re.DOTALL,
)
_ASKED = re.compile(r"</?user_query>")
_INTERRUPTED = re.compile(r"\[Request interrupted by user[^\]]*\]|^Caveat: The messages below were generated.*", re.S)
_SHELLS = frozenset({"bash", "shell", "run_terminal_cmd", "run_terminal_command", "powershell"})
_EDITS = frozenset({"edit", "write", "multiedit", "notebookedit", "strreplace", "delete", "applypatch"})
_EXIT = re.compile(r"\bexit(?:ed with)? code:? (\d{1,3})", re.I)


def is_of_claude_code(one: Mapping[str, Any]) -> bool:
    message = one.get("message")
    return one.get("type") in ("user", "assistant") and isinstance(message, Mapping) and "sessionId" in one


def is_of_cursor(one: Mapping[str, Any]) -> bool:
    message = one.get("message")
    return one.get("role") in ("user", "assistant") and isinstance(message, Mapping) and "type" not in one


def read_claude_code(data: bytes, start: int = 0) -> Transcript:
    read = Transcript("claude-code", end=start)
    doing = Doing()
    for place, end, one in lines_of(data, start):
        read.end = end
        if one is None:
            read.left_out += 1
        elif is_of_claude_code(one) and not (one.get("isSidechain") or one.get("isMeta")):
            read.session = read.session or one.get("sessionId")
            read.folder = read.folder or one.get("cwd")
            turn = str(one.get("uuid") or place)
            compacted = bool(one.get("isCompactSummary"))
            _take(read, doing, one["message"], one["type"], turn, moment(one.get("timestamp")), compacted)
    read.turns += doing.turn()
    return read


def read_cursor(data: bytes, start: int = 0) -> Transcript:
    read = Transcript("cursor", end=start)
    doing = Doing()
    for place, end, one in lines_of(data, start):
        read.end = end
        if one is None:
            read.left_out += 1
        elif is_of_cursor(one):
            _take(read, doing, one["message"], one["role"], str(place), None, False)
    read.turns += doing.turn()
    return read


def _take(
    read: Transcript,
    doing: Doing,
    message: Mapping[str, Any],
    role: str,
    turn: str,
    at: datetime | None,
    compacted: bool,
) -> None:
    content = message.get("content")
    blocks = [one for one in content if isinstance(one, Mapping)] if isinstance(content, list) else []
    if role == "user":
        for one in blocks:
            if one.get("type") == "tool_result":
                doing.ended(str(one.get("tool_use_id")), _exit_of(one))
    said = "" if compacted else cut(said_by(texts_of(content)))
    if said:
        read.turns += doing.turn()
        read.turns.append(TranscriptTurn(turn, "user" if role == "user" else "assistant", said, at))
    for one in blocks:
        if one.get("type") == "tool_use":
            _begin(doing, one, turn, at)


def said_by(text: str) -> str:
    """Without what a client puts around the words of a person."""
    text = _OF_THE_CLIENT.sub(" ", text)
    return _INTERRUPTED.sub("", _ASKED.sub("", text)).strip()


def _begin(doing: Doing, block: Mapping[str, Any], turn: str, at: datetime | None) -> None:
    given = block.get("input")
    told: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    name = str(block.get("name") or "").lower()
    command = told.get("command") if name in _SHELLS else None
    edited = [one for one in _files(told) if name in _EDITS]
    doing.begun(str(block.get("id") or turn), turn, at, command if isinstance(command, str) else None, edited)


def _files(told: Mapping[str, Any]) -> Iterator[str]:
    for name in ("file_path", "path", "notebook_path", "target_file"):
        if isinstance(told.get(name), str):
            yield told[name]


def _exit_of(block: Mapping[str, Any]) -> int:
    """What it printed tells the code if it failed; it is read for that, and not kept."""
    if not block.get("is_error"):
        return 0
    found = _EXIT.search(texts_of(block.get("content")))
    return int(found[1]) if found else 1
