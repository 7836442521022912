"""WHAT stands in a Logseq graph? Pages and journals of blocks: every outermost block with what hangs below it is a
memory, dated by its journal, with its tags, its links and its `key:: value` properties."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote

from treering.exchange.importers.step import ExportRead, RecordAdded
from treering.language.masking import Masking

FORM = "logseq"
_PROPERTY = re.compile(r"^\s*(?:-\s+)?([A-Za-z][\w-]*):: ?(.*)$")
_BLOCK = re.compile(r"^(?P<indent>[\t ]*)- ?(?P<text>.*)$")
_LINK = re.compile(r"\[\[([^\[\]\n]+)\]\]")
_TAG = re.compile(r"(?:^|\s)#(?:\[\[([^\[\]\n]+)\]\]|([\w/-]+))")
_JOURNAL = re.compile(r"(\d{4})[_-](\d{2})[_-](\d{2})")
_OF_LOGSEQ = frozenset({"collapsed", "id", "heading", "background-color"})


def is_graph(folder: Path) -> bool:
    return (folder / "logseq").is_dir() and ((folder / "pages").is_dir() or (folder / "journals").is_dir())


@dataclass
class _Block:
    number: int
    lines: list[str]
    properties: dict[str, str] = field(default_factory=dict)


def read_graph(folder: Path, masking: Masking) -> ExportRead:
    taken = ExportRead(FORM)
    for kind in ("journals", "pages"):
        for path in sorted((folder / kind).glob("*.md")) if (folder / kind).is_dir() else ():
            try:
                text = masking.text(path.read_text("utf-8"))
            except (OSError, UnicodeDecodeError) as error:
                taken.left_out.append(f"{kind}/{path.name}: cannot be read ({type(error).__name__})")
                continue
            _page(taken, masking.text(f"{kind}/{path.name}"), path, text, masking.text(unquote(path.stem)))
    return taken


def _page(taken: ExportRead, name: str, path: Path, text: str, stem: str) -> None:
    title = stem.replace("___", "/")
    day = _JOURNAL.fullmatch(path.stem)
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    at = datetime(int(day[1]), int(day[2]), int(day[3]), tzinfo=UTC) if day else written
    head, blocks = _blocks(text)
    shared = tuple(tag.strip() for tag in head.get("tags", "").split(",") if tag.strip())
    for block in blocks:
        words = "\n".join(block.lines).strip()
        if not words:
            continue
        tags = tuple(dict.fromkeys((*shared, *_tags(words, block.properties))))[:50]
        own = {key: value for key, value in block.properties.items() if key not in _OF_LOGSEQ}
        links = tuple(dict.fromkeys(one.strip() for one in _LINK.findall(words) if one.strip()))[:100]
        identity = block.properties.get("id") or f"{block.number}"
        taken.steps.append(
            RecordAdded(
                key=f"{name}#{identity}",
                content=re.sub(r"\[\[([^\[\]\n]+)\]\]", r"\1", words),
                at=at,
                title=title[:500],
                tags=tags,
                entities=links,
                meta={FORM: {"page": title, "file": name, **({"properties": own} if own else {})}},
            )
        )


def _blocks(text: str) -> tuple[dict[str, str], list[_Block]]:
    """The properties of the page, and its outermost blocks."""
    head: dict[str, str] = {}
    found: list[_Block] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        told = _PROPERTY.match(line)
        begins = _BLOCK.match(line)
        if told and not (begins and not begins["indent"]):
            (found[-1].properties if found else head)[told[1].lower()] = told[2].strip()
        elif begins and not begins["indent"]:
            found.append(_Block(len(found) + 1, []))
            if told:
                found[-1].properties[told[1].lower()] = told[2].strip()
            else:
                found[-1].lines.append(begins["text"])
        elif begins:
            found = found or [_Block(1, [])]
            found[-1].lines.append(f"  - {begins['text']}")
        elif line.strip():
            found = found or [_Block(1, [])]
            found[-1].lines.append(line.strip())
    return head, found


def _tags(words: str, properties: dict[str, str]) -> Iterator[str]:
    yield from (one.strip("# []") for one in properties.get("tags", "").split(",") if one.strip("# []"))
    yield from ((whole or plain).strip() for whole, plain in _TAG.findall(words))
