"""WHAT kind of file is it? By what its first bytes are, where they tell, and by the ending of its name."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePath

from treering.errors import InvalidRequest
from treering.model.source import SourceKind

READS = (
    "add_file reads Markdown, text, HTML, PDF, DOCX, JSON, JSON Lines, CSV, and exports of chats and of other memories"
)


class FileKind(Enum):
    """Each with its media type and whether it is prose (`document`) or data (`file`)."""

    MARKDOWN = "text/markdown", SourceKind.DOCUMENT
    TEXT = "text/plain", SourceKind.DOCUMENT
    PLAIN = "text/plain", SourceKind.FILE  # text in which `#` is no heading: tables, settings, code
    HTML = "text/html", SourceKind.DOCUMENT
    PDF = "application/pdf", SourceKind.DOCUMENT
    DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document", SourceKind.DOCUMENT
    JSON = "application/json", SourceKind.FILE
    JSONL = "application/jsonl", SourceKind.FILE
    CSV = "text/csv", SourceKind.FILE

    @property
    def media_type(self) -> str:
        return str(self.value[0])

    @property
    def source_kind(self) -> SourceKind:
        return SourceKind(self.value[1])


_BY_SUFFIX = {
    ".md": FileKind.MARKDOWN,
    ".markdown": FileKind.MARKDOWN,
    ".mdx": FileKind.MARKDOWN,
    ".txt": FileKind.TEXT,
    ".text": FileKind.TEXT,
    "": FileKind.TEXT,
    ".html": FileKind.HTML,
    ".htm": FileKind.HTML,
    ".xhtml": FileKind.HTML,
    ".pdf": FileKind.PDF,
    ".docx": FileKind.DOCX,
    ".json": FileKind.JSON,
    ".jsonl": FileKind.JSONL,
    ".ndjson": FileKind.JSONL,
    ".csv": FileKind.CSV,
    ".tsv": FileKind.CSV,
}
_UNREAD = {  # first bytes of what people often have, and what to do with it
    b"\xd0\xcf\x11\xe0": "an old or encrypted Office file; save it as .docx without a password",
    b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image",
    b"GIF8": "an image",
    b"\x1f\x8b": "compressed; unpack it first",
    b"7z\xbc\xaf": "an archive; unpack it first",
    b"Rar!": "an archive; unpack it first",
    b"SQLite format 3": "a database",
    b"{\\rtf": "RTF; save it as .docx",
}
_LOOKED_AT = 1 << 16


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that has not been read yet."""

    name: str
    data: bytes

    @property
    def suffix(self) -> str:
        return PurePath(self.name).suffix.lower()

    @property
    def stem(self) -> str:
        return PurePath(self.name).stem or self.name


def kind_of(look: UnreadFile) -> FileKind:
    """The kind; InvalidRequest if it is one that cannot be read."""
    data = look.data
    if not data.strip(b"\x00\t\n\r \xef\xbb\xbf\xff\xfe"):
        raise InvalidRequest(f"file: {look.name} is empty; there is nothing to remember")
    if b"%PDF-" in data[:1024]:
        return FileKind.PDF
    if data.startswith(b"PK\x03\x04"):
        return _zipped(look)
    for first, what in _UNREAD.items():
        if data.startswith(first):
            raise InvalidRequest(f"file: {look.name} is {what}. {READS}")
    by_name = _BY_SUFFIX.get(look.suffix, FileKind.PLAIN)
    if by_name in (FileKind.PDF, FileKind.DOCX):
        raise InvalidRequest(f"file: {look.name} is no {by_name.name}: its bytes do not begin like one. Is it damaged?")
    if by_name is FileKind.TEXT and _begins_as_html(data):
        return FileKind.HTML
    return by_name


def _zipped(look: UnreadFile) -> FileKind:
    try:
        names = zipfile.ZipFile(io.BytesIO(look.data)).namelist()
    except (zipfile.BadZipFile, ValueError, EOFError, NotImplementedError, OSError) as error:
        raise InvalidRequest(f"file: {look.name} is damaged or cut short ({error}); get it whole") from None
    if any(name.startswith("word/document") for name in names):
        return FileKind.DOCX
    raise InvalidRequest(f"file: {look.name} is an archive or another Office file and no DOCX. {READS}")


def _begins_as_html(data: bytes) -> bool:
    head = data[:_LOOKED_AT].lstrip(b"\xef\xbb\xbf\t\n\r ")[:64].lower()
    return head.startswith((b"<!doctype html", b"<html"))
