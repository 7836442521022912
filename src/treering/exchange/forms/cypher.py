"""HOW is knowledge written as Cypher? Statements that make every node and edge, and change nothing the second time."""

from __future__ import annotations

import json
from typing import TextIO

from treering.exchange.forms.graph import Said, between, nodes
from treering.exchange.forms.whole import Whole
from treering.model.edge import MENTION


def write_cypher(file: TextIO, wholes: list[Whole]) -> int:
    count = 0
    for label in ("Entity", "Memory"):
        file.write(f"CREATE INDEX {label.lower()}_id IF NOT EXISTS FOR (n:{label}) ON (n.id);\n")
    labels: dict[str, str] = {}
    for whole in wholes:
        for node, label, said in nodes(whole):
            labels[node] = label
            file.write(f"MERGE (n:{label} {{id: {_text(node)}}}) SET n += {_map(said)};\n")
            count += 1
    for whole in wholes:
        for edge in whole.edges:
            source, target = (f"(:{labels[end]} {{id: {_text(end)}}})" for end in (edge.source_id, edge.target_id))
            ends = f"MATCH (a{source[1:]}, (b{target[1:]}"
            relation = "MENTIONS" if edge.relation == MENTION else edge.relation.upper()
            file.write(
                f"{ends} MERGE (a)-[r:{relation} {{id: {_text(edge.id)}}}]->(b) SET r += {_map(between(edge))};\n"
            )
            count += 1
    return count


def _map(said: Said) -> str:
    told = (f"{name}: {_text(value) if isinstance(value, str) else value}" for name, value in said.items())
    return "{" + ", ".join(one for one, value in zip(told, said.values(), strict=True) if value is not None) + "}"


def _text(value: str) -> str:
    """Between double quotes, as JSON escapes it: Cypher reads the same escapes."""
    return json.dumps(value)
