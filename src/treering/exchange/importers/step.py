"""WHAT is to be done to take over another memory? Steps in the order in which things happened there: added, revised,
forgotten, archived; each known by the id it had, so that doing them again changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import UTC, datetime
from typing import Any

from treering.model.time import to_text
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordAdded:
    """`key`: its id there. `of`: it takes the place of that one. `triples`: facts it states, with their times."""

    key: str
    content: str
    at: datetime | None = None
    of: str | None = None
    title: str | None = None
    kind: str = "semantic"
    tags: tuple[str, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    importance: float | None = None
    entities: tuple[Any, ...] = ()
    triples: tuple[Mapping[str, Any], ...] = ()
    session: str | None = None
    speaker: str | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class RecordGone:
    """That one was deleted there, or put away."""

    of: str
    why: str
    archived: bool = False


@dataclass(slots=True)
class ExportRead:
    """What was read of an export: whose it is, the steps, and what could not be taken, with the reason."""

    form: str
    steps: list[RecordAdded | RecordGone] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def moment(value: Any) -> datetime | None:
    """From ISO 8601 or seconds or milliseconds since 1970; what has no offset is in UTC."""
    if isinstance(value, bool) or value in (None, ""):
        return None
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value / 1000 if abs(value) > 1e11 else value, UTC)
        if isinstance(value, str):
            text = value.strip().replace(" UTC", "+00:00")
            if text.replace(".", "", 1).isdigit() and len(text) > 8:
                return moment(float(text))
            found = datetime.fromisoformat(text)
            return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def text_of(value: Any) -> str:
    return value.replace("\x00", "").strip() if isinstance(value, str) else ""


def fact(subject: str, relation: str, object_: str, since: datetime | None, until: datetime | None) -> dict[str, Any]:
    told: dict[str, Any] = {"subject": subject, "relation": relation, "object": object_}
    told |= {"valid_from": to_text(since)} if since else {}
    return told | ({"valid_until": to_text(until)} if until else {})
