"""WHAT is written in a file? From its bytes to text and sections, to the messages of a chat, or to what a memory kept.

Text, Markdown, HTML and JSON are read here with what Python has; PDF and DOCX by `office`. JSON stays as it was
written; all else becomes text with Markdown's headings, lists and tables.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from treering.errors import InvalidRequest, LimitExceeded
from treering.ingest.files import html
from treering.ingest.files.chats import ChatLog, chat_of, chat_of_lines, chat_of_text
from treering.ingest.files.data import json_sections, line_sections, parsed
from treering.ingest.files.decode import decoded, storable
from treering.ingest.files.kept import MemoryExport, kept_of, kept_of_lines, rows_of
from treering.ingest.files.kinds import FileKind, UnreadFile, kind_of
from treering.language.masking import Masking
from treering.language.sections import Section, sections
from treering.model import limits

_NAMED = 20


@dataclass(frozen=True, slots=True)
class Converted:
    """What was found: a text with its sections, a chat, or what another memory kept."""

    kind: FileKind
    text: str = ""
    sections: tuple[Section, ...] = ()
    chat: ChatLog | None = None
    kept: MemoryExport | None = None
    notes: tuple[str, ...] = ()


def convert(name: str, data: bytes, masking: Masking | None = None, apart: bool = False) -> Converted:
    """InvalidRequest, with the file's name, for what cannot be read. `apart`: what others' programs must read is read
    in a process of its own, since whoever sent it may mean no good."""
    if len(data) > limits.FILE_BYTES:
        raise LimitExceeded(f"file: {name} has {len(data):,} bytes; at most {limits.FILE_BYTES:,} are read. Split it")
    look, masking = UnreadFile(name, data), masking or Masking()
    kind = kind_of(look)
    if kind in (FileKind.PDF, FileKind.DOCX):
        from treering.ingest.files.apart import read_apart
        from treering.ingest.files.office import office_text

        text, note = storable((read_apart if apart else office_text)(name, data, kind)), None
    else:
        text, note = decoded(name, data, html.declared_charset(data) if kind is FileKind.HTML else None)
    found = _found(look, kind, text, masking)
    notes = [*([note] if note else []), *found.notes, *masking.notes()]
    if found.chat is not None:
        notes += found.chat.must_speak(name).notes()
    elif found.kept is not None:
        notes += found.kept.must_hold(name).notes()
    elif not found.sections:
        raise InvalidRequest(f"file: {name} has no text in it; there is nothing to remember")
    return replace(found, notes=tuple(notes))


def _found(look: UnreadFile, kind: FileKind, text: str, masking: Masking) -> Converted:
    match kind:
        case FileKind.JSON:
            return _json(look.name, text, masking)
        case FileKind.JSONL:
            return _json_lines(look.name, text, masking)
        case FileKind.CSV:
            return _table(text, masking)
        case FileKind.TEXT if (found := _unnamed_json(look.name, text, masking)) is not None:
            return found
        case FileKind.TEXT | FileKind.MARKDOWN if (chat := chat_of_text(text)) is not None:
            return Converted(kind, chat=masking.value(chat))
        case FileKind.HTML:
            text = html.as_markdown(text)
    return _prose(kind, text, masking)


def _prose(kind: FileKind, text: str, masking: Masking) -> Converted:
    text = masking.text(text)
    return Converted(kind, text, tuple(sections(text, headings=kind is not FileKind.PLAIN)))


def _table(text: str, masking: Masking) -> Converted:
    """A table is a chat or a memory if its rows are; else it is text."""
    rows = rows_of(text)
    if not (chat_of_lines(rows) or kept_of_lines(rows)):
        return _prose(FileKind.PLAIN, text, masking)
    rows = masking.value(rows)
    if chat := chat_of_lines(rows):
        return Converted(FileKind.CSV, chat=chat)
    return Converted(FileKind.CSV, kept=kept_of_lines(rows))


def _unnamed_json(name: str, text: str, masking: Masking) -> Converted | None:
    """JSON under a name that does not say so."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return _json(name, text, masking)
    except InvalidRequest:
        return None


def _json(name: str, text: str, masking: Masking) -> Converted:
    try:
        value = parsed(name, text)
    except InvalidRequest:
        lines = text.strip().split("\n")
        if len(lines) > 1 and all(_parses(line) for line in lines[:3] if line.strip()):
            return _json_lines(name, text, masking)
        raise
    clean = masking.value(value)
    chat = chat_of(clean)
    if chat is not None:
        return Converted(FileKind.JSON, chat=chat)
    if kept := kept_of(clean):
        return Converted(FileKind.JSON, kept=kept)
    if clean != value:  # it stays as it was written, but for these
        text = json.dumps(clean, ensure_ascii=False, indent=2)
    return Converted(FileKind.JSON, text, tuple(json_sections(text, clean)))


def _masked_lines(text: str, masking: Masking) -> str:
    """Each line as it was written, unless it holds a secret."""
    written: list[str] = []
    values: list[Any] = []
    for line in text.split("\n"):
        try:
            values.append(json.loads(line) if line.strip() else None)
        except (ValueError, RecursionError):  # it is left out, whatever it holds
            values.append(None)
        written.append(line)
    clean = masking.value(values)
    return "\n".join(
        line if one == other else json.dumps(one, ensure_ascii=False)
        for line, one, other in zip(written, clean, values, strict=True)
    )


def _parses(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict | list)
    except (ValueError, RecursionError):
        return False


def _json_lines(name: str, text: str, masking: Masking) -> Converted:
    text = _masked_lines(text, masking)
    lines: list[tuple[int, int, Any]] = []
    numbers: list[int] = []
    bad: list[str] = []
    at = 0
    for number, line in enumerate(text.split("\n"), 1):
        start, at = at, at + len(line) + 1
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            bad.append(f"line {number:,} is not valid JSON ({error})")
            continue
        lines.append((start + len(line) - len(line.lstrip()), start + len(line.rstrip()), value))
        numbers.append(number)
    if not lines:
        told = "; ".join(bad[:3]) or "it is empty"
        raise InvalidRequest(f"file: {name} has no line that is valid JSON; {told}")
    notes = (
        "left out: " + "; ".join(bad[:_NAMED]) + (f"; and {len(bad) - _NAMED:,} more" if len(bad) > _NAMED else ""),
    )
    left_out = notes if bad else ()
    numbered = [(number, value) for number, (_, _, value) in zip(numbers, lines, strict=True)]
    if chat := chat_of_lines(numbered):
        return Converted(FileKind.JSONL, chat=chat, notes=left_out)
    if kept := kept_of_lines(numbered):
        return Converted(FileKind.JSONL, kept=kept, notes=left_out)
    return Converted(FileKind.JSONL, text, tuple(line_sections(text, lines)), notes=left_out)
