"""What has many parameters in common? Bounds, shapes and the checks of paths and words; no parameter itself."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, PlainValidator, ValidationInfo, WithJsonSchema

from treering.errors import InvalidRequest
from treering.files import Scratch, Sent
from treering.ingest.draft import DraftEntity
from treering.model import limits
from treering.model.fact import Statement
from treering.model.memory import Kind as MemoryKind
from treering.model.memory import memory_kind
from treering.model.space import space_name
from treering.model.time import UNKNOWN_WORD, beginning

NAME = {"min_length": 1, "max_length": limits.NAME_CHARS}
A_SPACE = Annotated[str, AfterValidator(space_name)]
SPELLINGS = [*MemoryKind, "fact", "preference"]
A_KIND = Annotated[str, PlainValidator(memory_kind), WithJsonSchema({"type": "string", "enum": SPELLINGS})]
UNIT = {"ge": 0, "le": 1}
MOST = 1_000_000_000  # more than there will ever be, and every engine can count to it
FILE_NAME_BYTES = 255  # of one part of a path, on every file system in use

TEXT = {"type": "string"}
TIME = {"type": "string", "format": "date-time"}
FACT_SCHEMA = {
    "type": "object",
    "properties": {
        "subject": TEXT,
        "relation": TEXT,
        "object": TEXT,
        "valid_from": {"anyOf": [TIME, {"type": "string", "const": UNKNOWN_WORD}]},
        "valid_until": TIME,
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "memory_id": TEXT,
    },
    "required": ["subject", "relation", "object"],
}
TRIPLE_SCHEMA = {"type": "array", "items": TEXT, "minItems": 3, "maxItems": 3}
ENTITY_SCHEMA = {"type": "object", "properties": {"name": TEXT, "kind": TEXT}, "required": ["name"]}
A_BEGINNING = Annotated[
    datetime | str,
    PlainValidator(lambda value, info: beginning(value, info.field_name or "valid_from")),
    WithJsonSchema({"anyOf": [TIME, {"type": "string", "const": UNKNOWN_WORD}]}),
]
A_FACT = Annotated[
    Statement | Sequence[str] | Mapping[str, Any],
    PlainValidator(Statement.read),
    WithJsonSchema({"anyOf": [TRIPLE_SCHEMA, FACT_SCHEMA]}),
]
AN_ENTITY = Annotated[
    DraftEntity | str | Mapping[str, Any],
    PlainValidator(DraftEntity.read),
    WithJsonSchema({"anyOf": [TEXT, ENTITY_SCHEMA]}),
]


def place(value: object, info: ValidationInfo) -> str | Scratch:
    match value:
        case Scratch():
            return value
        case Path() | str() if str(value).strip():
            return path_name(str(value), info)
    raise InvalidRequest(f"{info.field_name}: give the path of a file")


def place_or_none(value: object, info: ValidationInfo) -> str | Scratch | None:
    return None if value is None else place(value, info)


def path_name(value: str, info: ValidationInfo) -> str:
    """A path that a file system can be asked about; whether something is there is not asked here."""
    try:
        longest = max((len(part.encode()) for part in Path(value).parts), default=0)
    except UnicodeEncodeError:
        longest = FILE_NAME_BYTES + 1
    if "\x00" in value or longest > FILE_NAME_BYTES:
        raise InvalidRequest(f"{info.field_name}: {value[:60]!r} is not the path of a file; check its name")
    return value


def file_or_bytes(value: object, info: ValidationInfo) -> str | bytes | Sent:
    match value:
        case Sent():
            if value.name is not None:
                limits.text(value.name, "name", limits.NAME_CHARS, least=1)
            return value
        case bytes() | bytearray() | memoryview():
            return bytes(value)
        case Path() | str() if str(value).strip():
            return path_name(str(value), info)
    raise InvalidRequest(f"{info.field_name}: give the path of a file, or its bytes")


def folder_or_none(value: object, info: ValidationInfo) -> str | None:
    match value:
        case None:
            return None
        case Path() | str() if str(value).strip():
            return folder_name(str(value), info)
    raise InvalidRequest(f"{info.field_name}: give the path of a folder")


def folder_name(value: str, info: ValidationInfo) -> str:
    """A name in whatever bytes the file system has it, which may be no text."""
    try:
        os.fsencode(value)
    except UnicodeEncodeError:
        raise InvalidRequest(f"{info.field_name}: {value[:60]!r} is not the path of a folder; check its name") from None
    return value


def one_of(words: type[StrEnum]) -> Any:
    """One of these words, as text or as the enum's own member."""

    def read(value: object, info: ValidationInfo) -> StrEnum:
        try:
            return words(str(value))
        except ValueError:
            raise InvalidRequest(f"{info.field_name}: {value!r} is not one of {', '.join(words)}") from None

    return read


def schema_of(words: type[StrEnum]) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "enum": [word.value for word in words]})
