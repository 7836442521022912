"""WHO said what, and when, in an exported chat? From JSON of several makers, and from lines of text, to messages.

Read are lists of messages with a speaker and words, whatever the fields are called; conversations of ChatGPT (a tree,
of which the branch last shown counts) and of Claude; Telegram's JSON; lines as WhatsApp writes them. A message that
cannot be read is named by its place and left out. What is no chat at all is left to others: `None`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from treering.errors import InvalidRequest
from treering.ingest.files.decode import storable
from treering.ingest.files.moments import STAMP, in_order, moment
from treering.model import limits

_SPEAKER = ("role", "speaker", "author", "from", "sender", "user")
_WORDS = ("content", "text", "message", "body")
_AT = ("date_unixtime", "at", "timestamp", "date", "create_time", "created_at", "time", "ts")
_SESSION = ("session", "session_id", "conversation_id", "conversation", "thread", "thread_id", "chat_id")
_MESSAGES = ("messages", "chat_messages", "conversation", "turns")
_ID = ("conversation_id", "session_id", "uuid", "id", "title", "name")
_MOST = 0.5  # of the items of a list: fewer messages than that, and it is no chat
_NAMED = 20  # bad lines are named up to here, and counted beyond

_LINE = re.compile(
    rf"[\u200e\u200f\u202a-\u202e]*(?:\[{STAMP}\]\s|{STAMP.replace('?P<', '?P<_')}\s+[-–]\s)[\u200e\u200f]*(?P<rest>.*)"  # noqa: RUF001
)
_SAID = re.compile(r"(?P<speaker>[^:\n]{1,80}?):(?:\s(?P<words>.*)|$)", re.DOTALL)
_OMITTED = re.compile(
    r"[\u200e\u200f]*<?(?:media|image|video|audio|sticker|gif|document)\b.{0,20}\bomitted>?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One thing said. `place` is where in the file: a line, or the number of the message."""

    speaker: str | None
    content: str
    at: datetime | None = None
    session: str | None = None
    place: int = 0


@dataclass
class ChatLog:
    """Messages in order, and what was left out."""

    unit: str
    messages: list[ChatMessage] = field(default_factory=list)
    bad: list[tuple[int, str]] = field(default_factory=list)
    untimed: list[int] = field(default_factory=list)
    silent: int = 0

    def must_speak(self, name: str) -> ChatLog:
        if not self.messages:
            told = f"; {self._told(self.bad[:3])}" if self.bad else ""
            raise InvalidRequest(f"file: {name} is a chat of which no message can be read{told}")
        return self

    def notes(self) -> Iterator[str]:
        if self.bad:
            more = len(self.bad) - _NAMED
            yield "left out: " + self._told(self.bad[:_NAMED]) + (f"; and {more:,} more" if more > 0 else "")
        if self.untimed:
            places = ", ".join(f"{place:,}" for place in self.untimed[:_NAMED])
            rest = ", …" if len(self.untimed) > _NAMED else ""
            yield f"without a time that can be read, taken as said with the one before: {self.unit} {places}{rest}"
        if self.silent:
            yield f"left out: {self.silent:,} without words, such as pictures"

    def _told(self, bad: Sequence[tuple[int, str]]) -> str:
        return "; ".join(f"{self.unit} {place:,} {why}" for place, why in bad)


# JSON


def chat_of(value: Any) -> ChatLog | None:
    """From a parsed JSON text."""
    chat = ChatLog("message")
    if isinstance(value, Mapping):
        value = value["conversations"] if isinstance(value.get("conversations"), list) else [value]
        if not _is_conversation(value[0] if value else None):
            return None
    if not isinstance(value, list) or not value:
        return None
    if any(_is_conversation(one) for one in value[:20]):
        for one in value:
            _add_conversation(chat, one)
        return chat
    return _of_messages(chat, list(enumerate(value, 1)))


def chat_of_lines(lines: list[tuple[int, Any]]) -> ChatLog | None:
    """From parsed JSON Lines, each with the number of its line."""
    if lines and any(_is_conversation(one) for _, one in lines[:20]):
        chat = ChatLog("line")
        for place, one in lines:
            _add_conversation(chat, one, place)
        return chat
    return _of_messages(ChatLog("line"), lines)


def _of_messages(chat: ChatLog, items: list[tuple[int, Any]]) -> ChatLog | None:
    good = sum(_is_message(one) for _, one in items)
    if not good or good < len(items) * _MOST:
        return None
    for place, one in items:
        _add_message(chat, place, one, None)
    return chat


def _is_message(one: Any) -> bool:
    return isinstance(one, Mapping) and _first(one, _WORDS) is not None and bool(_speaker(one))


def _is_conversation(one: Any) -> bool:
    if not isinstance(one, Mapping):
        return False
    if isinstance(one.get("mapping"), Mapping):
        return True
    listed = _first(one, _MESSAGES)
    return isinstance(listed, list) and any(_is_message(each) for each in listed[:50])


