"""docs/reference/limits.md: everything that has a bound, in one table, with the figures from the code itself.

A limit of the model that nobody has put into words here fails `make docs`, and the test of the generated pages.
"""

from __future__ import annotations

from collections.abc import Iterator

from tools.pages import _MADE
from treering.exchange import backups, sealing
from treering.exchange.webhooks.deliver import DeliveryPolicy
from treering.exchange.webhooks.kept import MOST_LETTERS
from treering.faces.rest import authenticator, deadlines, gauges, member
from treering.faces.rest.policy import ServerPolicy
from treering.model import limits as model

_SAID = {
    "SPACE_CHARS": "characters of a space's name",
    "SPACE_SEGMENTS": "parts of a space's name, apart by slashes",
    "KEY_CHARS": "characters of an idempotency key",
    "CONTENT_CHARS": "characters of one memory",
    "SOURCE_BYTES": "bytes of one source: what is said at once",
    "TELLING_CHARS": "characters of one call of `remember`",
    "TITLE_CHARS": "characters of a title",
    "CONTEXT_CHARS": "characters of a context or a space's description",
    "TAGS": "tags of a memory",
    "ORIGINS": "memories that one is said to be derived from as it is added",
    "TAG_CHARS": "characters of a tag",
    "DEPTH": "lists and objects inside one another, in `meta` and in any argument",
    "META_BYTES": "bytes of a memory's or edge's `meta`, as JSON",
    "NAME_CHARS": "characters of a name: of an entity, actor, speaker, session",
    "ALIASES": "names of one entity",
    "KIND_CHARS": "characters of an entity's kind",
    "RELATION_CHARS": "characters of a relation",
    "WHY_CHARS": "characters of a reason",
    "PRINCIPALS": "principals that may see a private memory",
    "STRENGTH": "the most strength a memory has",
    "USES": "uses of a memory that are counted",
    "USED_AT_ONCE": "memories that one call of `observe` names",
    "ENTITIES_OF_A_MEMORY": "entities that one memory names as it is added",
    "TRIPLES_OF_A_MEMORY": "facts that one memory states as it is added",
    "BATCH": "memories of one call that adds, collects or purges many",
    "FILE_BYTES": "bytes of a file to be remembered",
    "FILE_UNPACKED_BYTES": "bytes of it when it is unpacked",
    "FILE_MEMORIES": "memories that one file becomes",
    "NOTE_BYTES": "bytes of a note of a vault",
    "MESSAGES": "messages of one call of `remember`",
    "PAGE": "things on one page of a list",
    "QUERY_CHARS": "characters of a question",
    "HITS": "hits of one answer",
    "NEIGHBOURS": "turns before and after a hit",
    "PROFILE_MEMORIES": "memories that a profile cites",
    "WINDOW_DAYS": "days of a window of time",
    "STEPS": "steps of a lineage or a chain of revisions",
    "SEQ": "the highest number of a journal's entry",
    "WALK_DEPTH": "steps of a walk through the graph",
    "WALK_EDGES": "edges that one walk crosses",
    "SEEN_NODES": "entities of one overview",
    "SEEN_EDGES": "facts of one overview",
    "PATH_DEPTH": "steps of a path between two nodes",
    "PATHS": "paths of one answer",
    "JOBS_WAITING": "jobs that wait, in all spaces; then 503 with `Retry-After`",
    "JOBS_WAITING_IN_A_SPACE": "jobs that wait in one space; then the same",
    "JOBS_ENDED": "ended jobs of a space that are kept",
    "JOB_BYTES": "bytes of one job",
    "FULL_QUEUE_SECONDS": "seconds after which a full queue is to be tried again",
    "CLUSTER_SIZE": "memories of one cluster",
    "CLUSTERS_KEPT": "clusters of a space that are found again by id",
    "DUPLICATES": "pairs of duplicates that one call tells; the most alike",
    "REVIEWED": "memories that one question of the review queue is about",
    "REVIEWS_OPEN": "open questions of a space's review queue",
    "REVIEWS_ENDED": "decided questions of a space that are kept",
}


def unsaid() -> list[str]:
    """Limits of the model without words, and words without a limit."""
    there = {name for name, value in vars(model).items() if name.isupper() and isinstance(value, int | float)}
    return sorted(there ^ _SAID.keys())


