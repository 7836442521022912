"""Which few tools does an agent need, and what of each? The set `core`, as data.

Whatever an operation can do beyond this is still understood when it is said; it is not told of, since every word of a
schema is paid for on every turn.
"""

from __future__ import annotations

from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class ToolSummary:
    """What is told of an operation: when to use it, the parameters, and the fields of its answer."""

    use: str
    parameters: tuple[str, ...]
    answer: tuple[str, ...]


CORE: dict[str, ToolSummary] = {
    "remember": ToolSummary(
        "Keep what the user said or decided, in their words. It is read for facts, and older facts that it replaces "
        "make way; nothing is lost.",
        ("content", "messages", "drafts", "space", "at", "speaker", "session", "tags"),
        ("seq", "memories", "superseded", "conflicts"),
    ),
    "recall": ToolSummary(
        "Find what is known about a question, before you answer or ask it. Also about the past.",
        ("query", "space", "limit", "view", "kinds", "entities", "since", "until", "as_of", "known_at"),
        ("hits", "view", "as_of"),
    ),
    "context": ToolSummary(
        "What is known about a question as text for a prompt, within a budget: dated, cited, quoted as data.",
        ("query", "space", "budget_tokens", "as_of"),
        ("text", "tokens", "citations"),
    ),
    "history": ToolSummary(
        "Everything that ever happened to a memory, entity or edge: when, by whom, why.",
        ("id", "space"),
        ("id", "state", "events"),
    ),
    "graph": ToolSummary(
        "Walk the graph from a memory or entity: who and what is connected, along edges valid at the moment.",
        ("start", "relations", "depth", "direction", "as_of", "space"),
        ("nodes", "edges", "depth_reached", "truncated"),
    ),
    "forget": ToolSummary(
        "Hide a memory that is wrong or unwanted from every reading. Nothing is removed; it can be restored.",
        ("id", "query", "confirm", "space", "why", "dry_run"),
        (),
    ),
    "observe": ToolSummary(
        "Say which recalled memories you really used in your answer, so that they stay fresh.",
        ("ids", "context_tags", "space"),
        (),
    ),
    "status": ToolSummary("How much is remembered, and where.", ("space",), ("space", "memories", "entities", "edges")),
}
"""By the operation's name, in the order in which tools are listed."""
