"""How is an entry put into a file of settings that belongs to somebody else? Into its text, and nowhere else: comments,
order, blanks and trailing commas stay as they are.

Settings are JSON, often with comments and trailing commas. What cannot be read that way is refused.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from treering.errors import InvalidRequest

_BLANK = re.compile(r"(?:[\s\ufeff]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_WORD = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"|-?\d[\d.eE+-]*|true|false|null')
_DEEPEST = 200
_REACHES = frozenset({"command", "args", "url", "serverUrl", "type", "source"})


@dataclass(slots=True)
class JsonNode:
    """A value and where it stands; of an object its members, of a list its items, and where the last of them
    ends."""

    start: int
    end: int = 0
    members: dict[str, JsonNode] | None = None
    items: list[JsonNode] | None = None
    inner_end: int = 0
    trailing_comma: bool = False
    value: Any = field(default=None)


def put(text: str, section: str, name: str, entry: dict[str, Any]) -> str:
    """The text with `{section: {name: entry}}` in it. An entry of that name keeps what this one does not speak of."""
    if "\r\n" in text and text.count("\n") == text.count("\r\n"):
        return put(text.replace("\r\n", "\n"), section, name, entry).replace("\n", "\r\n")
    if not text.strip("\ufeff \t\r\n"):
        return json.dumps({section: {name: entry}}, indent=2) + "\n"
    root = JsonReader(text).whole()
    if root.members is None:
        raise InvalidRequest("the settings are no JSON object")
    step = step_of(text)
    listed = root.members.get(section)
    if listed is None:
        return added(text, root, section, {name: entry}, step, 1)
    if listed.members is None:
        raise InvalidRequest(f"{section} in the settings is no JSON object")
    known = listed.members.get(name)
    if known is not None:
        entry = _kept(known.value) | entry
        if known.value == entry:
            return text
        return text[: known.start] + written(entry, step, 2) + text[known.end :]
    return added(text, listed, name, entry, step, 2)


def added(text: str, within: JsonNode, name: str, value: Any, step: str, depth: int) -> str:
    member = f"{json.dumps(name)}: {written(value, step, depth)}"
    if not within.members:
        before = text[: within.end - 1].rstrip()
        return f"{before}\n{step * depth}{member}\n{step * (depth - 1)}{text[within.end - 1 :]}"
    comma = "" if within.trailing_comma else ","
    after = text[within.inner_end : within.end - 1]
    line, rest = rest_of_line(after)
    return f"{text[: within.inner_end]}{comma}{line}\n{step * depth}{member}{rest}{text[within.end - 1 :]}"


def rest_of_line(after: str) -> tuple[str, str]:
    """What follows the last member on its own line, such as a comment on it, and what comes below."""
    line, newline, below = after.partition("\n")
    return (line.rstrip("\r"), newline + below) if newline else ("", after or "\n")


def written(value: Any, step: str, depth: int) -> str:
    return json.dumps(value, indent=step, ensure_ascii=False).replace("\n", "\n" + step * depth)


def step_of(text: str) -> str:
    """The indent that the file has."""
    found = re.search(r"\n([ \t]+)\"", text)
    return found[1] if found else "  "


def _kept(known: Any) -> dict[str, Any]:
    """What a person may have added to an entry, such as variables; not how the server was reached before."""
    return {word: value for word, value in known.items() if word not in _REACHES} if isinstance(known, dict) else {}


class JsonReader:
    """Reads JSON with comments and trailing commas, and notes where everything stands."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def whole(self) -> JsonNode:
        node = self._value(0)
        if self._next() != "":
            raise self._wrong("something follows the end")
        return node

    def _next(self) -> str:
        found = _BLANK.match(self._text, self._at)
        self._at = found.end() if found else self._at
        return self._text[self._at : self._at + 1]

    def _value(self, depth: int) -> JsonNode:
        sign = self._next()
        if depth > _DEEPEST:
            raise self._wrong("it is nested too deeply")
        if sign == "{":
            return self._object(depth)
        return self._array(depth) if sign == "[" else self._word()

    def _word(self) -> JsonNode:
        found = _WORD.match(self._text, self._at)
        if found is None:
            raise self._wrong("a value is expected")
        try:
            node = JsonNode(self._at, found.end(), value=json.loads(found[0]))
        except ValueError:
            raise self._wrong("a value is expected") from None
        self._at = found.end()
        return node

    def _object(self, depth: int) -> JsonNode:
        node = JsonNode(self._at, members={}, value={})
        assert node.members is not None
        self._at += 1
        node.inner_end = self._at
        while self._next() != "}":
            key = self._word().value
            if not isinstance(key, str):
                raise self._wrong("a name is expected")
            self._expect(":")
            member = self._value(depth + 1)
            node.members[key], node.value[key] = member, member.value
            node.inner_end = self._at
            node.trailing_comma = self._comma("}")
            node.inner_end = self._at if node.trailing_comma else node.inner_end
        self._at += 1
        node.end = self._at
        return node

    def _array(self, depth: int) -> JsonNode:
        node = JsonNode(self._at, items=[], value=[])
        assert node.items is not None
        self._at += 1
        node.inner_end = self._at
        while self._next() != "]":
            item = self._value(depth + 1)
            node.items.append(item)
            node.value.append(item.value)
            node.inner_end = self._at
            node.trailing_comma = self._comma("]")
            node.inner_end = self._at if node.trailing_comma else node.inner_end
        self._at += 1
        node.end = self._at
        return node

    def _comma(self, closing: str) -> bool:
        sign = self._next()
        if sign == ",":
            self._at += 1
            return True
        if sign != closing:
            raise self._wrong(f"a comma or {closing} is expected")
        return False

    def _expect(self, sign: str) -> None:
        if self._next() != sign:
            raise self._wrong(f"{sign} is expected")
        self._at += 1

    def _wrong(self, why: str) -> InvalidRequest:
        line = self._text.count("\n", 0, self._at) + 1
        column = self._at - (self._text.rfind("\n", 0, self._at) + 1) + 1
        return InvalidRequest(f"line {line}, column {column}: {why}")
