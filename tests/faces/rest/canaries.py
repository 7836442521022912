"""What must a server never read? Files on its disk with a word in them that nobody may see, and beside each one that is
not there. Every request is sent twice, with the one and with the other, and must be answered alike."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import treering

WORD = "zephyrcanary"
"""In every file that lies there, and in no request."""
THERE, ABSENT = "lies1", "lies0"  # told apart by their last letter, wherever a message is cut
WORDS = "words§"
"""Words that are others in every request."""
_NUMBERS = itertools.count(1)
KINDS = (".md", ".txt", ".jsonl", ".csv", ".json", ".db", "")
_CHANGES = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32,}|\d{4}-\d\d-\d\dT[\d:.]+Z|tr_\w+"
    r"|treering-\w+|whsec_[\w-]+|words\d+"
)


@dataclass(slots=True)
class Canaries:
    folder: Path
    before: list[str] = field(default_factory=list)

    @classmethod
    def laid(cls, folder: Path) -> Canaries:
        folder.mkdir()
        for suffix in KINDS:
            (folder / f"{THERE}{suffix}").write_text(f"# A heading\n\nThe {WORD} sings at dawn.\n")
        (folder / f"{THERE}.json").write_text(json.dumps([{"content": f"The {WORD} sings"}]))
        (folder / f"{THERE}.csv").write_text(f"content\nThe {WORD} sings\n")
        vault = folder / f"{THERE}-vault"
        vault.mkdir()
        (vault / "Note.md").write_text(f"The {WORD} sings in the vault.\n")
        with treering.open(folder / "made.db", embedder="none") as mem:
            mem.add(f"The {WORD} sings in a store", space="lab")
            mem.export(folder / f"{THERE}-journal.jsonl")
        for left in folder.glob("made.db*"):
            left.replace(folder / f"{THERE}{left.name.removeprefix('made')}") if left.is_file() else None
        return cls(folder, _seen(folder))

    def paths(self, few: bool = False) -> Iterator[str]:
        """Every way to name one that is there."""
        whole = [str(self.folder / f"{THERE}{suffix}") for suffix in KINDS]
        yield whole[0]
        if few:
            return
        yield from whole[1:]
        yield str(self.folder / f"{THERE}-journal.jsonl")
        yield str(self.folder / f"{THERE}-vault")
        yield f"file://{whole[0]}"
        yield f"{self.folder}/../{self.folder.name}/{THERE}.md"
        yield "/proc/self/root" + whole[0]

    def are_untouched(self) -> None:
        """Nothing was written among them either."""
        assert _seen(self.folder) == self.before

    def alike(self, there: Any, absent: Any, asked: object) -> None:
        """`there` and `absent` are the answers to the same request, but for the name of the file."""
        for told in (there, absent):
            assert told.status_code < 500, (asked, told.status_code, told.text[:500])
            assert WORD not in told.text, asked
            assert WORD not in str(told.headers), asked
        assert there.status_code == absent.status_code, (asked, there.text[:500], absent.text[:500])
        if there.status_code >= 400:
            assert _worn(there.text) == _worn(absent.text), asked


def _worn(text: str) -> str:
    """But for ids, times and the name itself."""
    return _CHANGES.sub("…", text).lower().replace(THERE, ABSENT)


def absent(value: Any) -> Any:
    """The same, naming what is not there."""
    return _with(value, THERE, ABSENT)


def once(value: Any) -> Any:
    """The same, with words that were never said before, so that what came of one request is not met by another."""
    return _with(value, "§", str(next(_NUMBERS)))


def _with(value: Any, old: str, new: str) -> Any:
    match value:
        case str():
            return value.replace(old, new)
        case bytes():
            return value.replace(old.encode(), new.encode())
        case dict():
            return {_with(name, old, new): _with(one, old, new) for name, one in value.items()}
        case list() | tuple():
            return type(value)(_with(one, old, new) for one in value)
    return value


def values_of(schema: dict[str, Any], path: str) -> Iterator[Any]:
    """What a field of this shape can hold with a path in it."""
    ways = [schema, *schema.get("anyOf", ())]
    kinds = {one.get("type") for one in ways}
    yield path
    everything = dict.fromkeys(ALIEN, path)
    if "array" in kinds:
        yield [path]
        yield [{**everything, "content": "words"}]
    if "object" in kinds or "$ref" in schema:
        yield everything


ALIEN = ("file", "path", "vault", "folder", "filename", "name", "url", "source", "backup", "import", "identity")
"""Names under which a careless reader would look for a file."""


def _seen(folder: Path) -> list[str]:
    return sorted(
        f"{one.relative_to(folder)} {one.stat().st_size if one.is_file() else '/'}" for one in folder.rglob("*")
    )
