"""WHAT was said in a session with a coding agent? The transcripts that clients keep, read into turns of one shape.

What a tool printed is not read in, only which command ran and how it ended. Nothing is masked here: that is done to
whatever is about to be stored (`language.masking`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from treering.errors import InvalidRequest
from treering.exchange.transcripts.claude_code import is_of_claude_code, is_of_cursor, read_claude_code, read_cursor
from treering.exchange.transcripts.codex import is_of_codex, read_codex
from treering.exchange.transcripts.gemini import is_of_gemini, read_gemini, read_gemini_lines
from treering.exchange.transcripts.turn import CommandRun as CommandRun
from treering.exchange.transcripts.turn import Transcript as Transcript
from treering.exchange.transcripts.turn import TranscriptTurn as TranscriptTurn
from treering.exchange.transcripts.turn import lines_of
from treering.exchange.transcripts.vscode import (
    is_chat_of_vscode,
    is_event_of_vscode,
    read_vscode_chat,
    read_vscode_events,
)

MOST_BYTES = 512 << 20
_LOOKED_AT = 40  # lines at the beginning: some clients put summaries and snapshots first
_OF_LINES = (
    (is_of_claude_code, read_claude_code),
    (is_of_codex, read_codex),
    (is_of_cursor, read_cursor),
    (is_event_of_vscode, read_vscode_events),
    (is_of_gemini, read_gemini_lines),
)


def read_transcript(path: Path, start: int = 0) -> Transcript:
    """`start` is where the last reading ended. One that is shorter now was written anew, and is read from its begin."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InvalidRequest(f"file: {path} is larger than {MOST_BYTES >> 20} MiB; it is no transcript")
        data = path.read_bytes()
    except OSError as error:
        raise InvalidRequest(f"file: {path} cannot be read ({error.strerror})") from None
    read = transcript_of(data, start)
    if read is None:
        raise InvalidRequest(f"file: {path} is no transcript of Claude Code, Codex, Cursor, Gemini CLI or VS Code")
    return read


def transcript_of(data: bytes, start: int = 0) -> Transcript | None:
    """None if it is something else."""
    whole = _json(data)
    if is_chat_of_vscode(whole):
        return read_vscode_chat(whole, start if start <= len(whole["requests"]) else 0)
    if is_of_gemini(whole) and "messages" in whole:
        return read_gemini(whole, start if start <= len(whole["messages"]) else 0)
    head = [one for _, (_, _, one) in zip(range(_LOOKED_AT), lines_of(data + b"\n"), strict=False) if one is not None]
    for knows, reads in _OF_LINES:
        if any(knows(one) for one in head):
            return reads(data, start if start <= len(data) else 0)
    return None


def _json(data: bytes) -> Any:
    """The whole as one JSON object; None if it is lines."""
    first = data[:4096].lstrip()
    if not first.startswith(b"{") or b"\n" not in data.strip():
        return _parsed(data)
    line = data.lstrip().split(b"\n", 1)[0]
    return None if isinstance(_parsed(line), dict) else _parsed(data)


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
