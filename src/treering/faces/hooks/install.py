"""How do hooks get into a client's settings, and out again? Into their text: what is there stays as it is, with its
comments, and what is ours is known by the command it runs. Shown first; the old file is kept beside the new one."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from treering.errors import InvalidRequest, TreeringError, Unavailable
from treering.faces.hooks.clients import CLIENTS, HookedClient
from treering.faces.hooks.quick import MOMENTS
from treering.faces.mcp.install.clients import Places
from treering.faces.mcp.install.edit import JsonNode, JsonReader, added, rest_of_line, step_of, written
from treering.faces.mcp.install.write import Change, read_settings
from treering.faces.mcp.install.write import written as write_change
from treering.values import dataclass

_OURS = re.compile(rf"\bhook (?:{'|'.join(MOMENTS)}) --client [a-z-]+(?:\s|$)")


@dataclass(frozen=True, slots=True)
class HookProgram:
    """What a hook runs: this very program, by its whole path, since clients have no shell's."""

    words: tuple[str, ...]
    url: str | None = None

    @classmethod
    def this(cls, url: str | None) -> HookProgram:
        beside = Path(sys.executable).with_name("treering.exe" if sys.platform == "win32" else "treering")
        words = (str(beside),) if beside.exists() else (sys.executable, "-m", "treering.faces.cli")
        whole = url if url is None or "://" in url else str(Path(url).expanduser().absolute())
        return cls(words, whole)

    def line(self, moment: str, client: str) -> str:
        store = () if self.url is None else ("--url", self.url)
        words = [*self.words, "hook", moment, "--client", client, *store]
        return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def chosen(names: tuple[str, ...], places: Places) -> list[HookedClient]:
    """Those that are named; else those that are here."""
    for name in names:
        if name not in CLIENTS:
            raise InvalidRequest(f"client: {name!r} is not one of {', '.join(CLIENTS)}")
    if names:
        return [CLIENTS[name] for name in dict.fromkeys(names)]
    found = [one for one in CLIENTS.values() if _is_here(one, places)]
    if not found:
        raise InvalidRequest(f"client: none of {', '.join(CLIENTS)} was found here; name one with --client")
    return found


def _is_here(client: HookedClient, places: Places) -> bool:
    settings = client.settings(places)
    if client.name == "vscode":
        return settings.exists() or (places.applications / "Code" / "User").is_dir()
    return settings.parent.is_dir()


def settings_of(client: HookedClient, places: Places, project: Path | None) -> Path:
    return client.settings(places) if project is None else project / client.in_project


def planned(client: HookedClient, path: Path, program: HookProgram | None) -> Change:
    """With the hooks in it; without them if there is no program to run."""
    try:
        before = read_settings(path) if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidRequest(f"{client.title}: {path} cannot be read ({error}); nothing was changed") from None
    try:
        after = _with(before, client, program) if program is not None else without(before)
    except TreeringError as error:
        told = f"{client.title}: {path} cannot be parsed ({error}); mend it first, nothing was changed"
        raise InvalidRequest(told) from None
    return Change(client.name, str(path), before, after)


def write(change: Change, now: datetime) -> str | None:
    """Where the old settings are kept. A file of ours alone that says nothing any more is removed."""
    client = CLIENTS[change.client]
    if client.own_file and not _says(change.after):
        try:
            Path(change.path).unlink(missing_ok=True)
        except OSError as error:
            raise Unavailable(f"{change.path} cannot be removed ({error.strerror}); nothing was changed") from None
        return None
    return write_change(change, now)


def installed(client: HookedClient, path: Path) -> bool:
    try:
        return path.exists() and bool(_ours_in(read_settings(path)))
    except (OSError, UnicodeDecodeError, TreeringError):
        return False


def _says(text: str) -> bool:
    return bool(text.strip("\ufeff \t\r\n")) and any(one != {} for one in _root(text).value.values())


def _with(text: str, client: HookedClient, program: HookProgram) -> str:
    """What stands there as it is to be is left; else it is taken out and put in anew."""
    wanted = {client.events[name]: client.entry(name, program.line(name, client.name)) for name in client.events}
    if text.strip("\ufeff \t\r\n") and _ours_in(text) == {event: [entry] for event, entry in wanted.items()}:
        return text
    if "\r\n" in text and text.count("\n") == text.count("\r\n"):
        return _with(text.replace("\r\n", "\n"), client, program).replace("\n", "\r\n")
    text = without(text)
    if not text.strip("\ufeff \t\r\n"):
        text = json.dumps({**client.head, "hooks": {}}, indent=2) + "\n"
    for name, value in client.head.items():
        root = _root(text)
        if root.members is not None and name not in root.members:
            text = added(text, root, name, value, step_of(text), 1)
    for event, entry in wanted.items():
        text = _put(text, event, entry)
    return text


