"""IN WHICH FORMS does knowledge leave? For other programs: records, notes, and graphs. Only the journal is lossless.

What leaves is what the actor may see, in whatever state it is but forgotten, with the times in which it held.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TextIO

from treering.errors import InvalidRequest
from treering.exchange.forms.cypher import write_cypher
from treering.exchange.forms.graphml import write_graphml
from treering.exchange.forms.notes import write_notes
from treering.exchange.forms.others import write_graphiti, write_mem0, write_memory_service, write_reference
from treering.exchange.forms.records import write_records
from treering.exchange.forms.whole import Whole
from treering.exchange.journal import Exported
from treering.exchange.putting import put
from treering.store.contract import Reader

JOURNAL, MARKDOWN = "journal", "markdown"
_WRITERS: Mapping[str, Callable[[TextIO, list[Whole]], int]] = {
    "jsonl": write_records,
    "graphml": write_graphml,
    "cypher": write_cypher,
    "mem0": write_mem0,
    "mcp": write_reference,
    "mcp-memory-service": write_memory_service,
    "graphiti": write_graphiti,
}
_BY_SUFFIX = {".graphml": "graphml", ".cypher": "cypher", ".cql": "cypher", ".jsonl": JOURNAL, ".ndjson": JOURNAL}
_OF_OTHERS = frozenset({".csv", ".db", ".html", ".json", ".md", ".pdf", ".sqlite", ".txt", ".xml", ".zip"})
Opens = Callable[[str], AbstractContextManager[Reader]]


def form_of(path: Path, given: str | None) -> str:
    """As it was said, else by the ending of the name; the journal where neither tells."""
    if given is not None:
        return given
    suffix = path.suffix.lower()
    if suffix in _OF_OTHERS:
        raise InvalidRequest(
            f"path: {path.name} does not say in which form to write; give a format (journal, jsonl, markdown, graphml, "
            f"cypher, cortexgraph, ai-memory, crosmos, longmem …), or a name that ends in .jsonl (the journal), "
            ".graphml or .cypher"
        )
    return _BY_SUFFIX.get(suffix, JOURNAL)


def export_as(form: str, path: Path, spaces: list[str], opens: Opens) -> Exported:
    """`opens` gives a reader of a space."""
    if form == MARKDOWN:
        return Exported(str(path), tuple(spaces), write_notes(path, spaces, opens), form)
    wholes = []
    for space in spaces:
        with opens(space) as reader:
            wholes.append(Whole.of(space, reader))
    if form in ("cortexgraph", "ai-memory", "crosmos", "longmem"):
        from treering.exchange.others import WRITERS

        return Exported(str(path), tuple(spaces), WRITERS[form](path, wholes), form)
    with put(path) as file:
        count = _WRITERS[form](file, wholes)
    return Exported(str(path), tuple(spaces), count, form)
