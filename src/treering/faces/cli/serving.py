"""`treering serve` and `treering worker`: commands that run until they are told to stop."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from treering.door import open as open_door
from treering.faces.cli.exits import DONE
from treering.faces.cli.wishes import TreeringCommand, take_wishes
from treering.faces.rest.policy import DIALECTS, HOST, PORT, ServerPolicy, usual_processes
from treering.settings import TOOL_SETS


def serve_command() -> TreeringCommand:
    return TreeringCommand(
        "serve",
        params=[
            click.Option(["--host"], default=HOST, show_default=True, help="Where to listen. Elsewhere takes keys."),
            click.Option(["--port"], type=click.IntRange(0, 65535), default=PORT, show_default=True, help="The port."),
            click.Option(["--dialect"], type=click.Choice(DIALECTS), default=DIALECTS[0], show_default=True,
                         help="Whose routes are meant where other systems share a path."),
            click.Option(["--tools"], type=click.Choice(TOOL_SETS), default="core", show_default=True,
                         help="Which tools agents get at /mcp."),
            click.Option(["--allow-host"], multiple=True, help="Another name by which this machine may be called."),
            click.Option(["--tls-cert"], metavar="FILE", default="",
                         help="Serve over TLS with this certificate (PEM, with its chain); read anew when it changes."),
            click.Option(["--tls-key"], metavar="FILE", default="", help="The key of that certificate (PEM)."),
            click.Option(["--allow-origin"], multiple=True, metavar="ORIGIN",
                         help="Pages of this origin may call from a browser, such as https://app.example.com; * is "
                         "any, and takes keys. Can be repeated."),
            click.Option(["--trust-proxy"], multiple=True, metavar="ADDRESS",
                         help="A proxy, or a network of them (10.0.0.0/8), whose X-Forwarded-For and -Proto are "
                         "believed. Can be repeated."),
            click.Option(["--requests-a-minute"], type=click.IntRange(0), default=0, show_default=True,
                         help="Most requests of one caller; 0 is no bound."),
            click.Option(["--processes"], type=click.IntRange(1, 64), default=usual_processes,
                         show_default="one a core, at most 4",
                         help="Processes that answer; beside several, one more does jobs, webhooks and upkeep."),
            click.Option(["--workers"], type=click.IntRange(0, 64), default=1, show_default=True,
                         help="Threads that do jobs; 0 leaves them to `treering worker`."),
            click.Option(["--upkeep/--no-upkeep"], default=True, show_default=True,
                         help="Keep house while serving: once an hour, in every space."),
            click.Option(["--allow-private-webhooks"], is_flag=True,
                         help="Let webhooks call addresses that are not public."),
        ],
        help="Serve the store over HTTP until told to stop: REST, MCP, events and metrics.",
        short_help="Serve the store over HTTP.",
        callback=_serve,
    )  # fmt: skip


@click.pass_context
def _serve(ctx: click.Context, /, **given: Any) -> int:
    from treering.faces.rest.serve import serve

    wishes = take_wishes(ctx, given)
    policy = ServerPolicy(
        host=given["host"],
        port=given["port"],
        dialect=given["dialect"],
        tools=given["tools"],
        hosts=tuple(given["allow_host"]),
        tls_cert=given["tls_cert"],
        tls_key=given["tls_key"],
        origins=tuple(given["allow_origin"]),
        proxies=tuple(given["trust_proxy"]),
        requests_a_minute=given["requests_a_minute"],
        processes=given["processes"],
        workers=given["workers"],
        upkeep=given["upkeep"],
        private_webhooks=given["allow_private_webhooks"],
    )
    serve(partial(open_door, wishes.url, actor=wishes.actor), policy)
    return DONE


def worker_command() -> TreeringCommand:
    return TreeringCommand(
        "worker",
        help="Do jobs, of all spaces, until told to stop. Any number may run, on any machine that reaches the store.",
        short_help="Do jobs until told to stop.",
        callback=_work,
    )


@click.pass_context
def _work(ctx: click.Context, /, **given: Any) -> int:
    from treering.faces.rest.serve import work

    wishes = take_wishes(ctx, given)
    with open_door(wishes.url, actor=wishes.actor) as door:
        work(door)
    return DONE
