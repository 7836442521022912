"""WHAT happened? A client's event in one shape, whatever its fields are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from pathlib import Path
from typing import Any

from treering.exchange.transcripts.turn import TranscriptTurn, cut, moment
from treering.faces.hooks.project import Project, project_of
from treering.model.limits import NAME_CHARS
from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class HookEvent:
    """`source`: how a session began. `turns`: what the event itself tells of the turn, where there is no transcript."""

    moment: str
    client: str
    session: str
    project: Project
    transcript: Path | None = None
    prompt: str = ""
    source: str = ""
    at: datetime | None = None
    turns: tuple[TranscriptTurn, ...] = field(default=())

    @property
    def key(self) -> str:
        """The session, told from those of other clients."""
        return f"{self.client}:{self.session}"[:NAME_CHARS]


def read_event(name: str, client: str, payload: Mapping[str, Any]) -> HookEvent:
    """A field that is missing or of another kind is as if nothing were said."""
    path = _text(payload, "transcript_path", "transcriptPath")
    session = _text(payload, "session_id", "sessionId", "conversation_id") or "unknown"
    return HookEvent(
        name,
        client,
        session,
        project_of(_folder(payload)),
        Path(path) if path else None,
        _text(payload, "prompt"),
        _text(payload, "source"),
        moment(payload.get("timestamp")),
        tuple(_told(payload)),
    )


def _folder(payload: Mapping[str, Any]) -> str:
    roots = payload.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else None
    return _text(payload, "cwd") or first or str(Path.home())


def _told(payload: Mapping[str, Any]) -> list[TranscriptTurn]:
    """Gemini's and Codex's events tell the last words of a turn."""
    asked, said = _text(payload, "prompt"), _text(payload, "prompt_response", "last_assistant_message")
    turn = _text(payload, "turn_id", "generation_id", "timestamp")
    if not said or not turn:
        return []
    found = [TranscriptTurn(f"{turn}.asked", "user", cut(asked))] if asked else []
    return [*found, TranscriptTurn(f"{turn}.said", "assistant", cut(said))]


def _text(payload: Mapping[str, Any], *names: str) -> str:
    return next((payload[name] for name in names if isinstance(payload.get(name), str) and payload[name]), "")
