"""A process that has loaded the program and runs command lines in forks of itself: what a run of its own costs most is
loading. Started by `tests.faces.command`, which hands it words, an environment and three files for every run."""

from __future__ import annotations

import atexit
import json
import os
import socket
import sys
from typing import NoReturn

MOST = 1 << 20
"""Bytes of a request."""


def load() -> None:
    """What most commands need."""
    import rich.table
    import rich.tree

    import treering.door
    import treering.faces.cli.commands
    import treering.faces.cli.paper
    import treering.faces.hooks.shell
    import treering.recall.find
    import treering.store.sqlite

    assert rich.table, treering


def serve(asked: socket.socket) -> None:
    """Each request until there are no more: the exit code of its run is the answer."""
    load()
    while True:
        request, files, _, _ = socket.recv_fds(asked, MOST, 3)
        if not request:
            return
        child = os.fork()
        if child == 0:
            asked.close()
            _become(files, **json.loads(request))
            _run()
        for one in files:
            os.close(one)
        _, status = os.waitpid(child, 0)
        asked.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))


def _run() -> NoReturn:
    """To its end, but for taking apart all that was loaded."""
    from treering.faces.cli import main

    try:
        main()
    except SystemExit as ended:
        code = ended.code
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else code is not None)


def _become(files: list[int], words: list[str], environment: dict[str, str]) -> None:
    for place, one in enumerate(files):
        os.dup2(one, place)
        os.close(one)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["treering", *words]
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as asking:
        serve(asking)
