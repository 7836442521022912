"""Who keeps a space while nobody looks? `treering upkeep watch`: it lets the agents run whenever it is time."""

from __future__ import annotations

import time
from typing import Any

import click

from treering.door import OPERATIONS
from treering.door import open as open_door
from treering.errors import Unavailable
from treering.faces.cli.commands import show
from treering.faces.cli.progress import watching
from treering.faces.cli.wishes import TreeringCommand, Wishes, take_wishes
from treering.faces.cli.words import read_words

LONGEST_SLEEP_SECONDS = 60.0
"""How long it may take until a run that another has left behind is taken up."""


def watch_command() -> TreeringCommand:
    return TreeringCommand(
        "watch",
        params=[
            click.Option(["--space"], metavar="TEXT", help="The space to keep."),
            click.Option(["--interval-seconds"], metavar="NUMBER", help="Seconds from one run to the next."),
            click.Option(["--rate-limit"], metavar="INTEGER", help="Most writes of an agent in a minute."),
            click.Option(["--times"], type=click.IntRange(1), help="Look so many times, and stop."),
        ],
        help="Keep a space: run the agents whenever it is time, until interrupted. Several may watch; one runs.",
        short_help="Keep a space until interrupted.",
        callback=_watch,
    )


@click.pass_context
def _watch(ctx: click.Context, /, **given: Any) -> int:
    wishes, times = take_wishes(ctx, given), given.pop("times")
    operation = OPERATIONS["run_scheduled"]
    arguments = read_words(operation, given)
    operation.check(arguments)
    looked = 0
    with open_door(wishes.url, actor=wishes.actor) as door:
        while True:
            pause = _look(door, arguments, wishes)
            looked += 1
            if looked == times:
                return 0
            time.sleep(pause)


def _look(door: Any, arguments: dict[str, Any], wishes: Wishes) -> float:
    """One look, shown if something ran; answers how long to sleep."""
    try:
        with watching(wishes.json, wishes.no_color, "run_scheduled") as watch:
            told = door.watched(watch).run_scheduled(**arguments)
    except Unavailable as error:
        click.echo(f"waiting: {error}", err=True)
        return LONGEST_SLEEP_SECONDS
    if told.ran:
        show(told, wishes)
    left = 0.0 if told.next_at is None else (told.next_at - door._now()).total_seconds()
    return min(LONGEST_SLEEP_SECONDS, max(1.0, left))
