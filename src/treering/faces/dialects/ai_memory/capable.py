"""What can this server do? Its parts as ai-memory's clients know them, each told as it is set up here and as far as
whoever asks may see."""

from __future__ import annotations

from collections import Counter

from treering.door.serving import Equipment
from treering.errors import Forbidden
from treering.exchange.webhooks.kept import Webhook
from treering.faces.afar import Door
from treering.faces.dialects.ai_memory import arguments as a
from treering.faces.dialects.ai_memory.archive import Nothing
from treering.faces.dialects.ai_memory.changing import AT_ONCE
from treering.faces.dialects.contract import Answer, tool
from treering.model import limits
from treering.model.value import plain
from treering.operation import READS
from treering.upkeep.scheduler import UpkeepStatus
from treering.version import VERSION

_SET_UP, _NONE = "set up", "none"


@tool(Nothing, READS)
def memory_capabilities(door: Door, asked: Nothing) -> Answer:
    """What there is, by name, and within which bounds."""
    has = door.equipment()
    tended = [door.upkeep_status(space=one.name) for one in door.spaces()]
    return {
        "schema_version": "2",
        "name": "treering",
        "version": VERSION,
        "dialect": "ai-memory",
        "tier": _tier(has),
        "models": {
            "embedding": has.embedder or _NONE,
            "llm": _SET_UP if has.language_model else _NONE,
            "cross_encoder": _SET_UP if has.reranker else _NONE,
        },
        "permissions": _permissions(door, has),
        "hooks": _hooks(door),
        "compaction": _compaction(tended),
        "approval": _approval(tended),
        "transcripts": {"enabled": True, "by": "every text that is remembered is kept word for word, as its source"},
        "features": _features(has),
        "relations": list(a.RELATIONS),
        "tiers": ["short", "mid", "long"],
        "limits": {"content_bytes": a.CONTENT_BYTES, "bulk": AT_ONCE, "list": 1000, "kg_depth": limits.WALK_DEPTH},
    }


def _tier(has: Equipment) -> str:
    """As ai-memory has them: by words; by meaning; with a language model; with one that reads the best hits again."""
    if has.embedder is None:
        return "keyword"
    if not has.language_model:
        return "semantic"
    return "autonomous" if has.reranker else "smart"


def _features(has: Equipment) -> dict[str, bool]:
    meaning = has.embedder is not None
    always = dict.fromkeys(
        ("keyword_search", "knowledge_graph", "temporal_validity", "entity_registry", "contradictions"), True
    )
    kept = dict.fromkeys(("consolidation", "archive", "taxonomy", "check_duplicate"), True)
    read = {"cross_encoder_reranking": has.reranker, "query_expansion": False, "auto_tagging": False}
    return {"hybrid_recall": meaning, "semantic_search": meaning, **always, **kept, **read}


def _permissions(door: Door, has: Equipment) -> Answer:
    """One rule binds whoever has a key: that key. Who sees all keys sees how many there are."""
    if not has.keys:
        return {"mode": "off", "active_rules": 0, "by": "keys with a role and spaces; there are none"}
    try:
        rules = sum(one.revoked_at is None for one in door.key_list())
    except Forbidden:
        rules = 1
    return {"mode": "enforced", "active_rules": rules, "by": "keys with a role and spaces"}


def _hooks(door: Door) -> Answer:
    """Null where they are not shown to whoever asks."""
    try:
        hooks: list[Webhook] = door.webhook_list()
    except Forbidden:
        return {"registered_count": None, "by_event": None, "by": "webhooks; an admin of all spaces sees them"}
    wanted = Counter(event for one in hooks for event in one.events or ("*",))
    return {"registered_count": len(hooks), "by_event": dict(wanted), "by": "webhooks"}


def _compaction(tended: list[UpkeepStatus]) -> Answer:
    begun = [one.run.started_at for one in tended if one.run is not None]
    return {
        "enabled": True,
        "running": any(one.running for one in tended),
        "last_run_at": plain(max(begun)) if begun else None,
        "by": "memory_consolidate, and upkeep where it is run",
    }


def _approval(tended: list[UpkeepStatus]) -> Answer:
    """Nobody is told of them: they are listed."""
    waiting = sum(sum(one.waiting.values()) for one in tended)
    return {"subscribers": 0, "pending_requests": waiting, "by": "review_list of the native routes"}
