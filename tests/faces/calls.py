"""How is every operation asked for on the command line, and what must the door be asked then? One call of each, which
the other faces are tried with too."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any

import pytest

from treering.door import Treering

# Operation: its words, and the arguments the door must get. {names} are ids of the life, {folder} is a fresh folder.
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "remember": (
        "remember 'I moved to Oslo' --speaker Sam --session s1 --at 2025-03-01 --extractor none --tags home "
        '--drafts \'{"content": "Sam lives in Oslo", "triples": [["Sam", "LIVES_IN", "Oslo"]]}\' --dry-run',
        {
            "content": "I moved to Oslo",
            "speaker": "Sam",
            "session": "s1",
            "at": "2025-03-01",
            "extractor": "none",
            "tags": ["home"],
            "drafts": [{"content": "Sam lives in Oslo", "triples": [["Sam", "LIVES_IN", "Oslo"]]}],
            "dry_run": True,
        },
    ),
    "resume": ("resume --extractor none", {"extractor": "none"}),
    "undo": ("undo 1 --why mistaken --dry-run", {"what": "1", "why": "mistaken", "dry_run": True}),
    "add": (
        "add 'Sam plays chess' --tags fun --tags games --entities Sam --entities '{\"name\": \"Kim\"}' --dry-run "
        '--triples \'Sam|PLAYS|Chess\' --triples \'["Kim", "PLAYS", "Go"]\' --meta \'{"turn": 17}\' '
        "--importance 0.9 --event-time 2025-01-01 --space games",
        {
            "content": "Sam plays chess",
            "tags": ["fun", "games"],
            "entities": ["Sam", {"name": "Kim"}],
            "triples": [["Sam", "PLAYS", "Chess"], ["Kim", "PLAYS", "Go"]],
            "meta": {"turn": 17},
            "importance": "0.9",
            "event_time": "2025-01-01",
            "space": "games",
            "dry_run": True,
        },
    ),
    "add_many": ("add-many {folder}/many.jsonl", {"items": [{"content": "one"}, {"content": "two", "tags": ["b"]}]}),
    "add_file": (
        "add-file {folder}/notes.md --tags manual --session s2 --visibility private --visible-to Kim --visible-to Bo",
        {
            "file": "{folder}/notes.md",
            "tags": ["manual"],
            "session": "s2",
            "visibility": "private",
            "visible_to": ["Kim", "Bo"],
        },
    ),
    "revise": (
        "revise {home} 'Sam lives in Oslo' --why moved",
        {"id": "{home}", "content": "Sam lives in Oslo", "why": "moved"},
    ),
    "get": ("get {job} --as-of 2026-01-01", {"id": "{job}", "as_of": "2026-01-01"}),
    "list": (
        "list --view all --kinds semantic --kinds fact --limit 2",
        {"view": "all", "kinds": ["semantic", "fact"], "limit": "2"},
    ),
    "recall": (
        "recall 'Where does Sam work?' --explain --limit 3 --view history",
        {"query": "Where does Sam work?", "explain": True, "limit": "3", "view": "history"},
    ),
    "context": (
        "context 'Where does Sam work?' --budget-tokens 500 --format xml",
        {"query": "Where does Sam work?", "budget_tokens": "500", "format": "xml"},
    ),
    "why_not": (
        "why-not 'Where does Sam work?' {home} --limit 1 --kinds fact",
        {"query": "Where does Sam work?", "id": "{home}", "limit": "1", "kinds": ["fact"]},
    ),
    "history": ("history {fact}", {"id": "{fact}"}),
    "touch": ("touch {job} --boost", {"id": "{job}", "boost": True}),
    "observe": (
        "observe {job} {home} --context-tags chess --context-tags games",
        {"ids": ["{job}", "{home}"], "context_tags": ["chess", "games"]},
    ),
    "scores": ("scores {job} {home}", {"ids": ["{job}", "{home}"]}),
    "survey": ("survey --which all --limit 2 --offset 1", {"which": "all", "limit": "2", "offset": "1"}),
    "gc": ("gc --no-dry-run --limit 5", {"dry_run": False, "limit": "5"}),
    "promote": ("promote {job} --force --dry-run", {"id": "{job}", "force": True, "dry_run": True}),
    "expire": ("expire --limit 5", {"limit": "5"}),
    "health": ("health", {}),
    "forget": ("forget {job}", {"id": "{job}"}),
    "archive": ("archive {job} --why done", {"id": "{job}", "why": "done"}),
    "restore": ("restore {old} --why needed", {"id": "{old}", "why": "needed"}),
    "purge": ("purge {old} private", {"id": "{old}", "why": "private"}),
    "cluster": (
        "cluster --threshold 0.5 --max-size 3 --find-duplicates --duplicate-threshold 0.9",
        {"threshold": "0.5", "max_size": "3", "find_duplicates": True, "duplicate_threshold": "0.9"},
    ),
    "consolidate": (
        "consolidate --auto --mode link --cohesion-threshold 0.5",
        {"auto": True, "mode": "link", "cohesion_threshold": "0.5"},
    ),
    "relate_again": ("relate-again --limit 5 --dry-run", {"limit": "5", "dry_run": True}),
    "run_pipeline": ("upkeep run --dry-run --rate-limit 5", {"dry_run": True, "rate_limit": "5"}),
    "run_agent": ("upkeep agent decay --dry-run", {"agent": "decay", "dry_run": True}),
    "run_scheduled": ("upkeep scheduled --interval-seconds 60", {"interval_seconds": "60"}),
    "upkeep_status": ("upkeep status", {}),
    "when": ("when 'last May' --reference 2026-02-10", {"text": "last May", "reference": "2026-02-10"}),
    "moments": (
        "moments --clock known --after 2020-01-01 --before 2030-01-01 --limit 5",
        {"clock": "known", "after": "2020-01-01", "before": "2030-01-01", "limit": "5"},
    ),
    "beliefs": ("beliefs --node Sam --relation WORKS_FOR", {"node": "Sam", "relation": "WORKS_FOR"}),
    "overview": ("overview --relations WORKS_FOR --nodes 5", {"relations": ["WORKS_FOR"], "nodes": "5"}),
    "journal": ("journal --before 3 --limit 2", {"before": "3", "limit": "2"}),
    "source": ("source {source}", {"id": "{source}"}),
    "facets": (
        "facets --view all --words austin --states active --tiers mid --limit 3",
        {"view": "all", "words": "austin", "states": ["active"], "tiers": ["mid"], "limit": "3"},
    ),
    "review_list": ("review list --kind decay --urgency medium", {"kind": "decay", "urgency": "medium"}),
    "review_get": ("review show {question}", {"id": "{question}"}),
    "review_create": (
        'review create decay forget --memory-ids {home} --proposal \'{"op": "forget"}\' --reason old',
        {
            "kind": "decay",
            "action": "forget",
            "memory_ids": ["{home}"],
            "proposal": {"op": "forget"},
            "reason": "old",
        },
    ),
    "review_claim": ("review claim {question} --lease-seconds 60", {"id": "{question}", "lease_seconds": "60"}),
    "review_apply": ("review apply {question} --note fine", {"id": "{question}", "note": "fine"}),
    "review_dismiss": ("review dismiss {question}", {"id": "{question}"}),
    "review_close": ("review close {question} --note done", {"id": "{question}", "note": "done"}),
    "review_reopen": ("review reopen {question}", {"id": "{question}"}),
    "create_consolidation_issue": (
        "create-consolidation-issue merge {home} consolidate --urgency high",
        {"agent": "merge", "memory_ids": ["{home}"], "action": "consolidate", "urgency": "high"},
    ),
    "query_consolidation_issues": (
        "query-consolidation-issues --agent decay --status open",
        {"agent": "decay", "status": "open"},
    ),
    "claim_issue": ("claim-issue {question}", {"id": "{question}"}),
    "close_issue": ("close-issue {question} done", {"id": "{question}", "reason": "done"}),
    "profile": (
        "profile --entity Sam --budget-tokens 300 --limit 5",
        {"entity": "Sam", "budget_tokens": "300", "limit": "5"},
    ),
    "auto_recall": (
        "auto-recall 'Sam works at Google on search' --context-tags work --dry-run",
        {"text": "Sam works at Google on search", "context_tags": ["work"], "dry_run": True},
    ),
    "timings": ("timings --reset", {"reset": True}),
    "setting": ("setting decay", {"name": "decay"}),
    "notes_of": ("notes-of {job}", {"ids": ["{job}"]}),
    "entity_gather": ("entity-gather --entity Sam --dry-run", {"entity": "Sam", "dry_run": True}),
    "import_memories": (
        "import-memories --path {folder}/cortexgraph --system cortexgraph --dry-run",
        {"path": "{folder}/cortexgraph", "system": "cortexgraph", "dry_run": True},
    ),
    "analyze_message": (
        "analyze-message 'Remember: I prefer tea'",
        {"text": "Remember: I prefer tea"},
    ),
    "analyze_for_recall": (
        "analyze-for-recall 'What did I say about tea?'",
        {"text": "What did I say about tea?"},
    ),
    "search_unified": (
        "search-unified --query 'Where does Sam work?' --tags plan --limit 3 --ltm-weight 0.9 --verbose "
        "--vault {folder}/vault",
        {
            "query": "Where does Sam work?",
            "tags": ["plan"],
            "limit": "3",
            "ltm_weight": "0.9",
            "verbose": True,
            "vault": "{folder}/vault",
        },
    ),
    "index_vault": ("index-vault --vault {folder}/vault", {"vault": "{folder}/vault"}),
    "import_vault": (
        "import-vault --vault {folder}/vault --space notes --dry-run",
        {"vault": "{folder}/vault", "space": "notes", "dry_run": True},
    ),
    "enqueue": (
        "enqueue 'Sam moved to Oslo' --session s1 --key k1 --extractor none",
        {"content": "Sam moved to Oslo", "session": "s1", "key": "k1", "extractor": "none"},
    ),
    "job": ("job {asked}", {"id": "{asked}"}),
    "jobs": ("jobs --status pending --limit 2", {"status": "pending", "limit": "2"}),
    "cancel_job": ("cancel-job {asked}", {"id": "{asked}"}),
    "retry_job": ("retry-job {failed}", {"id": "{failed}"}),
    "run_jobs": ("run-jobs --limit 1", {"limit": "1"}),
    "link": (
        "link {home} {job} --relation supports --strength 0.5",
        {"source": "{home}", "target": "{job}", "relation": "supports", "strength": "0.5"},
    ),
    "unlink": ("unlink {home} {job}", {"source": "{home}", "target": "{job}"}),
    "invalidate": (
        "invalidate Sam Google WORKS_FOR --at 2025-01-01",
        {"source": "Sam", "target": "Google", "relation": "WORKS_FOR", "at": "2025-01-01"},
    ),
    "reopen": ("reopen Sam Google WORKS_FOR", {"source": "Sam", "target": "Google", "relation": "WORKS_FOR"}),
    "assert_fact": (
        "assert-fact Sam 'works for' Anthropic --supersede",
        {"subject": "Sam", "relation": "works for", "object": "Anthropic", "supersede": True},
    ),
    "assert_facts": (
        "assert-facts {folder}/facts.jsonl",
        {"facts": [["Sam", "KNOWS", "Kim"], {"subject": "Kim", "relation": "KNOWS", "object": "Sam"}]},
    ),
    "entities": ("entities --limit 5", {"limit": "5"}),
    "facts": ("facts --subject Sam --include-closed", {"subject": "Sam", "include_closed": True}),
    "attest": ("attest {fact} --actor signer", {"id": "{fact}"}),
    "graph": (
        "graph Sam --depth 2 --relations WORKS_FOR --direction both --include-closed",
        {"start": "Sam", "depth": "2", "relations": ["WORKS_FOR"], "direction": "both", "include_closed": True},
    ),
    "paths": ("paths Google Austin --max-depth 3", {"a": "Google", "b": "Austin", "max_depth": "3"}),
    "entity_register": (
        "entity-register Kim --aliases Kimmy --kind person",
        {"name": "Kim", "aliases": ["Kimmy"], "kind": "person"},
    ),
    "entity_get": ("entity-get Sam", {"alias": "Sam"}),
    "entity_merge": ("entity-merge Austin Google", {"entity": "Austin", "into": "Google"}),
    "entity_split": ("entity-split {sammy}", {"entity_id": "{sammy}"}),
    "timeline": (
        "timeline Sam --since 2020-01-01 --until 2030-01-01 --relations WORKS_FOR --relations lives_in",
        {"node": "Sam", "since": "2020-01-01", "until": "2030-01-01", "relations": ["WORKS_FOR", "lives_in"]},
    ),
    "entity": ("entity Sam --as-of 2026-01-01 --limit 5", {"id": "Sam", "as_of": "2026-01-01", "limit": "5"}),
    "diff": ("diff 2020-01-01 --to 2027-01-01", {"from": "2020-01-01", "to": "2027-01-01"}),
    "contradictions": ("contradictions --topic rome --space doubts", {"topic": "rome", "space": "doubts"}),
    "compare": ("compare {home} {job}", {"a": "{home}", "b": "{job}"}),
    "lineage": ("lineage {home} --depth 3", {"memory": "{home}", "depth": "3"}),
    "stale": ("stale --limit 3 --space doubts", {"limit": "3", "space": "doubts"}),
    "taxonomy": ("taxonomy --depth 2 --limit 10", {"depth": "2", "limit": "10"}),
    "spaces": ("spaces --prefix default", {"prefix": "default"}),
    "status": ("status", {}),
    "signers": ("signers --children", {"children": True}),
    "settings": (
        'settings --changes \'{"functional_relations": ["LIVES_IN"]}\'',
        {"changes": {"functional_relations": ["LIVES_IN"]}},
    ),
    "relations": ("relations --own-only --space doubts", {"own_only": True, "space": "doubts"}),
    "relation_set": (
        "relation-set mentored_by --gloss 'who mentors somebody' --cardinality one --asked mentor --family school "
        "--sentence '{s} is mentored by {v}'",
        {
            "name": "mentored_by",
            "gloss": "who mentors somebody",
            "cardinality": "one",
            "asked": ["mentor"],
            "family": "school",
            "sentence": "{s} is mentored by {v}",
        },
    ),
    "relation_remove": ("relation-remove coached_by --space doubts", {"name": "coached_by", "space": "doubts"}),
    "verify": ("verify", {}),
    "doctor": ("doctor --repair", {"repair": True}),
    "reembed": ("reembed --limit 5", {"limit": "5"}),
    "describe": (
        "describe --description 'What Sam told' --metadata '{\"team\": \"red\"}'",
        {"description": "What Sam told", "metadata": {"team": "red"}},
    ),
    "about": ("about", {}),
    "events": ("events --after 2 --limit 3", {"after": "2", "limit": "3"}),
    "key_create": (
        "key-create agent:planner 'acme/*' --role write",
        {"name": "agent:planner", "spaces": ["acme/*"], "role": "write"},
    ),
    "key_list": ("key-list", {}),
    "key_revoke": ("key-revoke {key}", {"id": "{key}"}),
    "key_rotate": ("key-rotate {key} --overlap-seconds 60", {"id": "{key}", "overlap_seconds": "60"}),
    "grant_add": (
        "grant-add research acme/research --role write",
        {"group": "research", "on": "acme/research", "role": "write"},
    ),
    "grant_list": ("grant-list", {}),
    "grant_remove": ("grant-remove staff acme", {"group": "staff", "on": "acme"}),
    "audit_search": ("audit search --kinds read --limit 3", {"kinds": ["read"], "limit": "3"}),
    "audit_export": ("audit export {folder}/audit.jsonl", {"path": "{folder}/audit.jsonl"}),
    "audit_verify": ("audit verify", {}),
    "webhook_add": (
        "webhook-add https://example.org/hook --spaces acme --events memory_added",
        {"address": "https://example.org/hook", "spaces": ["acme"], "events": ["memory_added"]},
    ),
    "webhook_list": ("webhook-list", {}),
    "webhook_remove": ("webhook-remove {hook}", {"id": "{hook}"}),
    "webhook_letters": ("webhook-letters --webhook {hook}", {"webhook": "{hook}"}),
    "webhook_resend": ("webhook-resend --webhook {hook}", {"webhook": "{hook}"}),
    "export": ("export {folder}/out.jsonl", {"path": "{folder}/out.jsonl"}),
    "import_journal": (
        "import-journal {folder}/other.jsonl --space taken/in",
        {"path": "{folder}/other.jsonl", "space": "taken/in"},
    ),
    "sync": ("sync {folder}", {"place": "{folder}"}),
    "receive_journal": (
        "receive-journal {folder}/other.jsonl --space taken/in",
        {"path": "{folder}/other.jsonl", "space": "taken/in"},
    ),
    "backup": ("backup {folder}/copy.db", {"path": "{folder}/copy.db"}),
    "backup_run": ("backups run --force", {"force": True}),
    "backup_list": ("backups list", {}),
    "backup_rehearse": ("backups rehearse --questions 3", {"questions": "3"}),
    "hold": ("hold 'case 7' {home}", {"why": "case 7", "id": "{home}"}),
    "release": ("release 'case 7 is closed' {home}", {"why": "case 7 is closed", "id": "{home}"}),
    "holds": ("holds", {}),
    "retain": ("retain --dry-run", {"dry_run": True}),
}


def filled(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, str):
        for name, meant in names.items():
            value = value.replace("{" + name + "}", meant)
        return value
    if isinstance(value, list):
        return [filled(one, names) for one in value]
    return {key: filled(one, names) for key, one in value.items()} if isinstance(value, dict) else value


def words_of(line: str, names: dict[str, str]) -> list[str]:
    return [filled(word, names) for word in shlex.split(line)]


def watch(monkeypatch: pytest.MonkeyPatch, operation: str) -> list[tuple[dict[str, Any], Any]]:
    """What the door is asked, and what it answers."""
    seen: list[tuple[dict[str, Any], Any]] = []
    real: Callable[..., Any] = getattr(Treering, operation)

    def watched(self: Treering, **arguments: Any) -> Any:
        answer = real(self, **arguments)
        seen.append((arguments, answer))
        return answer

    monkeypatch.setattr(Treering, operation, watched)
    return seen
