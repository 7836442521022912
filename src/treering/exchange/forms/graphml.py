"""HOW is knowledge written as GraphML? Entities and memories are nodes; every edge has the time in which it held."""

from __future__ import annotations

import re
from typing import TextIO
from xml.sax.saxutils import escape

from treering.exchange.forms.graph import Said, between, nodes
from treering.exchange.forms.whole import Whole

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_NODE = (
    "label", "space", "name", "kind", "aliases", "content", "state", "tags", "importance", "confidence", "valid_from",
    "valid_until", "recorded_at",
)  # fmt: skip
_EDGE = ("relation", "confidence", "valid_from", "valid_until", "recorded_at", "memory_id")
_NUMBERS = frozenset({"importance", "confidence"})
_NOT_OF_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_graphml(file: TextIO, wholes: list[Whole]) -> int:
    count = 0
    file.write(f'<?xml version="1.0" encoding="utf-8"?>\n<graphml xmlns="{NAMESPACE}">\n')
    for place, names in (("node", _NODE), ("edge", _EDGE)):
        for name in names:
            kind = "double" if name in _NUMBERS else "string"
            file.write(f'<key id="{place}_{name}" for="{place}" attr.name="{name}" attr.type="{kind}"/>\n')
    file.write('<graph id="knowledge" edgedefault="directed">\n')
    for whole in wholes:
        for node, label, said in nodes(whole):
            file.write(f'<node id="{node}">{_data("node", {"label": label, **said})}</node>\n')
            count += 1
    for whole in wholes:
        for edge in whole.edges:
            ends = f'id="{edge.id}" source="{edge.source_id}" target="{edge.target_id}"'
            file.write(f"<edge {ends}>{_data('edge', {'relation': edge.relation, **between(edge)})}</edge>\n")
            count += 1
    file.write("</graph>\n</graphml>\n")
    return count


def _data(place: str, said: Said) -> str:
    told = ((name, escape(_NOT_OF_XML.sub("\ufffd", str(value)))) for name, value in said.items() if value is not None)
    return "".join(f'<data key="{place}_{name}">{value}</data>' for name, value in told)
