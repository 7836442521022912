"""Is the database sound, and are removed bytes gone? What the server itself can be asked about its tables and files."""

from __future__ import annotations

from psycopg.errors import Diagnostic

from treering.store.postgres import schema
from treering.store.postgres.connection import PostgresConnection

REWRITTEN_BYTES = 64 << 20
"""Tables up to this size together are rewritten after a purge, in well under a second."""
_KEPT = ("space", "spending", "drawer", "audit")
"""From these a purge removes nothing."""


def faults(connection: PostgresConnection) -> list[str]:
    sql = "SELECT COALESCE(checksum_failures, 0) FROM pg_stat_database WHERE datname = current_database()"
    failures = connection.rows(sql)[0][0]
    sql = "SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid AND indrelid = to_regclass(?)"
    invalid = [row[0] for table in _tables(connection) for row in connection.rows(sql, (table,))]
    told = [f"{failures} pages did not pass their checksum"] if failures else []
    return told + [f"index {name} is invalid; REINDEX it" for name in invalid]


def _tables(connection: PostgresConnection) -> list[str]:
    """Those of every store, and those of extensions that are in use."""
    sql = """SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind = 'r' AND (c.oid = to_regclass('meaning') OR n.nspname ~ '^treering_[0-9a-f]{1,16}$')"""
    return [*schema.table_names(), *(row[0] for row in connection.rows(sql))]


def scrub(connection: PostgresConnection) -> bool:
    """Rewrites the tables that a purge removes from. Were they so large that everybody had to wait for it, dead rows
    are only given up for reuse, and to rewrite them is for who runs the server, at a quiet hour. Not within a
    transaction; False if bytes may be left."""
    tables = [name for name in _tables(connection) if name not in _KEPT]
    sql = "SELECT pg_total_relation_size(to_regclass(?))"
    small = sum(connection.rows(sql, (name,))[0][0] for name in tables) <= REWRITTEN_BYTES
    passed_over: list[str] = []

    def hear(notice: Diagnostic) -> None:
        if notice.severity_nonlocalized == "WARNING":
            passed_over.append(notice.message_primary or "")

    connection.raw.add_notice_handler(hear)
    try:
        for name in tables:
            connection.run(f"VACUUM ({'FULL, ' if small else ''}SKIP_LOCKED) {name}")
    finally:
        connection.raw.remove_notice_handler(hear)
    return small and not passed_over


def size(connection: PostgresConnection) -> tuple[str, int]:
    """The server's version, and the bytes of the database."""
    sql = "SELECT current_setting('server_version'), pg_database_size(current_database())"
    version, size_bytes = connection.rows(sql)[0]
    return version.split()[0], size_bytes
