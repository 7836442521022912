"""What is shown of a walk? Its edges hop by hop, with names instead of ids; a path as one line to be read; and the
table of the relations that edges have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treering.faces.cli.blocks import Block, Line, Rows, TableColumn, cell, id_cell, window_cell
from treering.faces.cli.headline import count
from treering.graph.paths import Path
from treering.graph.reached import Node, Step
from treering.graph.relation_table import RelationRow
from treering.graph.walk import Walked

_COLUMNS = (
    TableColumn("depth"),
    TableColumn("from", main=True),
    TableColumn("relation", main=True),
    TableColumn("to", main=True),
    TableColumn("holds"),
    TableColumn("evidence", roomy=True),
    TableColumn("id", roomy=True),
)


def walked(walk: Walked) -> Iterator[Block]:
    names = {node.id: _name(node) for node in walk.nodes}
    rows = (
        (
            cell(edge.depth, "quiet"),
            cell(names.get(edge.source_id, edge.source_id), "name"),
            cell(edge.relation),
            cell(names.get(edge.target_id, edge.target_id), "name"),
            window_cell(edge.valid_from, edge.valid_until),
            id_cell(edge.memory_id),
            id_cell(edge.id),
        )
        for edge in walk.edges
    )
    start = ", ".join(dict.fromkeys(names[node.id] for node in walk.nodes if node.depth == 0))
    yield Line(f"{start}: {count(len(walk.nodes) - 1, 'node')} within {walk.depth_reached}", "strong", for_people=True)
    yield Rows(_COLUMNS, tuple(rows), "nothing leads away from it at this moment")
    if walk.truncated:
        yield Line(
            f"there is more: only {count(walk.edges_walked, 'edge')} were walked; raise --limit",
            "warn",
            names_options=True,
        )


def paths(found: Sequence[Path]) -> Rows:
    columns = (TableColumn("steps"), TableColumn("path", main=True))
    rows = ((cell(path.length), cell(_line(path))) for path in found)
    return Rows(columns, tuple(rows), "none")


def relations(found: Sequence[RelationRow]) -> Rows:
    columns = (
        TableColumn("relation", main=True),
        TableColumn("says", main=True),
        TableColumn("values"),
        TableColumn("closes the older", main=True),
        TableColumn("own", main=True),
        TableColumn("sentence", roomy=True),
        TableColumn("family", roomy=True),
        TableColumn("asked by", roomy=True),
    )
    rows = (
        (
            cell(one.name, "name"),
            cell(one.gloss),
            cell(one.cardinality.value),
            cell("yes" if one.one_at_a_time else "no"),
            cell("yes" if one.own else "no"),
            cell(one.sentence, "quiet"),
            cell(one.family),
            cell(", ".join(one.asked)),
        )
        for one in found
    )
    return Rows(columns, tuple(rows), "none")


def _line(path: Path) -> str:
    """As Ada -KNOWS-> Bo <-KNOWS- Cy, each edge in its own direction."""
    parts = [_name(path.nodes[0])]
    for here, edge, there in zip(path.nodes, path.edges, path.nodes[1:], strict=False):
        parts += [_arrow(edge, here), _name(there)]
    return " ".join(parts)


def _arrow(edge: Step, here: Node) -> str:
    return f"-{edge.relation}->" if edge.source_id == here.id else f"<-{edge.relation}-"


def _name(node: Node) -> str:
    return node.name or node.content or node.id
