"""WHAT do the records of anybody say? JSON Lines, JSON or CSV, with a mapping that names the field for each thing:
which holds the words, which the time, the id, the tags, the rest is kept with the memory."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from treering.errors import InvalidRequest
from treering.exchange.importers.step import ExportRead, RecordAdded, RecordGone, moment, text_of

FORM = "records"
FIELDS = ("content", "at", "id", "title", "tags", "speaker", "session", "importance", "deleted", "replaces")


def mapping_of(given: Sequence[str]) -> dict[str, str]:
    """From `content=body`, `at=when` …"""
    found: dict[str, str] = {}
    for one in given:
        name, sign, field = one.partition("=")
        if not sign or name not in FIELDS or not field:
            raise InvalidRequest(f"map: {one!r} is not of the form NAME=FIELD with NAME one of {', '.join(FIELDS)}")
        found[name] = field
    if found and "content" not in found:
        raise InvalidRequest("map: say which field holds the words, such as content=body")
    return found


def read_mapped(records: list[tuple[int, Any]], mapping: Mapping[str, str]) -> ExportRead:
    taken = ExportRead(FORM)
    for number, one in records:
        words = text_of(_at(one, mapping["content"]))
        if not words:
            taken.left_out.append(f"record {number}: has no words in {mapping['content']}")
            continue
        told = {name: _at(one, field) for name, field in mapping.items()}
        when = told.get("at")
        at = moment(when)
        if when not in (None, "") and at is None:
            taken.left_out.append(f"record {number}: the time {when!r} cannot be read; taken without it")
        key = str(told.get("id") if told.get("id") not in (None, "") else f"{number}/{words[:80]}")
        rest = (
            {name: value for name, value in one.items() if name not in mapping.values()}
            if isinstance(one, Mapping)
            else {}
        )
        before = told.get("replaces")
        taken.steps.append(
            RecordAdded(
                key=key,
                content=words,
                at=at,
                of=str(before) if before not in (None, "") else None,
                title=text_of(told.get("title"))[:500] or None,
                tags=tuple(_several(told.get("tags")))[:50],
                speaker=text_of(told.get("speaker"))[:200] or None,
                session=text_of(told.get("session"))[:200] or None,
                importance=_share(told.get("importance")),
                meta={FORM: rest} if rest else {},
            )
        )
        if str(told.get("deleted") or "").strip().lower() not in ("", "0", "false", "no", "none"):
            taken.steps.append(RecordGone(key, "deleted where it came from"))
    return taken


def _at(one: Any, field: str) -> Any:
    """`a.b` is the field b of the field a."""
    for part in field.split("."):
        one = one.get(part) if isinstance(one, Mapping) else None
    return one


def _several(value: Any) -> list[str]:
    if isinstance(value, str):
        return [one for one in re.split(r"\s*[,;|]\s*", value.strip()) if one]
    return [str(one) for one in value if str(one).strip()] if isinstance(value, list) else []


def _share(value: Any) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if 0 <= number <= 1 else None
