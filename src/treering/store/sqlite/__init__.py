"""The embedded store: one SQLite file, many readers, one writer at a time, any number of processes."""

from treering.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