def _put(text: str, event: str, entry: Mapping[str, Any]) -> str:
    root, step = _root(text), step_of(text)
    assert root.members is not None
    hooks = root.members.get("hooks")
    if hooks is None:
        return added(text, root, "hooks", {event: [entry]}, step, 1)
    if hooks.members is None:
        raise InvalidRequest("hooks in the settings is no JSON object")
    listed = hooks.members.get(event)
    if listed is None:
        return added(text, hooks, event, [entry], step, 2)
    if listed.items is None:
        raise InvalidRequest(f"hooks.{event} in the settings is no list")
    item = written(entry, step, 3)
    if not listed.items:
        return f"{text[: listed.start]}[\n{step * 3}{item}\n{step * 2}]{text[listed.end :]}"
    comma, own = ("", ",") if listed.trailing_comma else (",", "")
    line, rest = rest_of_line(text[listed.inner_end : listed.end])
    return f"{text[: listed.inner_end]}{comma}{line}\n{step * 3}{item}{own}{rest}{text[listed.end :]}"


def without(text: str) -> str:
    """The text without our hooks, and without lists and sections that held nothing else."""
    if not text.strip("\ufeff \t\r\n"):
        return text
    while True:
        root = _root(text)
        hooks = None if root.members is None else root.members.get("hooks")
        if hooks is None or hooks.members is None or root.members is None:
            return text
        found = next(_found(hooks), None)
        if found is None:
            return text
        event, listed, item = found
        assert listed.items is not None
        if len(listed.items) > 1:
            text = _cut(text, listed.items, item)
        elif len(hooks.members) > 1:
            text = _cut_member(text, hooks, event)
        else:
            text = _cut_member(text, root, "hooks")


def _found(hooks: JsonNode) -> Any:
    assert hooks.members is not None
    for event, listed in hooks.members.items():
        for item in listed.items or ():
            if _is_ours(item.value):
                yield event, listed, item


def _ours_in(text: str) -> dict[str, list[Any]]:
    if not text.strip("\ufeff \t\r\n"):
        return {}
    root = _root(text)
    hooks = None if root.members is None else root.members.get("hooks")
    if hooks is None or hooks.members is None:
        return {}
    found: dict[str, list[Any]] = {}
    for event, _, item in _found(hooks):
        found.setdefault(event, []).append(item.value)
    return found


def _is_ours(value: Any) -> bool:
    """An entry whose every command is ours: one that a person added to is left to them."""
    if not isinstance(value, dict):
        return False
    inner = value.get("hooks")
    commands = inner if isinstance(inner, list) else [value]
    told = [one.get("command") for one in commands if isinstance(one, dict)]
    return bool(told) and all(isinstance(one, str) and _OURS.search(one) for one in told)


def _cut(text: str, items: list[JsonNode], item: JsonNode) -> str:
    place = items.index(item)
    if place + 1 < len(items):
        return text[: item.start] + text[items[place + 1].start :]
    return _without_last(text, items[place - 1].end, item.start, item.end)


def _cut_member(text: str, within: JsonNode, name: str) -> str:
    """With its name."""
    assert within.members is not None
    names = list(within.members)
    place, member = names.index(name), within.members[name]
    begins = _name_before(text, member.start)
    if place + 1 < len(names):
        return text[:begins] + text[_name_before(text, within.members[names[place + 1]].start) :]
    if place:
        return _without_last(text, within.members[names[place - 1]].end, begins, member.end)
    return text[: within.start + 1] + text[within.end - 1 :]


def _without_last(text: str, before: int, start: int, end: int) -> str:
    """Without what stands from `start` to `end`, the last of several. A comma after it was there for the one before."""
    between, rest = text[before:start].rstrip(), text[end:]
    if rest.lstrip().startswith(","):
        return text[:before] + between + rest.lstrip()[1:]
    return text[:before] + between.replace(",", "", 1) + rest


def _name_before(text: str, at: int) -> int:
    """Where the name of the value that begins there begins."""
    colon = text.rindex(":", 0, at)
    end = text.rindex('"', 0, colon)
    start = end - 1
    while text[start] != '"' or (len(text[:start]) - len(text[:start].rstrip("\\"))) % 2:
        start -= 1
    return start


def _root(text: str) -> JsonNode:
    root = JsonReader(text).whole()
    if root.members is None:
        raise InvalidRequest("the settings are no JSON object")
    return root


def places_here() -> Places:
    return Places.here(os.environ)
