"""WHAT lies in the export of an account, as it was downloaded? The conversations of ChatGPT or Claude, in an archive or
as the file in it; where they are more than one file may hold, in several, cut between conversations."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from treering.errors import InvalidRequest
from treering.model import limits

_NAME = re.compile(r"conversations(?:[-_]\d+)?\.json")
MOST_UNPACKED = 1 << 30
Part = tuple[str, bytes]


def conversations_in(path: Path) -> list[Part]:
    """Each a file as `add_file` takes it; none if it is no such export."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            found = sorted((one for one in archive.infolist() if _NAME.fullmatch(Path(one.filename).name)), key=_name)
            if sum(one.file_size for one in found) > MOST_UNPACKED:
                raise InvalidRequest(f"file: the conversations in {path} are larger than {MOST_UNPACKED >> 20} MiB")
            return [part for one in found for part in _parts(_name(one), archive.read(one))]
    if _NAME.fullmatch(path.name) and path.stat().st_size <= MOST_UNPACKED:
        return list(_parts(path.name, path.read_bytes()))
    return []


def _name(one: zipfile.ZipInfo) -> str:
    return Path(one.filename).name


def _parts(name: str, data: bytes) -> Iterator[Part]:
    try:
        listed = json.loads(data)
    except (ValueError, RecursionError):
        listed = None
    if not isinstance(listed, list) or (len(data) <= limits.FILE_BYTES and _messages(listed) <= limits.FILE_MEMORIES):
        yield name, data  # and what cannot be read is told by who reads it
        return
    held: list[Any] = []
    size = count = 0
    for one in listed:
        more, messages = len(json.dumps(one, ensure_ascii=False).encode()) + 2, _messages([one])
        if held and (size + more > limits.FILE_BYTES or count + messages > limits.FILE_MEMORIES):
            yield name, json.dumps(held, ensure_ascii=False).encode()
            held, size, count = [], 2, 0
        held.append(one)
        size, count = size + more, count + messages
    yield name, json.dumps(held, ensure_ascii=False).encode()


def _messages(conversations: Sequence[Any]) -> int:
    """As many as there can be: some have no words."""
    told = (one for one in conversations if isinstance(one, Mapping))
    return sum(len(one.get("mapping") or one.get("chat_messages") or ()) for one in told)
