"""`treering completion`: what a shell must read so that it can complete Treering's commands."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import get_completion_class

from treering.faces.cli.wishes import TreeringCommand

SHELLS = ("bash", "zsh", "fish")
_VARIABLE = "_TREERING_COMPLETE"


def completion_command() -> TreeringCommand:
    return TreeringCommand(
        "completion",
        params=[click.Argument(["shell"], type=click.Choice(SHELLS), metavar="SHELL")],
        arguments=[("SHELL", f"One of {', '.join(SHELLS)}.")],
        help="Prints what your shell must read to complete commands, options and their values. In bash put "
        'eval "$(treering completion bash)" into ~/.bashrc; in zsh the same with zsh into ~/.zshrc; in fish '
        "treering completion fish > ~/.config/fish/completions/treering.fish once.",
        short_help="Print what your shell needs to complete commands.",
        callback=_completion,
    )


@click.pass_context
def _completion(ctx: click.Context, /, shell: str, **_: Any) -> int:
    maker = get_completion_class(shell)
    assert maker is not None  # click knows all three
    click.echo(maker(ctx.find_root().command, {}, "treering", _VARIABLE).source())
    return 0
