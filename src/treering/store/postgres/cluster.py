"""How is a database spread over a Citus cluster? Everything that belongs to a space goes to one place, by its number.

What is no knowledge (jobs, what was spent, what upkeep found, the server's papers) is asked for across spaces too, and
stays with the coordinator.
"""

from __future__ import annotations

from treering.errors import Unsupported
from treering.store.postgres import schema
from treering.store.postgres.connection import PostgresConnection

_KEYS = """SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE contype = 'f' AND conrelid = to_regclass(?)"""


def distribute(connection: PostgresConnection, where: object) -> list[str]:
    """The tables that were spread, in the caller's transaction; none if all are already."""
    if connection.rows("SELECT to_regproc('create_distributed_table') IS NULL")[0][0]:
        raise Unsupported(
            f"{where}: has no Citus; install the extension and CREATE EXTENSION citus, or stay on one server"
        )
    done = {row[0] for row in connection.rows("SELECT logicalrelid::text FROM pg_dist_partition")}
    tables = [name for name in _of_a_space(connection) if name not in done]
    if not tables:
        return []
    keys = [row for name in tables for row in connection.rows(_KEYS, (name,))]
    for table, name, _ in keys:  # a key may only lead to what is spread already
        connection.run(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    if "space" in tables:  # the number follows from the name: the one is unique as the other is
        connection.run("ALTER TABLE space DROP CONSTRAINT IF EXISTS space_name_key")
        connection.run("CREATE INDEX IF NOT EXISTS space_by_name ON space (name)")
        connection.rows("SELECT create_distributed_table('space', 'id')")
    for table in tables:
        if table != "space":
            connection.rows("SELECT create_distributed_table(?, 'space_id', colocate_with => 'space')", (table,))
    for table, name, definition in keys:
        connection.run(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")
    return tables


def _of_a_space(connection: PostgresConnection) -> list[str]:
    sql = "SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass(?) AND attname = 'space_id'"
    return [name for name in schema.table_names() if name == "space" or connection.rows(sql, (name,))]
