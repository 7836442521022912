"""`treering migrate` and `treering db`: moving a store to another place, and the upkeep of a database."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import click

from treering.errors import InvalidRequest, Unsupported
from treering.faces.cli.commands import show
from treering.faces.cli.progress import watching
from treering.faces.cli.wishes import TreeringCommand, Wishes, first_options, take_wishes, wish_options
from treering.store import open_store
from treering.store.contract import Store


def migrate_command() -> TreeringCommand:
    return TreeringCommand(
        "migrate",
        params=[
            click.Option(["--from", "origin"], metavar="STORE", required=True, help="The store to move."),
            click.Option(["--to", "target"], metavar="STORE", required=True, help="Where to; made if it is not there."),
        ],
        help="Moves a store to another place, such as a file to postgresql://user@host/database, or back: its journals "
        "are replayed there, vectors, waiting jobs and the review queue go along, and at the end every row is "
        "compared. The origin is left as it is. Done again it brings over what was written meanwhile. Keys of a server "
        "are not moved.",
        short_help="Move a store to another place, verified.",
        callback=_migrate,
    )


@click.pass_context
def _migrate(ctx: click.Context, /, origin: str, target: str, **given: Any) -> int:
    from treering.store.moving import move

    wishes = take_wishes(ctx, given)
    if origin == target:
        raise InvalidRequest(f"--to: {target} is the origin itself; give another place")
    _must_be_there(origin)
    with closing(open_store(origin)) as here, closing(open_store(target)) as there:
        with watching(wishes.json, wishes.no_color, "migrate") as watch:
            moved = move(here, there, watch)
        return show(moved, wishes)


def _must_be_there(origin: str) -> None:
    """A file that is not there would be made, and an empty store moved without a word."""
    from pathlib import Path

    if "://" not in origin and not Path(origin).expanduser().is_file():
        raise InvalidRequest(f"--from: there is no store {origin}; give the path of its file, or postgresql://…")


def db_group() -> click.Group:
    group = click.Group(
        "db",
        help="The database itself: make it ready, bring it up to this version, see how it stands, spread it over a "
        "cluster. The store is --url, else TREERING_URL.",
        params=wish_options(),
        no_args_is_help=False,
        invoke_without_command=True,
        callback=first_options,
    )
    for name, does, told in (
        ("init", _init, "Make the tables of a new store; one that is there is left as it is."),
        (
            "migrate",
            _bring_up,
            "Bring the tables of an older Treering up to this one's. Forward only, whole or not at all.",
        ),
        ("status", _status, "How the database stands: engine, version of its tables, walls, what answers what."),
        ("distribute", _distribute, "Spread the tables over a Citus cluster, by space."),
    ):
        group.add_command(TreeringCommand(name, help=told, short_help=told, callback=_on_the_store(does)))
    return group


def _on_the_store(does: Callable[[str], Any]) -> Callable[..., int]:
    @click.pass_context
    def call(ctx: click.Context, /, **given: Any) -> int:
        wishes = take_wishes(ctx, given)
        return show(does(_url(wishes)), wishes)

    return call


def _url(wishes: Wishes) -> str:
    from treering import settings

    return wishes.url or settings.read().url


def _opened(url: str, bring_up: bool = False) -> Store:
    """As the environment says that it is to be used."""
    from treering import settings

    wanted = settings.read()
    return open_store(
        url, bring_up=bring_up, connections=wanted.connections, vectors=wanted.vectors, graph=wanted.graph
    )


def _init(url: str) -> dict[str, Any]:
    with closing(_opened(url)) as store:
        return store.describe()


def _bring_up(url: str) -> dict[str, Any]:
    with closing(_opened(url, bring_up=True)) as store:
        return store.describe()


def _status(url: str) -> dict[str, Any]:
    with closing(_opened(url)) as store:
        return {**store.describe(), "spaces": len(store.spaces()), "faults": store.faults()}


def _distribute(url: str) -> dict[str, Any]:
    with closing(open_store(url)) as store:
        return {"distributed": _spread(store, url)}


def _spread(store: Store, url: str) -> list[str]:
    spread: Callable[[], list[str]] | None = getattr(store, "distribute", None)
    if spread is None:
        raise Unsupported(f"{url}: only a PostgreSQL database can be spread over a cluster; move it there first")
    return spread()
