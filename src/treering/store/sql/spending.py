"""How much has a space spent on a language model? One row a day, added to as it is spent."""

from __future__ import annotations

from treering.store.sql.tables import Connection, SqlRow


def spent(connection: Connection, space: str, day: str | None) -> tuple[int, int]:
    sql = "SELECT COALESCE(SUM(read), 0), COALESCE(SUM(written), 0) FROM spending WHERE space = ?"
    rows = connection.rows(sql, (space,)) if day is None else connection.rows(sql + " AND day = ?", (space, day))
    return int(rows[0][0]), int(rows[0][1])


def rows(connection: Connection) -> list[SqlRow]:
    return connection.rows("SELECT space, day, read, written FROM spending ORDER BY space, day")


def take_in(connection: Connection, spent: list[SqlRow]) -> None:
    """What another store has spent, on days of which nothing is known here."""
    sql = "INSERT INTO spending (space, day, read, written) VALUES (?, ?, ?, ?) ON CONFLICT (space, day) DO NOTHING"
    for row in spent:
        connection.run(sql, row)


def spend(connection: Connection, space: str, day: str, read: int, written: int) -> None:
    connection.run(
        """INSERT INTO spending (space, day, read, written) VALUES (?, ?, ?, ?)
        ON CONFLICT (space, day) DO UPDATE SET read = spending.read + excluded.read,
            written = spending.written + excluded.written""",
        (space, day, read, written),
    )
