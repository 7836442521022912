"""The command line, made from the door's operations: one command each, drawn for people, `--json` for machines.

Nothing is imported here until a command runs, so that the shell gets its prompt back quickly.
"""

from __future__ import annotations

import sys
from typing import NoReturn


def main() -> NoReturn:
    """The program `treering`. Who interrupts it before a command has begun gets no traceback either."""
    try:
        _run()
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def _run() -> NoReturn:
    if sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & set(sys.argv):
        from treering.faces.hooks.quick import main as hook  # somebody waits: not even the words of commands are loaded

        raise SystemExit(hook(sys.argv[2:]))
    from treering.faces.hooks.shell import handed_over

    done = handed_over(sys.argv[1:])
    if done is not None:
        raise SystemExit(done)
    from treering.faces.cli.app import run

    run()
