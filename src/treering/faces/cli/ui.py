"""`treering ui`: the page on a store, for the person at this machine. A server on loopback, and a browser on it."""

from __future__ import annotations

import socket
import sys
import threading
import urllib.parse
import urllib.request
import webbrowser
from functools import partial
from pathlib import Path
from typing import Any

import click

from treering.door import open as open_door
from treering.faces.cli.exits import DONE
from treering.faces.cli.wishes import TreeringCommand, take_wishes
from treering.faces.rest.policy import HOST, PORT, ServerPolicy

_LOOK_SECONDS = 0.1
_WAIT_SECONDS = 60.0


def port_option() -> click.Option:
    return click.Option(
        ["--port"], type=click.IntRange(0, 65535), help=f"The port; {PORT} if it is free, else any, if left out."
    )


def open_option() -> click.Option:
    return click.Option(
        ["--open/--no-open"], default=True, show_default=True, help="Open a browser, or only say where the page is."
    )


def ui_command() -> TreeringCommand:
    return TreeringCommand(
        "ui",
        params=[
            click.Option(["--space"], metavar="SPACE", help="The space to begin with; `default` if left out."),
            port_option(),
            open_option(),
        ],
        help="Open the page on a store: ask, walk the graph, move both clocks, mend what is wrong. It is served on "
        "this machine only, until you press Ctrl-C; nothing leaves the machine.",
        short_help="Open the page on a store.",
        callback=_ui,
    )


@click.pass_context
def _ui(ctx: click.Context, /, space: str | None, port: int | None, open: bool, **given: Any) -> int:  # noqa: A002
    wishes = take_wishes(ctx, given)
    show_page(wishes.url, space, port, open, actor=wishes.actor)
    return DONE


def show_page(
    url: str | Path | None, space: str | None, port: int | None, opens: bool, view: str = "", **how: Any
) -> None:
    """Until it is told to stop. `view`: where in the page to begin; `how`: as a door is opened."""
    from treering.faces.rest.serve import serve

    chosen = free_port() if port in (None, 0) else port
    policy = ServerPolicy(port=chosen or PORT)
    address = address_of(policy, space, view)
    print(f"the page: {address}", file=sys.stderr, flush=True)
    if opens:
        threading.Thread(target=_open_when_ready, args=(policy, address), daemon=True).start()
    serve(partial(open_door, url, **how), policy)


def address_of(policy: ServerPolicy, space: str | None, view: str = "") -> str:
    """The space is in the fragment, as all that is looked at: it is not sent anywhere."""
    asked = f"?{urllib.parse.urlencode({'space': space})}" if space else ""
    where = f"#/{view or 'ask'}{asked}" if asked or view else ""
    return f"http://{policy.host}:{policy.port}/{where}"


def free_port() -> int:
    """The usual one, or any that nobody listens on."""
    for port in (PORT, 0):
        with socket.socket() as trying:
            trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trying.bind((HOST, port))
            except OSError:
                continue
            return int(trying.getsockname()[1])
    return PORT


def _open_when_ready(policy: ServerPolicy, address: str) -> None:
    ready, waited = f"http://{policy.host}:{policy.port}/healthz", threading.Event()
    for _ in range(int(_WAIT_SECONDS / _LOOK_SECONDS)):
        try:
            urllib.request.urlopen(ready, timeout=1).close()
        except OSError:
            waited.wait(_LOOK_SECONDS)
        else:
            webbrowser.open(address)
            return
