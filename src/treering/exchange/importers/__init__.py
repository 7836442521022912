"""WHOSE memory is it, and what is to be taken over? Exports and databases of other memories, known by what stands in
them, as steps with times, states and ids. Nothing is written here; `faces.moving` does the steps through the door."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from treering.errors import InvalidRequest
from treering.exchange.importers import graphiti, logseq, mapped, mem0, memory_service
from treering.exchange.importers.step import ExportRead as ExportRead
from treering.exchange.importers.step import RecordAdded as RecordAdded
from treering.exchange.importers.step import RecordGone as RecordGone
from treering.language.masking import Masking

FORMS = (mem0.FORM, graphiti.FORM, memory_service.FORM, memory_service.REFERENCE, logseq.FORM, mapped.FORM)
_SQLITE = b"SQLite format 3\x00"
_MOST_BYTES = 256 << 20


def read_export(path: Path, mapping: Sequence[str] = (), masking: Masking | None = None) -> ExportRead | None:
    """None if it is nothing of these."""
    masking = masking or Masking()
    chosen = mapped.mapping_of(mapping)
    if path.is_dir():
        return logseq.read_graph(path, masking) if logseq.is_graph(path) else None
    if path.stat().st_size > _MOST_BYTES:
        raise InvalidRequest(f"file: {path} is larger than {_MOST_BYTES >> 20} MiB; split it")
    data = path.read_bytes()
    if data.startswith(_SQLITE):
        return _of_database(path, masking)
    if chosen:
        return mapped.read_mapped(masking.value(records_of(path, data)), chosen)
    return of_json(data, masking)


def of_json(data: bytes, masking: Masking) -> ExportRead | None:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        lines = _lines(data)
        known = sum(memory_service.is_of_reference(one) for _, one in lines)
        return memory_service.read_reference(masking.value(lines)) if lines and known * 2 > len(lines) else None
    return _of_value(masking.value(value)) if _is_known(value) else None


def _is_known(value: Any) -> bool:
    """Looked at before anything is masked: most files are none of these, and are read by others."""
    return (
        graphiti.is_of_graphiti(value)
        or memory_service.is_exported(value)
        or memory_service.is_of_reference(value)
        or mem0.is_listed(value)
    )


def _of_value(value: Any) -> ExportRead | None:
    if graphiti.is_of_graphiti(value):
        return graphiti.read_graphiti(value)
    if memory_service.is_exported(value):
        return memory_service.read_exported(value)
    if memory_service.is_of_reference(value):
        return memory_service.read_reference([(1, value)])
    return mem0.read_listed(value) if mem0.is_listed(value) else None


def records_of(path: Path, data: bytes) -> list[tuple[int, Any]]:
    """Of JSON, JSON Lines or CSV, each with its number."""
    text = data.decode("utf-8-sig", "replace")
    if path.suffix.lower() in (".csv", ".tsv"):
        delimiter = "\t" if path.suffix.lower() == ".tsv" else csv.Sniffer().sniff(text[:4096], ",;\t|").delimiter
        return list(enumerate(csv.DictReader(io.StringIO(text), delimiter=delimiter), 1))
    try:
        value = json.loads(text)
    except ValueError:
        return _lines(data)
    if isinstance(value, Mapping):
        value = next((one for one in value.values() if isinstance(one, list)), [value])
    return list(enumerate(value, 1)) if isinstance(value, list) else []


def _lines(data: bytes) -> list[tuple[int, Any]]:
    found = []
    for number, line in enumerate(data.splitlines(), 1):
        if line.strip():
            try:
                found.append((number, json.loads(line)))
            except (ValueError, RecursionError):
                found.append((number, None))
    return found


def _of_database(path: Path, masking: Masking) -> ExportRead | None:
    """Opened for reading only: it may be in use."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            quoted = {name: str(name).replace('"', '""') for name in names}
            tables = {
                name: {row[1] for row in connection.execute(f'PRAGMA table_info("{quoted[name]}")')} for name in names
            }
            if mem0.is_history(tables):
                return mem0.read_history(masking.value(_rows(connection, "history", "rowid")))
            if memory_service.is_database(tables):
                return memory_service.read_database(masking.value(_rows(connection, "memories", "created_at, rowid")))
    except sqlite3.Error as error:
        raise InvalidRequest(f"file: {path} is a database that cannot be read ({error})") from None
    return None


def _rows(connection: sqlite3.Connection, table: str, order: str) -> list[dict[str, Any]]:
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    listed = connection.execute(f"SELECT * FROM {table} ORDER BY {order}")  # noqa: S608  # words of ours
    return [dict(zip(columns, row, strict=True)) for row in listed]
