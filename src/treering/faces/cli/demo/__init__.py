"""`treering demo`: the product's story in a minute, every step really run on a throw-away store.

The story is in `story`, its questions in `questions`, how a step is shown in `stage`, and what is done to bare bytes in
`proof`.
"""

from __future__ import annotations

import sys
from typing import Any

import click

from treering.faces.cli.exits import DONE
from treering.faces.cli.ui import open_option, port_option, show_page
from treering.faces.cli.wishes import TreeringCommand, take_wishes

PAUSE_SECONDS = 0.15


def demo_command() -> TreeringCommand:
    return TreeringCommand(
        "demo",
        params=[
            click.Option(["--fast"], is_flag=True, help="Without pauses; so in a pipe."),
            click.Option(["--ui"], is_flag=True, help="Open the page on the life that was told, until Ctrl-C."),
            port_option(),
            open_option(),
        ],
        help="The product's story in a minute: two years of a life, remembered, asked about, corrected, forgotten, "
        "purged and verified. Everything shown is really run, on a store that is thrown away afterwards.",
        short_help="The product's story, on a throw-away store.",
        callback=_demo,
    )


@click.pass_context
def _demo(ctx: click.Context, /, fast: bool, ui: bool, port: int | None, open: bool, **given: Any) -> int:  # noqa: A002
    from treering.faces.cli.demo.stage import DemoStage
    from treering.faces.cli.demo.story import tell
    from treering.faces.cli.terminal import terminal

    wishes = take_wishes(ctx, given)
    quick = fast or not sys.stdout.isatty()
    stage = DemoStage(terminal(wishes.no_color), 0 if quick else PAUSE_SECONDS)
    if ui:
        tell(stage, lambda life: show_page(life, "sam", port, open, "graph", actor="agent:companion"))
    else:
        tell(stage)
    return DONE
