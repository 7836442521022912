"""How is each operation asked for? An example of every one, for the description; a test has each checked by the
operation itself."""

from __future__ import annotations

from typing import Any

_MEMORY = "019b796d-d600-7280-b922-80989e16b893"
_OTHER = "019b796d-d600-7395-a2b5-277493162dcb"
_EDGE = "019b796d-d600-7412-8c01-5ad2c1f0a9be"
_ITEM = "019b796d-d600-7511-9f3e-0c44b8d7e6a1"
_JOB = "019b796d-d600-7633-b0aa-91f27c3d5e80"
_HOOK = "019b796d-d600-7744-8a1b-3e6f9d2c7b15"
_TIE = {"source": _MEMORY, "target": _OTHER, "relation": "supports"}
_FACT = {"source": "Sam", "target": "Google", "relation": "WORKS_FOR"}
_WHERE = {"query": "Where did I work before?"}

EXAMPLES: dict[str, dict[str, Any]] = {
    # remember
    "remember": {"content": "I left Google last May to join Anthropic.", "speaker": "User", "session": "s1"},
    "resume": {"extractor": "reader"},
    "undo": {"what": "17", "why": "said by mistake"},
    "add": {"content": "Sam works at Anthropic", "entities": ["Sam", "Anthropic"]},
    "add_many": {"items": [{"content": "Sam likes green tea"}, {"content": "Kim plays chess", "tags": ["games"]}]},
    "revise": {"id": _MEMORY, "content": "Sam works at Anthropic, in London", "why": "moved"},
    # ask
    "get": {"id": _MEMORY},
    "list": {"view": "current", "tags": ["work"], "limit": 20},
    "recall": {**_WHERE, "limit": 5},
    "context": {**_WHERE, "budget_tokens": 800},
    "why_not": {**_WHERE, "id": _MEMORY},
    "history": {"id": _MEMORY},
    "source": {"id": _OTHER},
    "when": {"text": "last May", "reference": "2026-02-10T09:00:00Z"},
    "moments": {"clock": "known", "limit": 100},
    "beliefs": {"node": "Sam", "relation": "WORKS_FOR"},
    "overview": {"relations": ["WORKS_FOR"], "nodes": 500},
    "journal": {"before": 17, "limit": 20},
    "facets": {"view": "all", "words": "tea"},
    "events": {"after": 17, "limit": 50},
    # facts and graph
    "link": _TIE,
    "unlink": _TIE,
    "invalidate": {**_FACT, "at": "2025-05-01T00:00:00Z", "why": "left"},
    "reopen": _FACT,
    "assert_fact": {"subject": "Sam", "relation": "WORKS_FOR", "object": "Anthropic", "supersede": True},
    "assert_facts": {"facts": [["Sam", "WORKS_FOR", "Anthropic"], ["Kim", "KNOWS", "Sam"]]},
    "facts": {"subject": "Sam", "as_of": "2025-01-01T00:00:00Z"},
    "graph": {"start": "Sam", "depth": 2, "direction": "both"},
    "paths": {"a": "Sam", "b": "Kim", "max_depth": 3},
    "attest": {"id": _EDGE},
    "entity_register": {"name": "Sam Weber", "aliases": ["Sam"], "kind": "person"},
    "entity_get": {"alias": "Sam"},
    "entities": {"kind": "person", "limit": 20},
    "entity_gather": {"entity": "Sam"},
    "import_memories": {"records": {"memories": []}, "system": "ai-memory"},
    "entity_merge": {"entity": "Sammy", "into": "Sam", "why": "the same person"},
    "entity_split": {"entity_id": _OTHER, "why": "two people after all"},
    "timeline": {"node": "Sam", "since": "2024-01-01T00:00:00Z"},
    "entity": {"id": "Sam"},
    "diff": {"from": "2025-01-01T00:00:00Z", "to": "2026-01-01T00:00:00Z"},
    "contradictions": {"topic": "Where does Sam live?"},
    "lineage": {"memory": _MEMORY},
    "compare": {"a": _MEMORY, "b": _OTHER},
    "stale": {"limit": 20},
    "taxonomy": {"prefix": "acme", "depth": 2},
    # what lasts and what fades
    "touch": {"id": _MEMORY},
    "observe": {"ids": [_MEMORY], "context_tags": ["travel"]},
    "scores": {"ids": [_MEMORY, _OTHER]},
    "survey": {"which": "active", "limit": 20},
    "forget": {"id": _MEMORY, "why": "asked to"},
    "archive": {"id": _MEMORY, "why": "no longer needed"},
    "restore": {"id": _MEMORY},
    "gc": {"dry_run": True},
    "promote": {"id": _MEMORY},
    "expire": {"dry_run": True},
    "health": {},
    "purge": {"id": _MEMORY, "why": "asked to be removed"},
    "profile": {"budget_tokens": 400},
    "analyze_message": {"text": "Please remember that I am allergic to peanuts."},
    "auto_recall": {"text": "We are planning the launch with Sam again."},
    "timings": {},
    "analyze_for_recall": {"text": "What did we decide about the launch?"},
    # upkeep and review
    "cluster": {"find_duplicates": True},
    "consolidate": {"auto": True, "mode": "preview"},
    "run_pipeline": {"dry_run": True},
    "relate_again": {"dry_run": True},
    "run_agent": {"agent": "decay", "dry_run": True},
    "run_scheduled": {"interval_seconds": 3600},
    "upkeep_status": {},
    "review_list": {"status": "open", "limit": 20},
    "review_get": {"id": _ITEM},
    "review_create": {"kind": "merge", "action": "Are these two the same?", "memory_ids": [_MEMORY, _OTHER]},
    "review_claim": {"id": _ITEM},
    "review_apply": {"id": _ITEM, "note": "they are the same"},
    "review_dismiss": {"id": _ITEM, "note": "they are not"},
    "review_reopen": {"id": _ITEM},
    "review_close": {"id": _ITEM},
    "create_consolidation_issue": {"agent": "merge", "memory_ids": [_MEMORY, _OTHER], "action": "merge them"},
    "query_consolidation_issues": {"status": "open"},
    "claim_issue": {"id": _ITEM},
    "close_issue": {"id": _ITEM, "reason": "merged"},
    # the table of relations
    "relations": {"own_only": True},
    "relation_set": {"name": "MENTORED_BY", "gloss": "who mentors somebody", "cardinality": "one", "asked": ["mentor"]},
    "relation_remove": {"name": "MENTORED_BY"},
    # notes and jobs
    "search_unified": {"query": "launch", "limit": 5},
    "index_vault": {"embed": False},
    "notes_of": {"ids": [_MEMORY]},
    "enqueue": {"content": "I left Google last May to join Anthropic.", "key": "turn-17"},
    "job": {"id": _JOB},
    "jobs": {"status": "failed", "limit": 20},
    "cancel_job": {"id": _JOB},
    "retry_job": {"id": _JOB},
    "run_jobs": {"limit": 10},
    # spaces and the store
    "spaces": {"prefix": "acme"},
    "status": {},
    "signers": {},
    "describe": {"description": "What the planning agent knows", "metadata": {"team": "planning"}},
    "about": {},
    "settings": {"changes": {"extractor": "reader"}},
    "setting": {"name": "decay"},
    "verify": {},
    "doctor": {"repair": False},
    "reembed": {"limit": 1000},
    # backups, holds and retention
    "backup_run": {"force": True},
    "backup_list": {},
    "backup_rehearse": {"questions": 20},
    "hold": {"id": _MEMORY, "why": "case 2026-17"},
    "release": {"id": _MEMORY, "why": "case 2026-17 is closed"},
    "holds": {},
    "retain": {"dry_run": True},
    # keys and webhooks
    "key_create": {"name": "agent:planner", "spaces": ["acme/*"], "role": "write"},
    "key_list": {},
    "key_revoke": {"id": "5f0c2a9be417"},
    "key_rotate": {"id": "5f0c2a9be417", "overlap_seconds": 86400},
    "grant_add": {"group": "research", "on": "acme/research", "role": "write"},
    "grant_list": {},
    "grant_remove": {"group": "research", "on": "acme/research"},
    "audit_search": {"kinds": ["denied"], "limit": 20},
    "audit_verify": {},
    "webhook_add": {"address": "https://example.org/hook", "spaces": ["acme/*"], "events": ["memory_added"]},
    "webhook_list": {},
    "webhook_remove": {"id": _HOOK},
    "webhook_letters": {"webhook": _HOOK},
    "webhook_resend": {"webhook": _HOOK},
}
"""By the operation's name, in the order in which they are described."""
