"""CortexGraph's tools that advise an agent: is a message worth saving, does it ask for something remembered?"""

from __future__ import annotations

from pydantic import Field

from treering.faces.afar import Door
from treering.faces.dialects.contract import Answer, Arguments, tool
from treering.model import limits
from treering.operation import READS


class Analyze(Arguments):
    message: str = Field(min_length=1, max_length=limits.QUERY_CHARS, description="What the user said.")


@tool(Analyze, READS)
def analyze_message(door: Door, asked: Analyze) -> Answer:
    """Whether a message is worth saving: above 0.7 save it, from 0.4 on ask first."""
    advice = door.analyze_message(asked.message)
    return {
        "should_save": advice.should_save,
        "confidence": advice.confidence,
        "suggested_entities": list(advice.entities),
        "suggested_tags": list(advice.tags),
        "suggested_strength": advice.strength,
        "reasoning": "; ".join(advice.reasons),
    }


@tool(Analyze, READS)
def analyze_for_recall(door: Door, asked: Analyze) -> Answer:
    """Whether a message asks for something remembered: above 0.7 search, from 0.4 on ask first."""
    advice = door.analyze_for_recall(asked.message)
    return {
        "should_search": advice.should_search,
        "confidence": advice.confidence,
        "suggested_query": advice.query,
        "suggested_tags": list(advice.tags),
        "suggested_entities": list(advice.entities),
        "reasoning": "; ".join(advice.reasons),
    }
