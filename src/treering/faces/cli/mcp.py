"""`treering mcp`: serves agents, and writes their clients' settings.

Nothing is loaded here but the words of the command line: a client waits for its greeting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
            click.Option(
                ["--port"],
                type=click.IntRange(0, 65535),
                default=DEFAULT_PORT,
                show_default=True,
                help="With --http: the port.",
            ),
        ],
        help="Serve agents over the Model Context Protocol: on standard input and output, as clients start it, or with "
        "--http at http://127.0.0.1:PORT/mcp for this machine only, by keys if the store has any. Logs go to standard "
        "error.",
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
    read = settings.read()
    chosen = tools or read.tools
    opener = _opener(wishes, read.cortexgraph if chosen == "cortexgraph" else {})
    if read.cortexgraph and chosen != "cortexgraph":
        named = ", ".join(sorted(read.cortexgraph))
        click.echo(f"{named}: only the tools of CortexGraph read these; start with --tools cortexgraph", err=True)
    if http:
        from treering.faces.rest.agents import serve as serve_http

        serve_http(opener, chosen, port)
    else:
        from treering.faces.mcp.stdio import serve as serve_stdio

        serve_stdio(opener, chosen, read.log)
    return DONE


def _opener(wishes: Wishes, theirs: Mapping[str, str]) -> Callable[[], Treering]:
    """`theirs`: CortexGraph's variables, which its tools follow."""

    def opened() -> Treering:
        from treering.door import open as open_door

        door = open_door(wishes.url, actor=wishes.actor)
        if theirs:
            from treering.faces.dialects.cortexgraph.environment import adopt

            adopt(door, theirs)
        return door

    return opened


def _install_command() -> TreeringCommand:
    from treering.faces.mcp.install.clients import CLIENTS

    return TreeringCommand(
        "install",
        params=[
            click.Option(["--client"], multiple=True, type=click.Choice(list(CLIENTS)), help="Which; else all found."),
            click.Option(["--tools"], type=click.Choice(TOOL_SETS), help="Which tools; else the server's default."),
            click.Option(["--dry-run"], is_flag=True, help="Only show what would be written."),
            click.Option(["--yes"], is_flag=True, help="Do not ask."),
        ],
        help="Write Treering into the settings of agents' clients: Claude Desktop, Claude Code, Cursor, VS Code, "
        "Windsurf, Zed. Shows the change first and asks; what is there stays, and the old file is kept. --url names "
        "the store, or the http:// address of a server that runs.",
        short_help="Write Treering into the settings of agents' clients.",
        callback=_install,
    )


@click.pass_context
def _install(
    ctx: click.Context, /, client: tuple[str, ...], tools: str | None, dry_run: bool, yes: bool, **given: Any
) -> int:
    from treering.faces.cli.installing import install

    return install(take_wishes(ctx, given), client, tools, dry_run=dry_run, yes=yes)
