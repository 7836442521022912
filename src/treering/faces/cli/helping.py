"""`treering helper`: keeps a process that has the store open and the models loaded, so that commands of a shell are
done at once. It is the helper of the hooks: it ends when nobody has asked for a while, and the next command starts it
again."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import click

from treering.errors import InvalidRequest, Unavailable
from treering.faces.cli.exits import DONE
from treering.faces.cli.wishes import TreeringCommand, TreeringGroup, Wishes, first_options, take_wishes

STARTING_SECONDS = 60.0


def helper_group() -> TreeringGroup:
    return TreeringGroup(
        "helper",
        help="Keep a process ready that has the store open and the models loaded, so that commands of this shell such "
        "as recall and remember are done at once. It listens at a socket that only you may use, serves one store with "
        "one set of TREERING_ variables, and ends when nobody has asked for TREERING_HOOK_IDLE_SECONDS; the next "
        "command starts it again. Commands that name files, read standard input or take long are not handed to it.",
        short_help="Keep a process ready that does commands of this shell at once.",
        callback=first_options,
        invoke_without_command=True,
        commands={one.name or "": one for one in (_start_command(), _stop_command(), _status_command())},
    )


def _start_command() -> TreeringCommand:
    return TreeringCommand(
        "start",
        help="Hand this store's commands to a helper from now on, and start it. --url names the store.",
        short_help="Hand this store's commands to a helper.",
        callback=_start,
    )


def _stop_command() -> TreeringCommand:
    return TreeringCommand(
        "stop",
        help="Hand nothing over any more, and end the helper. Hooks that are installed start it again when they need "
        "it.",
        short_help="Hand nothing over any more.",
        callback=_stop,
    )


def _status_command() -> TreeringCommand:
    return TreeringCommand(
        "status",
        help="Whether this store's commands are handed over, and whether the helper is running.",
        short_help="Whether commands are handed over.",
        callback=_status,
    )


@click.pass_context
def _start(ctx: click.Context, /, **given: Any) -> int:
    from treering.faces.hooks.place import own_folder
    from treering.faces.hooks.quick import start as start_helper

    wishes = take_wishes(ctx, given)
    url, place, store = _where(wishes)
    own_folder(place.folder)
    place.shell.write_text(store, "utf-8")
    until = time.monotonic() + STARTING_SECONDS
    if not running(place):
        start_helper(place, url)
    while not running(place):
        if time.monotonic() > until:
            raise Unavailable(f"the helper has not started in {STARTING_SECONDS:.0f} s; `treering recall x` says why")
        time.sleep(0.1)
    return _tell(wishes, place, store)


@click.pass_context
def _stop(ctx: click.Context, /, **given: Any) -> int:
    from treering.faces.hooks.quick import asked
    from treering.version import VERSION

    wishes = take_wishes(ctx, given)
    _, place, store = _where(wishes)
    place.shell.unlink(missing_ok=True)
    asked(place, {"version": VERSION, "leave": True}, time.monotonic() + 1)
    until = time.monotonic() + STARTING_SECONDS
    while running(place) and time.monotonic() < until:
        time.sleep(0.1)
    return _tell(wishes, place, store)


@click.pass_context
def _status(ctx: click.Context, /, **given: Any) -> int:
    wishes = take_wishes(ctx, given)
    _, place, store = _where(wishes)
    return _tell(wishes, place, store)


def running(place: Any) -> bool:
    from treering.faces.hooks.quick import connected

    try:
        connected(place, time.monotonic() + 1).close()
    except (OSError, ValueError):
        return False
    return True


def _where(wishes: Wishes) -> tuple[str | None, Any, str]:
    """What is handed on as --url, where it is met, and the store."""
    from treering import settings
    from treering.faces.hooks.place import HookFolder
    from treering.faces.hooks.shell import whole_path

    if wishes.actor is not None:
        raise InvalidRequest(
            "actor: a helper is one actor's; set TREERING_ACTOR, and it serves commands that have it too"
        )
    named = settings.read().url if wishes.url is None else wishes.url
    if named in (":memory:", "reference:"):
        raise InvalidRequest(f"url: {named} is in one process only; name a file or a database")
    if wishes.url is None and os.environ.get("TREERING_URL") and "://" not in named and not Path(named).is_absolute():
        raise InvalidRequest(f"TREERING_URL: {named} is another file in another folder; give its whole path")
    url = wishes.url if wishes.url is None or "://" in wishes.url else whole_path(wishes.url)
    return url, HookFolder.of(os.environ, url), url or named


def _tell(wishes: Wishes, place: Any, store: str) -> int:
    from treering.faces.cli.blocks import Pairs, cell
    from treering.faces.cli.paper import paper

    told = {"store": store, "handed_over": place.shell.exists(), "running": running(place)}
    if wishes.json:
        paper(wishes.no_color).json(told)
    else:
        words = {True: "yes", False: "no"}
        pairs = [
            ("store", cell(store)),
            ("commands handed over", cell(words[bool(told["handed_over"])])),
            ("running", cell(words[bool(told["running"])])),
        ]
        paper(wishes.no_color).draw([Pairs(tuple(pairs))])
    return DONE
