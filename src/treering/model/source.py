"""What was said, word for word? A source is the verbatim input a memory rests on; it is never edited."""

from __future__ import annotations

import hashlib
from datetime import datetime
from enum import StrEnum

from treering.errors import InvalidRequest, LimitExceeded
from treering.model import limits
from treering.model.meta import EMPTY, Meta
from treering.model.space import space_name
from treering.model.time import must_be_utc
from treering.model.value import Value
from treering.values import dataclass

BLANK = "█"
"""Stands for each purged character of a source that other memories still rest on, so that their spans hold."""


FROM_NOTE = "note"
"""Under this a memory's meta has the path of the note that it is a section of."""


class SourceKind(StrEnum):
    MESSAGE = "message"
    NOTE = "note"
    DOCUMENT = "document"
    FILE = "file"


def content_hash(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Source(Value):
    id: str
    space: str
    content: str
    kind: SourceKind = SourceKind.NOTE
    speaker: str | None = None
    session: str | None = None
    key: str | None = None
    occurred_at: datetime
    recorded_at: datetime
    meta: Meta = EMPTY
    visible_to: tuple[str, ...] = ()
    """Who alone may see it while no memory rests on it; none named is everybody."""

    def __post_init__(self) -> None:
        limits.uuid(self.id, "source id")
        space_name(self.space)
        limits.text(self.content, "content", limits.SOURCE_BYTES, least=1)
        if len(self.content) * 4 > limits.SOURCE_BYTES and len(self.content.encode()) > limits.SOURCE_BYTES:
            raise LimitExceeded(
                f"content: {len(self.content.encode()):,} bytes; at most {limits.SOURCE_BYTES:,} are kept. Split it"
            )
        if type(self.kind) is not SourceKind:
            object.__setattr__(self, "kind", SourceKind(self.kind))
        limits.text_or_none(self.speaker, "speaker", limits.NAME_CHARS)
        limits.text_or_none(self.session, "session", limits.NAME_CHARS)
        limits.text_or_none(self.key, "key", limits.KEY_CHARS)
        if self.visible_to:
            object.__setattr__(self, "visible_to", limits.names(self.visible_to, "visible_to", limits.PRINCIPALS))
        must_be_utc(self.occurred_at, "occurred_at")
        must_be_utc(self.recorded_at, "recorded_at")
        if type(self.meta) is not Meta:
            object.__setattr__(self, "meta", limits.meta(self.meta))

    @property
    def content_hash(self) -> str:
        return content_hash(self.content)

    def blanked(self, spans: list[tuple[int, int]]) -> str:
        """The content with these stretches replaced, character by character."""
        content = self.content
        for start, end in spans:
            if not 0 <= start <= end <= len(content):
                raise InvalidRequest(f"span: [{start}, {end}) lies outside a source of {len(content)} characters")
            content = content[:start] + BLANK * (end - start) + content[end:]
        return content
