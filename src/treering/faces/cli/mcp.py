"""`treering mcp`: serves agents, and writes their clients' settings.

Nothing is loaded here but the words of the command line: a client waits for its greeting.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from treering.faces.cli.exits import DONE
from treering.faces.cli.wishes import TreeringCommand, TreeringGroup, Wishes, take_wishes
from treering.settings import TOOL_SETS

if TYPE_CHECKING:
    from treering.door import Treering

DEFAULT_PORT = 8322


def mcp_command() -> TreeringGroup:
    return TreeringGroup(
        "mcp",
        params=[
            click.Option(["--tools"], type=click.Choice(TOOL_SETS), help="Which tools; else TREERING_TOOLS says."),
            click.Option(["--http"], is_flag=True, help="Over HTTP on this machine instead of standard input."),
            click.Option(["--port"], type=int, default=DEFAULT_PORT, show_default=True, help="With --http: the port."),
        ],
        help="Serve agents over the Model Context Protocol: on standard input and output, as clients start it, or with "
        "--http at http://127.0.0.1:PORT/mcp for this machine only. Logs go to standard error.",
        short_help="Serve agents over the Model Context Protocol.",
        callback=_serve,
        invoke_without_command=True,
        commands={"install": _install_command()},
    )


@click.pass_context
def _serve(ctx: click.Context, /, tools: str | None, http: bool, port: int, **given: Any) -> int:
    from treering import settings

    wishes = take_wishes(ctx, given)
    if ctx.invoked_subcommand is not None:
        return DONE
    chosen = tools or settings.read().tools
    if http:
        from treering.faces.mcp.http import serve as serve_http

        serve_http(_opener(wishes), chosen, port)
    else:
        from treering.faces.mcp.stdio import serve as serve_stdio

        serve_stdio(_opener(wishes), chosen)
    return DONE


def _opener(wishes: Wishes) -> Callable[[], Treering]:
    def opened() -> Treering:
        from treering.door import open as open_door

        return open_door(wishes.url, actor=wishes.actor)

    return opened


def _install_command() -> TreeringCommand:
    return TreeringCommand("install", help="Not yet.", callback=_install)


@click.pass_context
def _install(ctx: click.Context, /, **given: Any) -> int:
    return DONE
