"""Where do the lines of the log go when Treering is the program? To standard error, from the level that `TREERING_LOG`
names. Within another program nothing is set up: there the log is that program's (`logging.getLogger("treering")`)."""

from __future__ import annotations

import json
import logging
import sys


class JsonLines(logging.Formatter):
    """For who reads logs by machine, beside the server's own lines."""

    def format(self, record: logging.LogRecord) -> str:
        told = {"level": record.levelname.lower(), "logger": record.name, "told": record.getMessage()}
        return json.dumps(told, ensure_ascii=False)


def to_stderr(level: str, *, as_json: bool = False) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if as_json else logging.Formatter("%(name)s: %(message)s"))
    logger = logging.getLogger("treering")
    logger.handlers, logger.propagate = [handler], False
    logger.setLevel(level.upper())
