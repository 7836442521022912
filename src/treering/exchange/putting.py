"""How is a file put into its place? Written beside it and moved when it is whole: nothing half-written is left."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from treering.errors import Conflict, InvalidRequest


def must_be_new(path: Path) -> None:
    if path.exists():
        raise Conflict(f"path: {path} exists already; an export never overwrites. Give another path")


@contextmanager
def put(path: Path) -> Iterator[TextIO]:
    """For its owner's eyes only."""
    must_be_new(path)
    part = path.with_name(path.name + ".part")
    try:
        with os.fdopen(os.open(part, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise InvalidRequest(f"path: {path} cannot be written ({error.strerror}); give another path") from error
    finally:
        part.unlink(missing_ok=True)
