"""Which operations may a program rely on from one version to the next? The stable core: what docs/guides/stability.md
promises, `docs/reference/python.md` marks and `tests/faces/test_stable.py` holds."""

from __future__ import annotations

STABLE = frozenset(
    {
        *("remember", "resume", "undo", "add", "add_many", "add_file", "revise"),
        *("get", "list", "recall", "context", "why_not", "history"),
        *("assert_fact", "assert_facts", "facts", "link", "unlink", "invalidate", "reopen", "graph", "paths"),
        *("entity_register", "entity_get", "entity", "entities", "timeline", "diff", "contradictions", "lineage"),
        *("touch", "forget", "archive", "restore", "purge"),
        *("spaces", "status", "settings", "setting", "verify", "export", "import_journal", "backup"),
    }
)
