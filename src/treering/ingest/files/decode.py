"""WHICH letters are these bytes? UTF-8, UTF-16, and what old Windows programs wrote; what is no text is refused."""

from __future__ import annotations

import codecs
import re

from treering.errors import InvalidRequest
from treering.ingest.files.kinds import READS

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins like UTF-16, so it is asked first
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_FEW = 0.002  # of the characters: a stray control sign does not make a text binary
_LOOKED_AT = 1 << 20
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def decoded(name: str, data: bytes, declared: str | None = None) -> tuple[str, str | None]:
    """The text with `\\n` at its line ends, and a note if the letters had to be guessed."""
    text, note = _read(name, data, declared)
    head = text[:_LOOKED_AT]
    if len(_CONTROLS.findall(head)) > len(head) * _FEW:
        raise InvalidRequest(f"file: {name} is binary, not text. {READS}")
    text = storable(text.removeprefix("\ufeff"))
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0c", "\n"), note


def storable(text: str) -> str:
    """With a sign of replacement for what no store can hold."""
    return _UNSTORABLE.sub("\ufffd", text)


def _read(name: str, data: bytes, declared: str | None) -> tuple[str, str | None]:
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return _strictly(name, data[len(mark) :], codec), None
    wide = _unmarked_utf16(data)
    if wide is not None:
        return _strictly(name, data, wide), None
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError:
        codec = _known(declared) or "cp1252"
        text = data.decode(codec, "replace")
        return text, f"{name} is not UTF-8; it was read as {codec}"


def _strictly(name: str, data: bytes, codec: str) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise InvalidRequest(f"file: {name} says it is {codec} and is not, from byte {error.start:,} on") from None


def _unmarked_utf16(data: bytes) -> str | None:
    """Latin letters in UTF-16 have a zero in every other byte."""
    head = data[:4096]
    half = len(head) // 2
    if half < 2 or len(data) % 2:
        return None
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > half * 0.7 and even < half * 0.05:
        return "utf-16-le"
    return "utf-16-be" if even > half * 0.7 and odd < half * 0.05 else None


def _known(declared: str | None) -> str | None:
    try:
        return codecs.lookup(declared).name if declared else None
    except LookupError:
        return None
