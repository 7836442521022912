"""Which version is this database, and how does it become today's? Its tables are those of every SQL store, made by the
same scripts. Around each stands a wall of row-level security: even a statement that forgot its space sees no other.

A new database is made ready by who opens it first; an older one is brought up only when asked (`treering db migrate`),
since other servers of another version may be at work on it.
"""

from __future__ import annotations

import re

from treering.errors import InvalidRequest, Unavailable, Unsupported
from treering.store.postgres import dialect
from treering.store.postgres.connection import PostgresConnection
from treering.store.sqlite import schema as shared

_LOCK = 0x54524E47  # "TRNG": one process at a time makes or changes tables
_VERSION = "treering_schema"

# Which rows a transaction may see and write: those of the spaces it named when it began. A setting that was never made
# is null, and one whose transaction has ended is empty: both are no space.
_SPACES = "(SELECT NULLIF(current_setting('treering.spaces', true), '')::BIGINT[])::BIGINT[]"
_ALL = "(SELECT current_setting('treering.every', true) = 'on')"
_BELOW = "starts_with(name, (SELECT NULLIF(current_setting('treering.below', true), '')))"
_NAMES = "(SELECT NULLIF(current_setting('treering.names', true), '')::TEXT[])::TEXT[]"
_RULES = {
    "by_number": f"{_ALL} OR space_id = ANY ({_SPACES})",
    "by_name": f"{_ALL} OR space = ANY ({_NAMES})",
    "of_no_space": _ALL,
    "space": f"{_ALL} OR id = ANY ({_SPACES}) OR {_BELOW}",
}


def newest() -> int:
    return len(shared.migrations())


def table_names() -> list[str]:
    made = (re.match(r"CREATE TABLE (\w+)", one) for one in dialect.tables(shared.schema()))
    return [found[1] for found in made if found]


def version_of(connection: PostgresConnection) -> int:
    """0 if there is nothing yet."""
    if connection.rows("SELECT to_regclass(?) IS NULL", (_VERSION,))[0][0]:
        return 0
    rows = connection.rows(f"SELECT version FROM {_VERSION}")
    return int(rows[0][0]) if rows else 0


def check(connection: PostgresConnection, where: object) -> int:
    """The version. Refuses a database that is not ours or not for this Treering; changes nothing."""
    version = version_of(connection)
    if version > newest():
        raise Unsupported(
            f"{where}: was written by a newer Treering (schema {version}, this one knows {newest()}); "
            "upgrade Treering to open it"
        )
    if version == 0 and any(connection.rows("SELECT to_regclass('space'), to_regclass('memory')")[0]):
        raise InvalidRequest(f"{where}: has tables of something else; give a database or a schema of Treering's own")
    return version


def must_be_today(version: int, where: object) -> None:
    if version < newest():
        raise Unavailable(
            f"{where}: was written by an older Treering (schema {version}, today's is {newest()}); run `treering db "
            "migrate` once its other servers are stopped or upgraded"
        )


def bring_up(connection: PostgresConnection, where: object) -> int:
    """Makes the database today's, in the caller's transaction; answers the version it was. Several processes may try at
    once: one does it."""
    one_at_a_time(connection)
    was = check(connection, where)
    if was == newest():
        return was
    scripts = [shared.schema()] if was == 0 else shared.migrations()[was:]
    if was == 0:
        connection.run(f"CREATE TABLE {_VERSION} (version BIGINT NOT NULL)")
        connection.run(f"INSERT INTO {_VERSION} (version) VALUES (0)")
    for script in scripts:
        for statement in dialect.tables(script):
            connection.run(statement)
    _wall_in(connection)
    connection.run(f"UPDATE {_VERSION} SET version = ?", (newest(),))
    return was


def one_at_a_time(connection: PostgresConnection) -> None:
    """Who makes or changes tables waits for who is at it, until the end of the transaction."""
    connection.rows("SELECT pg_advisory_xact_lock(?)", (_LOCK,))


def wall(table: str) -> str:
    """Around a table of an extension, which belongs to spaces by their number."""
    return (
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY; ALTER TABLE {table} FORCE ROW LEVEL SECURITY; "
        f"DROP POLICY IF EXISTS own_spaces ON {table}; "
        f"CREATE POLICY own_spaces ON {table} USING ({_RULES['by_number']})"
    )


def _wall_in(connection: PostgresConnection) -> None:
    """A policy around every table that has none. It holds for the owner too; only superusers pass."""
    sql = """SELECT c.relname, ARRAY (SELECT a.attname::TEXT FROM pg_attribute a WHERE a.attrelid = c.oid)
        FROM pg_class c WHERE c.oid = to_regclass(?) AND NOT c.relrowsecurity"""
    for table, columns in (row for name in table_names() for row in connection.rows(sql, (name,))):
        rule = _RULES[_rule(table, columns)]
        connection.run(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        connection.run(f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY")
        connection.run(f"CREATE POLICY own_spaces ON {table} USING ({rule})")


def _rule(table: str, columns: list[str]) -> str:
    if table == "space":
        return "space"
    return "by_number" if "space_id" in columns else "by_name" if "space" in columns else "of_no_space"


def is_walled(connection: PostgresConnection) -> bool:
    """Whether the walls hold for who is connected."""
    sql = "SELECT NOT (rolsuper OR rolbypassrls) FROM pg_roles WHERE rolname = current_user"
    return bool(connection.rows(sql)[0][0])
