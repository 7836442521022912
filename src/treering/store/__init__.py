"""WHERE DOES IT LIVE? One contract, several stores; `open_store` is the only place that chooses between them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from treering import extras
from treering.errors import InvalidRequest, Unsupported
from treering.store.contract import Store

VECTORS = ("auto", "pgvector", "local")
"""Who finds what is near in meaning."""
GRAPHS = ("auto", "sql", "age")
"""Who walks the graph."""


def open_store(
    url: str,
    durability: str = "full",
    bring_up: bool = False,
    replicas: Sequence[str] = (),
    connections: int = 10,
    vectors: str = "auto",
    graph: str = "auto",
) -> Store:
    """The store behind a URL: a path or `sqlite:///path`, `:memory:`, `postgresql://user@host/database`, or
    `reference:` for the executable meaning. `bring_up`: a database of an older Treering is made today's; a file always
    is. `replicas`: standbys of such a database to read from; `connections`: how many operations at once go to it;
    `vectors` and `graph`: what is to answer there."""
    if url == "reference:":
        from treering.store.reference import ReferenceStore

        return ReferenceStore()
    if durability not in ("full", "normal"):
        raise InvalidRequest(f"durability: {durability!r} is not one of full, normal")
    for name, given, known in (("vectors", vectors, VECTORS), ("graph", graph, GRAPHS)):
        if given not in known:
            raise InvalidRequest(f"{name}: {given!r} is not one of {', '.join(known)}")
    if url.startswith(("postgresql://", "postgres://")):
        return _postgres(url, durability, bring_up, tuple(replicas), connections, vectors, graph)
    if "://" in url and not url.startswith("sqlite://"):
        scheme = url.split("://", 1)[0]
        raise Unsupported(f"url: {scheme}:// is no store of this version; give a file path, :memory: or postgresql://…")
    from treering.store.sqlite import SqliteStore

    path = _path(url)
    return SqliteStore(":memory:" if path == ":memory:" else Path(path).expanduser(), durability=durability)


def _postgres(
    url: str,
    durability: str,
    bring_up: bool,
    replicas: tuple[str, ...],
    connections: int,
    vectors: str,
    graph: str,
) -> Store:
    extras.need("postgres", "url: PostgreSQL")
    try:
        from treering.store.postgres import PostgresStore
    except ImportError as error:  # installed, but without the library underneath it
        raise Unsupported(extras.not_installed("postgres", "url: PostgreSQL", str(error))) from error
    return PostgresStore(
        url,
        durability,
        bring_up=bring_up,
        replicas=replicas,
        connections=connections,
        vectors=vectors,
        graph=graph,
    )


def begun(url: str) -> bool:
    """Whether there is a store behind a URL, or opening it would begin one. Nothing is made to find out."""
    if url in (":memory:", "reference:") or ("://" in url and not url.startswith("sqlite://")):
        return True
    return Path(_path(url)).expanduser().exists()


def _path(url: str) -> str:
    return url.removeprefix("sqlite://").removeprefix("/") if url.startswith("sqlite:///") else url
