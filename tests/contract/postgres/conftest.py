"""A store on a database of PostgreSQL of its own, and connections and databases with no store in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from tests.postgres import databases

from treering.store.postgres import PostgresStore


@pytest.fixture
def url(postgres_url: Callable[[], str]) -> str:
    return postgres_url()


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    made = PostgresStore(url, "normal")
    yield made
    made.close()


@pytest.fixture
def raw(url: str) -> Iterator[psycopg.Connection[Any]]:
    """As the store's own role, with no store in between."""
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def blank() -> Iterator[str]:
    """A database in which nobody has made anything."""
    name = databases().blank()
    yield databases().url_of(name)
    databases().drop(databases().url_of(name))
