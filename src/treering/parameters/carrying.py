"""What goes out and comes in, and how is a write made? Files, backups, syncing, reasons, dry runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, PlainValidator, WithJsonSchema
from pydantic import Field as Say

from treering.files import OnDisk, Scratch
from treering.model import limits
from treering.operation import AS_FILES_ARE_NAMED, NOT_IN_AN_ADDRESS, Time
from treering.parameters.bounds import NAME, folder_or_none, path_name, place, place_or_none

Why = Annotated[str | None, Say(max_length=limits.WHY_CHARS, description="The reason, kept with the change.")]
Reason = Annotated[
    str,
    Say(min_length=1, max_length=limits.WHY_CHARS, description="The reason; it stays when the content is gone."),
]
DryRun = Annotated[bool, Say(description="Say what would happen and write nothing.")]
WrittenSince = Annotated[Time | None, Say(description="Only what was written since then; all if left out.")]
_A_PATH = WithJsonSchema({"type": "string", "format": "path", "minLength": 1})
NewFile = Annotated[
    OnDisk | Scratch,
    PlainValidator(place),
    AS_FILES_ARE_NAMED,
    _A_PATH,
    Say(description="The file to write; it must not exist yet."),
]
OtherMemory = Annotated[
    OnDisk | None,
    PlainValidator(folder_or_none),
    AS_FILES_ARE_NAMED,
    WithJsonSchema({"anyOf": [{"type": "string", "format": "path"}, {"type": "null"}]}),
    Say(
        description="A storage folder of CortexGraph, an export or database of ai-memory, or saved answers of Crosmos "
        "or LongMem."
    ),
]
OtherRecords = Annotated[
    dict[str, Any] | None,
    Say(description="Instead of a path: an export as ai-memory gives it, or answers of Crosmos or LongMem."),
]
OtherSystem = Annotated[
    Literal["cortexgraph", "ai-memory", "crosmos", "longmem"] | None,
    Say(description="Whose it is; recognised if left out."),
]
ExportFormat = Annotated[
    Literal[
        "journal",
        "jsonl",
        "markdown",
        "graphml",
        "cypher",
        "cortexgraph",
        "ai-memory",
        "crosmos",
        "longmem",
        "mem0",
        "mcp",
        "mcp-memory-service",
        "graphiti",
    ]
    | None,
    Say(description="In which form; if left out, by the ending of the name, and the journal where it tells none."),
]
BackupFile = Annotated[
    OnDisk | Scratch | None,
    PlainValidator(place_or_none),
    AS_FILES_ARE_NAMED,
    WithJsonSchema({"anyOf": [{"type": "string", "format": "path"}, {"type": "null"}]}),
    Say(description="A backup; the newest of the folder TREERING_BACKUPS if left out."),
]
Passphrase = Annotated[
    str | None,
    Say(
        min_length=12,
        max_length=1024,
        description="What the backup is sealed with. Where other users see command lines, name a file in "
        "TREERING_BACKUP_PASSPHRASE_FILE instead.",
    ),
    NOT_IN_AN_ADDRESS,
]
VerifyCopy = Annotated[bool, Say(description="Check every entry and row of the copy; false only copies.")]
ForceBackup = Annotated[bool, Say(description="Also if it is not time yet.")]
Questions = Annotated[int, Say(ge=0, le=1000, description="How many questions are asked of both.")]
HeldId = Annotated[str | None, Say(**NAME, description="The memory; the whole space if left out.")]
JournalFile = Annotated[
    OnDisk | Scratch,
    PlainValidator(place),
    AS_FILES_ARE_NAMED,
    _A_PATH,
    Say(description="A file made by export."),
]
MeetingPlace = Annotated[
    str,
    AfterValidator(path_name),
    AS_FILES_ARE_NAMED,
    Say(
        min_length=1,
        description="Where the stores meet: a folder that all of them can reach, or the address of a server.",
        examples=["~/Dropbox/treering", "https://memory.example.org"],
    ),
]
PlaceKey = Annotated[
    str | None, Say(description="At a server: the key of an admin of all spaces. A folder needs none.", max_length=200)
]
Repair = Annotated[bool, Say(description="Make damaged tables again from the journal.")]
SettingChanges = Annotated[Mapping[str, Any], Say(description="Settings to change, by name; none to only read.")]
