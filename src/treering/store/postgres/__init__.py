"""The store of many users and machines: one PostgreSQL database, any number of processes in front of it."""

from treering.store.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
