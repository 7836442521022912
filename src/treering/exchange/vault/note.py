"""WHAT does a note say? Its text, title, tags, links and sections, read from the bytes of a Markdown file.

Only structure is read: front matter, headings, `#tags` and `[[links]]` outside of code. The text stays as it is.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from pathlib import PurePosixPath
from typing import Any

from treering.exchange.vault import front_matter
from treering.exchange.vault.place import Unreadable
from treering.language.sections import Section, sections
from treering.model import limits
from treering.values import dataclass

_CODE = re.compile(r"^(?P<fence> {0,3}(?:`{3,}|~{3,})).*?(?:^(?P=fence)|\Z)|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?<!!)\[\[([^\[\]|#^\n]+)[^\[\]\n]*\]\]")
_TAG = re.compile(r"(?:^|(?<=[\s,;(]))#([^\W\d][\w/-]*|\d+[^\W\d][\w/-]*)")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_NO_NOTE = re.compile(r"\.(?!md$)[A-Za-z0-9]{2,5}$")  # [[photo.png]] is a file, and no thing with a name
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class WikiLink:
    """A name in double brackets, and where it stands; before the body, it is about the whole note."""

    name: str
    start: int


@dataclass(frozen=True, slots=True)
class Note:
    path: str
    hash: str
    text: str
    body: int
    """Where the front matter ends."""
    title: str
    tags: tuple[str, ...] = ()
    links: tuple[WikiLink, ...] = ()
    memory_id: str | None = None
    """Of the memory that it was written for, if it was."""
    space: str | None = None
    created: datetime | None = None
    updated: datetime | None = None
    trouble: str | None = None

    def sections(self) -> list[Section]:
        found = sections(self.text[self.body :], headings=True)
        return [Section(one.start + self.body, one.end + self.body, one.path) for one in found]


def hash_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def read_note(path: str, data: bytes) -> Note:
    """Unreadable if it is no text."""
    text = _decoded(data)
    said, body, trouble = front_matter.split(text)
    plain = _CODE.sub(lambda found: " " * len(found.group()), text[body:])
    own = said.get("title")
    memory_id, space = said.get("id"), said.get("space")
    is_ours = isinstance(memory_id, str) and _UUID.fullmatch(memory_id) and isinstance(space, str)
    return Note(
        path=path,
        hash=hash_of(data),
        text=text,
        body=body,
        title=" ".join(own.split()) if isinstance(own, str) and own.strip() else PurePosixPath(path).stem,
        tags=tuple(_tags(said, plain)),
        links=tuple(_links(said, plain, body)),
        memory_id=memory_id if is_ours else None,
        space=space if is_ours else None,
        created=_time(said.get("created", said.get("date"))),
        updated=_time(said.get("updated", said.get("modified"))),
        trouble=trouble,
    )


def _decoded(data: bytes) -> str:
    if b"\x00" in data:
        raise Unreadable("it is binary, not text")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"it is not UTF-8, from byte {error.start:,} on") from None
    return _UNSTORABLE.sub("\ufffd", text).replace("\r\n", "\n").replace("\r", "\n")


def _tags(said: dict[str, Any], plain: str) -> Iterator[str]:
    """Of the front matter first, each once, as many as a memory takes."""
    given = [*_texts(said.get("tags")), *_texts(said.get("tag"))]
    apart = (one.strip().lstrip("#") for text in given for one in re.split(r"[,\s]+" if "," in text else r",", text))
    every = (*apart, *(found[1] for found in _TAG.finditer(plain)))
    told: set[str] = set()
    for tag in (one.strip("/").strip() for one in every):
        if tag and len(tag) <= limits.TAG_CHARS and tag.casefold() not in told and len(told) < limits.TAGS:
            told.add(tag.casefold())
            yield tag


def _links(said: dict[str, Any], plain: str, body: int) -> Iterator[WikiLink]:
    for text in (*_texts(said.get("entities")), *_texts(said.get("related"))):
        linked = [found[1] for found in _LINK.finditer(text)] or ([text] if "[" not in text else [])
        yield from (WikiLink(name, 0) for one in linked if (name := _name(one)))
    for found in _LINK.finditer(plain):
        if name := _name(found[1]):
            yield WikiLink(name, body + found.start())


def _name(target: str) -> str | None:
    """The note that a link leads to, without its folders."""
    name = " ".join(target.rsplit("/", 1)[-1].removesuffix(".md").split())
    fits = 0 < len(name) <= limits.NAME_CHARS and not _NO_NOTE.search(name)
    return name if fits and re.search(r"\w", name) else None


def _texts(value: Any) -> Iterable[str]:
    match value:
        case str():
            return [value]
        case list():
            return [str(one) for one in value if isinstance(one, str | int) and not isinstance(one, bool)]
    return []


def _time(value: Any) -> datetime | None:
    match value:
        case datetime():
            return value.replace(tzinfo=value.tzinfo or UTC).astimezone(UTC)
        case date():
            return datetime(value.year, value.month, value.day, tzinfo=UTC)
        case str():
            try:
                return _time(datetime.fromisoformat(value.strip()))
            except ValueError:
                return None
    return None