def limits() -> str:
    if unsaid():
        raise SystemExit(f"limits.md: put into words in tools/limits_page.py: {', '.join(unsaid())}")
    lines = [
        "# Limits",
        _MADE,
        "",
        "Everything that grows has a bound. What is beyond one is refused with words: 400 or 413 over HTTP, "
        "`InvalidRequest` or `LimitExceeded` in Python; where something else happens, it is said.",
        "",
        "| what | at most | can be set by |",
        "|---|---|---|",
    ]
    lines += [f"| {said} | {most} | {how} |" for said, most, how in _rows()]
    return "\n".join(lines) + "\n"


def _rows() -> Iterator[tuple[str, str, str]]:
    yield from _of_a_server(ServerPolicy())
    yield from _of_spaces_and_keys()
    yield from _of_webhooks(DeliveryPolicy())
    yield from _of_backups()
    for name, said in _SAID.items():
        yield said, _figure(name, getattr(model, name)), ""


def _of_a_server(policy: ServerPolicy) -> Iterator[tuple[str, str, str]]:
    yield "bytes of a request's body; then 413", _bytes(policy.body_bytes), ""
    yield "seconds until the headers of a request are there", f"{policy.header_seconds:g}", ""
    yield (
        f"seconds until a body is there; longer if it comes at {deadlines.LEAST_BYTES_A_SECOND:,} bytes a second",
        f"{policy.body_seconds:g}",
        "",
    )
    yield "seconds between two requests of a connection", f"{policy.idle_seconds:g}", ""
    yield "seconds until a caller reads on who stopped reading an answer", f"{policy.unread_seconds:g}", ""
    yield "seconds of a TLS handshake", f"{member.HANDSHAKE_SECONDS:g}; 60 where one process serves", ""
    yield (
        "seconds that what is under way has to end when the server is told to stop",
        f"{policy.shutdown_seconds:g}",
        "",
    )
    yield "requests a minute of one caller; then 429 with `Retry-After`", "no bound", "`serve --requests-a-minute`"
    yield "operations at once, in all processes together; others wait", str(policy.threads), ""
    yield "processes that answer", "one a core, at most 4", "`serve --processes`"
    yield "seconds that a revoked key may still open", f"{2 * authenticator.REMEMBERED_SECONDS:g}", ""
    yield (
        "seconds that figures of the store in `/metrics` are old",
        f"{gauges.LEAST_SECONDS:g}, or 20 times their cost",
        "",
    )
    yield "operations at once that a process carries to PostgreSQL", "10", "`TREERING_CONNECTIONS`"


def _of_spaces_and_keys() -> Iterator[tuple[str, str, str]]:
    yield "memories of a space; then 507", "no bound", "setting `quota`, `TREERING_QUOTA_MEMORIES`"
    yield "bytes of words of a space; then 507", "no bound", "setting `quota`, `TREERING_QUOTA_BYTES`"
    yield "requests a minute of a key; then 429", "that of the server", "`keys create --requests-a-minute`"
    yield "requests a day (UTC) of a key; then 429", "no bound", "`keys create --requests-a-day`"
    yield "tokens a day that a language model reads and writes for a space", "no bound", "`TREERING_LLM_TOKENS`"
    yield "days that memories, and forgotten ones, are kept; then they are purged", "for ever", "setting `purging`"


def _of_webhooks(policy: DeliveryPolicy) -> Iterator[tuple[str, str, str]]:
    yield "tries of one delivery; then it is a dead letter", str(policy.tries), ""
    yield "seconds of one delivery in all", f"{policy.timeout_seconds:g}", ""
    yield "seconds between two tries", f"{policy.longest_pause_seconds:g}", ""
    yield "webhooks told at once, and of one receiver", f"{policy.at_once}, {policy.at_once_each}", ""
    yield "dead letters; then the oldest go", f"{MOST_LETTERS:,}", ""


def _of_backups() -> Iterator[tuple[str, str, str]]:
    policy = backups.BackupPolicy()
    yield "backups that are kept; then the oldest go", str(policy.keep), "`TREERING_BACKUP_KEEP`"
    yield "hours between two backups", f"{policy.hours:g}", "`TREERING_BACKUP_HOURS`"
    yield "least characters of a passphrase", str(sealing.LEAST_PASSPHRASE_CHARS), ""


def _figure(name: str, value: float) -> str:
    return _bytes(int(value)) if name.endswith("BYTES") else f"{value:,}"


def _bytes(value: int) -> str:
    return f"{value >> 20:,} MiB" if value >= 1 << 20 else f"{value >> 10:,} KiB"
