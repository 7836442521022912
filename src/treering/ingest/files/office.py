"""WHAT do a PDF and a DOCX say? The one place that knows markitdown, which comes with the extra `files`.

Of markitdown only the two converters are used: no plugins, no guessing of kinds, nothing from the network. Files come
from anywhere, so what one may unpack to is bounded before it is unpacked, and whatever a converter stumbles over is
told as a damaged file.
"""

from __future__ import annotations

import io
import logging
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from xml.parsers.expat import ExpatError, ParserCreate

from treering import extras
from treering.errors import InvalidRequest, LimitExceeded, TreeringError, Unsupported
from treering.ingest.files.kinds import FileKind
from treering.ingest.files.pages import unwrapped
from treering.model import limits

_PICTURES = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_ENCRYPTED = ("password", "encrypt")
_DAMAGED = (
    zipfile.BadZipFile, zlib.error, ExpatError, OSError, EOFError, NotImplementedError, RuntimeError, ValueError
)  # fmt: skip


def office_text(name: str, data: bytes, kind: FileKind) -> str:
    """The file as Markdown. Unsupported without the extra; InvalidRequest if it is damaged, locked or has no text."""
    if kind is FileKind.DOCX:
        _must_be_whole(name, data)
    with _quiet(), _told_as_ours(name, kind):
        text = _pdf(data) if kind is FileKind.PDF else _docx(data)
    if not text.strip():
        why = "; if its pages are pictures, have a program read them first" if kind is FileKind.PDF else ""
        raise InvalidRequest(f"file: {name} has no text in it{why}")
    return text


def _pdf(data: bytes) -> str:
    from markitdown import StreamInfo
    from markitdown.converters import PdfConverter

    found = PdfConverter().convert(io.BytesIO(data), StreamInfo(extension=".pdf"))
    return unwrapped(found.markdown.replace("\x0c", "\n\n"))


def _docx(data: bytes) -> str:
    from markitdown import StreamInfo
    from markitdown.converters import DocxConverter

    found = DocxConverter().convert(  # type: ignore[no-untyped-call]
        io.BytesIO(data), StreamInfo(extension=".docx")
    )
    return _PICTURES.sub("", found.markdown)


def _must_be_whole(name: str, data: bytes) -> None:
    """What a part says it unpacks to is never exceeded in unpacking it, so the promise can be judged beforehand. The
    converter mends what it can, silently: what is damaged must be found before."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            size = sum(one.file_size for one in packed.infolist())
            if size > limits.FILE_UNPACKED_BYTES:
                raise LimitExceeded(
                    f"file: {name} unpacks to {size:,} bytes; at most {limits.FILE_UNPACKED_BYTES:,} are read. "
                    "Split it, or take its pictures out"
                )
            for part in packed.namelist():
                read = packed.read(part)
                if part.endswith((".xml", ".rels")):
                    _must_be_xml(name, read)
    except _DAMAGED as error:
        raise InvalidRequest(f"file: {name} is damaged or cut short ({error}); get it whole") from None


def _must_be_xml(name: str, read: bytes) -> None:
    def refuse(*_: object) -> None:
        raise InvalidRequest(f"file: {name} defines words of its own, as no Word file does, and is not read")

    parser = ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    parser.Parse(read, True)


def _missing(kind: FileKind, named: str) -> str:
    return extras.not_installed("files", f"file: reading {kind.name}", named)


@contextmanager
def _told_as_ours(name: str, kind: FileKind) -> Iterator[None]:
    try:
        yield
    except (TreeringError, MemoryError):
        raise
    except ImportError as error:
        raise Unsupported(_missing(kind, str(error))) from None
    except Exception as error:
        told = f"{type(error).__name__} {error}"
        if type(error).__name__ == "MissingDependencyException":
            raise Unsupported(_missing(kind, "markitdown's reader of it")) from None
        if any(word in told.lower() for word in _ENCRYPTED):
            raise InvalidRequest(f"file: {name} is encrypted; save it without a password") from None
        raise InvalidRequest(
            f"file: {name} cannot be read as {kind.name} ({told.strip()[:200]}); is it whole?"
        ) from None


@contextmanager
def _quiet() -> Iterator[None]:
    """The converters tell of every oddity of a file; what matters is told by us."""
    logs = [logging.getLogger(name) for name in ("pdfminer", "bs4")]
    before = [log.level for log in logs]
    try:
        for log in logs:
            log.setLevel(logging.CRITICAL)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for log, level in zip(logs, before, strict=True):
            log.setLevel(level)
