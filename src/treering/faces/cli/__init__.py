"""The command line, made from the door's operations: one command each, drawn for people, `--json` for machines.

Nothing is imported here until a command runs, so that the shell gets its prompt back quickly.
"""

from __future__ import annotations

from typing import NoReturn


def main() -> NoReturn:
    """The program `treering`."""
    from treering.faces.cli.app import run

    run()
