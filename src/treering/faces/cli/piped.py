"""Where `-` is given for the file to write, what an operation writes goes to standard output, and nothing else does."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from treering.errors import InvalidRequest
from treering.faces.cli.exits import DONE

STDOUT = "-"
WRITERS = frozenset({"audit_export", "backup", "export"})
"""Operations whose `path` is a file to write."""


def is_piped(operation: str, arguments: dict[str, Any]) -> bool:
    return operation in WRITERS and arguments.get("path") == STDOUT


def written_to(operation: str, parameter: str) -> str:
    """What the help of an argument says of it."""
    return f" `{STDOUT}` writes to standard output." if operation in WRITERS and parameter == "path" else ""


def piped(write: Callable[[str], Any], arguments: dict[str, Any]) -> int:
    """The file is whole before its first letter is shown: what fails half-way shows nothing."""
    if arguments.get("format") == "markdown":
        raise InvalidRequest("path: markdown is a folder of notes, which standard output cannot hold; name a folder")
    with tempfile.TemporaryDirectory(prefix="treering-") as folder:
        target = Path(folder) / "piped"
        write(str(target))
        with target.open("rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
    sys.stdout.buffer.flush()
    return DONE
