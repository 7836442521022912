"""Which version is this file, and how does it become today's? Migrations go forward only and never lose a row.

The version is SQLite's `user_version`; `application_id` tells a Treering file from any other.
"""

from __future__ import annotations

import sqlite3
from functools import cache
from importlib.resources import files

from treering.errors import InvalidRequest, Unavailable, Unsupported

APPLICATION_ID = 0x54524E47  # "TRNG"


@cache
def migrations() -> tuple[str, ...]:
    """Read once a process, as the schema is: every store that is opened asks how many there are."""
    folder = files("treering.store.sqlite") / "migrations"
    return tuple(
        entry.read_text("utf-8")
        for entry in sorted(folder.iterdir(), key=lambda one: one.name)
        if entry.name.endswith(".sql")
    )


@cache
def schema() -> str:
    return (files("treering.store.sqlite") / "schema.sql").read_text("utf-8")


def version_of(raw: sqlite3.Connection) -> int:
    return int(raw.execute("PRAGMA user_version").fetchone()[0])


def is_new(raw: sqlite3.Connection) -> bool:
    return bool(raw.execute("SELECT COUNT(*) = 0 FROM sqlite_master").fetchone()[0])


def check(raw: sqlite3.Connection, where: object) -> None:
    """Refuses a file that is not ours or not for this version. Changes nothing."""
    if is_new(raw):
        return
    if raw.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise InvalidRequest(f"{where}: is an SQLite file of something else, not a Treering store; give another path")
    newest = len(migrations())
    if version_of(raw) > newest:
        raise Unsupported(
            f"{where}: was written by a newer Treering (schema {version_of(raw)}, this one knows {newest}); "
            "upgrade Treering to open it"
        )


def check_today(raw: sqlite3.Connection, where: object) -> None:
    """Refuses a file that would have to be brought up and cannot be written to."""
    if not is_new(raw) and version_of(raw) < len(migrations()):
        raise Unavailable(
            f"{where}: was written by an older Treering (schema {version_of(raw)}, today's is {len(migrations())}) and "
            "cannot be written to; open it once where it can be, or open a writable copy"
        )


def bring_up(raw: sqlite3.Connection) -> None:
    """Makes the file today's, in one transaction. Several processes may try at once: one does it."""
    steps = migrations()
    if not is_new(raw) and version_of(raw) == len(steps):
        return
    raw.execute("BEGIN IMMEDIATE")
    try:
        done = 0 if is_new(raw) else version_of(raw)
        if done == 0:
            _execute(raw, schema())
        else:
            for step in steps[done:]:
                _execute(raw, step)
        raw.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        raw.execute(f"PRAGMA user_version = {len(steps)}")
        raw.execute("COMMIT")
    except BaseException:
        raw.rollback()
        raise


def _execute(raw: sqlite3.Connection, script: str) -> None:
    """One statement at a time: `executescript` would end the transaction."""
    for statement in _statements(script):
        raw.execute(statement)


@cache
def _statements(script: str) -> tuple[str, ...]:
    found, statement = [], ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            found.append(statement)
            statement = ""
    return tuple(found)