def _add_conversation(chat: ChatLog, one: Any, place: int | None = None) -> None:
    if not _is_conversation(one):
        chat.bad.append((place or len(chat.messages) + 1, "is no conversation"))
        return
    session = _text_of(_first(one, _ID)) or None
    listed = _branch(one) if isinstance(one.get("mapping"), Mapping) else _first(one, _MESSAGES)
    for each in listed:
        _add_message(chat, place or len(chat.messages) + len(chat.bad) + chat.silent + 1, each, session)


def _branch(conversation: Mapping[str, Any]) -> list[Any]:
    """The messages of a tree from its root to the leaf last shown; if that is not said, to the newest leaf."""
    nodes: Mapping[str, Any] = conversation["mapping"]
    at = conversation.get("current_node")
    if at not in nodes:
        leaves = [key for key, node in nodes.items() if isinstance(node, Mapping) and not node.get("children")]
        at = max(leaves, key=lambda key: _time_of(nodes[key].get("message") or {}), default=None)
    found: list[Any] = []
    seen: set[Any] = set()
    while isinstance(node := nodes.get(at) if isinstance(at, str) else None, Mapping) and at not in seen:
        seen.add(at)
        said = node.get("message")
        if isinstance(said, Mapping) and not (said.get("metadata") or {}).get("is_visually_hidden_from_conversation"):
            found.append(said)
        at = node.get("parent")
    return found[::-1]


def _time_of(message: Mapping[str, Any]) -> float:
    found = moment(_first(message, _AT))
    return found.timestamp() if found else 0.0


def _add_message(chat: ChatLog, place: int, one: Any, session: str | None) -> None:
    if not isinstance(one, Mapping):
        chat.bad.append((place, f"is no message but {_short(one)}"))
        return
    words = _text_of(_first(one, _WORDS)) or _text_of(one.get("text"))
    given = _first(one, _AT)
    at = moment(given)
    if not words.strip():
        if _first(one, _WORDS) is None and not session:
            chat.bad.append((place, f"has none of {', '.join(_WORDS)}"))
        else:
            chat.silent += 1
        return
    if given is not None and at is None:
        chat.untimed.append(place)
    own = _text_of(_first(one, _SESSION)) or session
    chat.messages.append(ChatMessage(_name(_speaker(one)), storable(words), at, _name(own), place))


def _speaker(one: Mapping[str, Any]) -> str:
    found = _first(one, _SPEAKER)
    if isinstance(found, Mapping):
        found = _first(found, ("name", "full_name", "role", "username"))
    return found if isinstance(found, str) else ""


def _first(one: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((one[name] for name in names if one.get(name) is not None), None)


def _text_of(value: Any) -> str:
    """The words of a content: a text, a list of parts, or an object that holds either."""
    match value:
        case str():
            return value
        case bool():
            return ""
        case int():
            return str(value)
        case list():
            texts = [_text_of(one) for one in value]
            is_run = len({isinstance(one, str) for one in value}) == 2  # Telegram cuts one text at its links
            return ("" if is_run else "\n\n").join(text for text in texts if text)
        case Mapping():
            return _text_of(_first(value, ("parts", "text", "content", "result")))
    return ""


def _name(value: str | None) -> str | None:
    return storable(value).strip()[: limits.NAME_CHARS] or None if value else None


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else shown[:39] + "…"


# Lines


def chat_of_text(text: str) -> ChatLog | None:
    """From lines such as `[12/03/2024, 09:15] Ana: hi` and `2024-03-12 09:15 - Ana: hi`. A line without a time goes on
    with the message before it. Where hardly anybody speaks, or nobody twice, it is a diary and no chat."""
    lines = text.split("\n")
    filled = [line for line in lines if line.strip()]
    if not filled or not _LINE.match(filled[0]):
        return None
    begun = [(place, found) for place, line in enumerate(lines, 1) if (found := _LINE.match(line))]
    speakers = [one["speaker"] for _, found in begun if (one := _SAID.match(found["rest"]))]
    if len(begun) < len(filled) * 0.2 or len(speakers) < len(begun) * _MOST:
        return None
    if len(set(speakers)) > max(2, len(speakers) * _MOST):
        return None
    chat = ChatLog("line")
    times = in_order(_stamp(found) for _, found in begun)
    ends = [place for place, _ in begun[1:]] + [len(lines) + 1]
    for (place, found), at, end in zip(begun, times, ends, strict=True):
        said = "\n".join([found["rest"], *lines[place : end - 1]]).strip()
        _add_line(chat, place, said, at)
    return chat


def _stamp(found: re.Match[str]) -> dict[str, str]:
    """The time of a line, in brackets or not, under one set of names."""
    return {name.removeprefix("_"): part for name, part in found.groupdict().items() if part is not None}


def _add_line(chat: ChatLog, place: int, said: str, at: datetime | None) -> None:
    found = _SAID.fullmatch(said)
    if found is None:
        chat.bad.append((place, f"has no speaker: {_short(said)}"))
        return
    words = (found["words"] or "").strip()
    if not words or _OMITTED.fullmatch(words):
        chat.silent += 1
        return
    if at is None:
        chat.untimed.append(place)
    chat.messages.append(ChatMessage(_name(found["speaker"]), words, at, None, place))
