"""WHERE do a file's bytes come from? A path on this machine, or the caller's own hands."""

from __future__ import annotations

from pathlib import Path

from treering.errors import InvalidRequest, LimitExceeded
from treering.files import Sent
from treering.model import limits

UNNAMED = "file"
"""What bytes are called that came without a name."""


def opened(file: Path | bytes | Sent, name: str | None) -> tuple[str, bytes]:
    """The file's name, without its folders, and its bytes, of which no more are read than may be."""
    if isinstance(file, Sent):
        return name or file.name or UNNAMED, file.data
    if isinstance(file, bytes):
        return name or UNNAMED, file
    try:
        with file.open("rb") as read:
            data = read.read(limits.FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InvalidRequest(f"file: {file} cannot be read ({why}); give the path of a file") from None
    if len(data) > limits.FILE_BYTES:
        raise LimitExceeded(f"file: {file} has more than {limits.FILE_BYTES:,} bytes, the most that are read. Split it")
    return name or file.name, data
