"""How are times, beliefs, journal entries and counts shown? The answers of who looks on, as tables."""

from __future__ import annotations

from collections.abc import Iterator

from treering.faces.cli.blocks import Block, Cell, Line, Pairs, Rows, TableColumn, cell, id_cell, time_cell, window_cell
from treering.graph.beliefs import Beliefs
from treering.graph.journal_lines import JournalPage
from treering.graph.moments import Moments
from treering.graph.overview import Overview
from treering.recall.listing import Facets
from treering.recall.source_text import SourceText

_FACETS = ("kind", "state", "tier", "tag", "speaker", "session")


def moments(found: Moments) -> Iterator[Block]:
    columns = (TableColumn("from"), TableColumn("until"), TableColumn("changes"), TableColumn("memories"))
    rows = (
        (time_cell(one.at), time_cell(one.until), cell(one.changes), cell(one.memories, "quiet")) for one in found.ticks
    )
    yield Rows(columns, tuple(rows), "nothing changed")


def beliefs(found: Beliefs) -> Iterator[Block]:
    columns = (
        TableColumn("belief", main=True),
        TableColumn("held to be true"),
        TableColumn("believed"),
        TableColumn("entry"),
        TableColumn("rule"),
        TableColumn("by", roomy=True),
    )
    rows = (
        (
            cell(one.what, "name"),
            window_cell(one.valid_from, one.valid_until),
            window_cell(one.known_from, one.known_until),
            cell(one.seq if one.seq is not None else ""),
            cell(one.rule or "", "quiet"),
            cell(one.actor or "", "quiet"),
        )
        for one in found.beliefs
    )
    yield Rows(columns, tuple(rows), "nothing was ever believed about it")
    if found.truncated:
        yield Line("there is more: name a relation, or raise the limit")


def overview(found: Overview) -> Iterator[Block]:
    columns = (
        TableColumn("entity", main=True),
        TableColumn("kind"),
        TableColumn("facts"),
        TableColumn("id", roomy=True),
    )
    rows = ((cell(one.name, "name"), cell(one.kind, "quiet"), cell(one.facts), id_cell(one.id)) for one in found.nodes)
    yield Rows(columns, tuple(rows), "no facts are known")
    if found.truncated:
        yield Line(f"{found.entities} entities and {found.facts} facts in all: narrow it down, or raise the limits")


def journal(page: JournalPage) -> Iterator[Block]:
    columns = (
        TableColumn("entry"),
        TableColumn("at"),
        TableColumn("by"),
        TableColumn("operation"),
        TableColumn("what changed", main=True),
        TableColumn("signed", roomy=True),
    )
    rows = (
        (
            cell(one.seq),
            time_cell(one.at),
            cell(one.actor, "name"),
            cell(one.op),
            Cell(
                (f"undone by {one.undone_by}: " if one.undone_by else "")
                + "; ".join(change.what for change in one.changes[:2])
                + (" …" if len(one.changes) > 2 else "")
            ),
            cell("yes" if one.signature else "no", "quiet"),
        )
        for one in page.lines
    )
    yield Rows(columns, tuple(rows), "nothing was written yet")


def facets(found: Facets) -> Iterator[Block]:
    columns = (TableColumn("facet"), TableColumn("value", main=True), TableColumn("memories"))
    rows = (
        (cell(name, "quiet"), cell(value), cell(times))
        for name in _FACETS
        for value, times in getattr(found, name).items()
    )
    yield Rows(columns, tuple(rows), "no memory is like that")


def source(found: SourceText) -> Iterator[Block]:
    yield Line(found.content)
    yield Pairs(
        (
            ("id", id_cell(found.id)),
            ("said by", cell(found.speaker or "")),
            ("said", time_cell(found.occurred_at)),
            ("conversation", cell(found.session or "")),
            ("memories", cell(len(found.memories))),
        )
    )
