"""HOW is knowledge written as records? One memory a line, as JSON, with what it mentions and the facts it states."""

from __future__ import annotations

import json
from typing import Any, TextIO

from treering.exchange.forms.whole import Whole
from treering.model.edge import Edge
from treering.model.time import UNKNOWN, to_text


def write_records(file: TextIO, wholes: list[Whole]) -> int:
    count = 0
    for whole in wholes:
        mentions, facts = whole.mentions(), whole.facts()
        names = {one.id: one.name for one in whole.entities}
        for memory in whole.memories:
            source = whole.sources.get(memory.source_id)
            told: dict[str, Any] = memory.to_dict() | {
                "speaker": source.speaker if source else None,
                "session": source.session if source else None,
                "entities": mentions[memory.id],
                "facts": [_fact(edge, names) for edge in facts[memory.id]],
            }
            file.write(json.dumps(told, ensure_ascii=False) + "\n")
            count += 1
    return count


def _fact(edge: Edge, names: dict[str, str]) -> dict[str, Any]:
    return {
        "subject": names[edge.source_id],
        "relation": edge.relation,
        "object": names[edge.target_id],
        "valid_from": None if edge.valid_from == UNKNOWN else to_text(edge.valid_from),
        "valid_until": to_text(edge.valid_until) if edge.valid_until else None,
        "confidence": edge.confidence,
    }
