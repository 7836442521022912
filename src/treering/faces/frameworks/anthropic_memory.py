"""Anthropic's memory tool: files under `/memories`, each edit a revision, so that every file has a history.

The whole folder is one space. `history(path)` tells what a file said and when; a deleted or overwritten file is still
there. Works with the SDK's tool runner, and so with the Claude Agent SDK's client. Needs `treering[anthropic]`.
"""

from __future__ import annotations

from treering import extras

extras.need("anthropic", "treering.faces.frameworks.anthropic_memory")

import posixpath
from typing import Any

from anthropic.lib.tools import BetaAbstractMemoryTool

from treering.faces.frameworks.records import AdapterDoor, Records
from treering.model.memory import Memory

KIND = "memory-file"
ROOT = "/memories"
_MOST_LINES = 999_999


class TreeringMemoryTool(BetaAbstractMemoryTool):
    def __init__(self, door: AdapterDoor, space: str = "default", **more: Any) -> None:
        super().__init__(**more)
        self._records, self._space = Records(door, KIND), space

    def view(self, command: Any) -> str:
        path = checked(command.path)
        text = self._text(path)
        if text is None:
            return self._folder(path)
        lines = text.split("\n")
        if len(lines) > _MOST_LINES:
            return f"File {path} exceeds maximum line limit of {_MOST_LINES:,} lines."
        first, last = _window(command.view_range, len(lines))
        shown = "\n".join(f"{number:6d}\t{lines[number - 1]}" for number in range(first, last + 1))
        return f"Here's the content of {path} with line numbers:\n{shown}"

    def create(self, command: Any) -> str:
        path = checked(command.path)
        if self._text(path) is not None:
            return f"Error: File {path} already exists"
        self._write(path, command.file_text)
        return f"File created successfully at: {path}"

    def str_replace(self, command: Any) -> str:
        path = checked(command.path)
        text = self._text(path)
        if text is None:
            return f"Error: The path {path} does not exist. Please provide a valid path."
        found = text.count(command.old_str) if command.old_str else 0
        if found == 0:
            return f"No replacement was performed, old_str `{command.old_str}` did not appear verbatim in {path}."
        if found > 1:
            where = [n for n, line in enumerate(text.split("\n"), 1) if command.old_str.split("\n")[0] in line]
            return (
                f"No replacement was performed. Multiple occurrences of old_str `{command.old_str}` in lines: "
                f"{', '.join(map(str, where))}. Please ensure it is unique"
            )
        self._write(path, text.replace(command.old_str, command.new_str or "", 1))
        return f"The memory file has been edited. {self.view(_View(path))}"

    def insert(self, command: Any) -> str:
        path = checked(command.path)
        text = self._text(path)
        if text is None:
            return f"Error: The path {path} does not exist"
        lines = text.split("\n")
        if not 0 <= command.insert_line <= len(lines):
            return (
                f"Error: Invalid `insert_line` parameter: {command.insert_line}. It should be within the range of "
                f"lines of the file: [0, {len(lines)}]"
            )
        lines[command.insert_line : command.insert_line] = [command.insert_text.removesuffix("\n")]
        self._write(path, "\n".join(lines))
        return f"The file {path} has been edited."

    def delete(self, command: Any) -> str:
        path = checked(command.path)
        if path == ROOT:
            return f"Error: The path {ROOT} cannot be deleted"
        inside = self._inside(path)
        if not inside:
            return f"Error: The path {path} does not exist"
        for one in inside:
            self._records.delete(self._space, one, why=f"{path} was deleted")
        return f"Successfully deleted {path}"

    def rename(self, command: Any) -> str:
        old, new = checked(command.old_path), checked(command.new_path)
        inside = self._inside(old)
        if not inside or old == ROOT:
            return f"Error: The path {old} does not exist"
        if self._inside(new):
            return f"Error: The destination {new} already exists"
        for one in inside:
            text = self._text(one) or ""
            self._write(new + one.removeprefix(old), text)
            self._records.delete(self._space, one, why=f"renamed to {new}")
        return f"Successfully renamed {old} to {new}"

    def clear_all_memory(self) -> str:
        for one in self._files():
            self._records.delete(self._space, one, why="all memory was cleared")
        return "All memory cleared"

    def history(self, path: str) -> list[Memory]:
        """Every revision of a file, the newest first; `content` is what it said, `recorded_at` since when."""
        return self._records.revisions(self._space, checked(path))

    def _files(self) -> list[str]:
        return sorted(str(self._records.value(one)["key"]) for one in self._records.all(self._space))

    def _inside(self, path: str) -> list[str]:
        return [one for one in self._files() if one == path or one.startswith(path.rstrip("/") + "/")]

    def _text(self, path: str) -> str | None:
        found = self._records.get(self._space, path)
        return None if found is None else str(self._records.value(found)["text"])

    def _write(self, path: str, text: str) -> None:
        self._records.put(
            self._space, path, text.strip() or f"(an empty file: {path})", {"text": text}, title=path[-500:]
        )

    def _folder(self, path: str) -> str:
        inside = self._inside(path)
        if not inside and path != ROOT:
            return f"The path {path} does not exist. Please provide a valid path."
        sizes = {one: len((self._text(one) or "").encode()) for one in inside}
        listed: dict[str, int] = {path: sum(sizes.values())}
        for one, size in sizes.items():
            below = one.removeprefix(path).strip("/").split("/")
            for depth in range(1, min(len(below), 2) + 1):
                name = f"{path.rstrip('/')}/{'/'.join(below[:depth])}"
                listed[name] = listed.get(name, 0) + size
        lines = [f"{_size(size)}\t{name}" for name, size in listed.items()]
        head = (
            f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items and node_modules:"
        )
        return "\n".join([head, *lines])


class _View:
    view_range = None

    def __init__(self, path: str) -> None:
        self.path = path


def checked(path: str) -> str:
    """Inside of /memories, however it is written; nothing else is ours."""
    clean = posixpath.normpath(path.replace("\\", "/"))
    if clean != ROOT and not clean.startswith(ROOT + "/"):
        raise ValueError(f"Path must start with {ROOT}, got: {path}")
    return clean


def _window(given: Any, lines: int) -> tuple[int, int]:
    if not given:
        return 1, lines
    first, last = max(1, int(given[0])), int(given[1])
    return first, lines if last == -1 else min(last, lines)


def _size(count: int) -> str:
    size = float(count)
    for unit in ("B", "K", "M", "G"):
        if size < 1024 or unit == "G":
            return f"{size:.0f}{unit}" if unit == "B" else f"{size:.1f}{unit}"
        size /= 1024
    return f"{count}B"
