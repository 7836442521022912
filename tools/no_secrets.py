"""Is there a secret in these files? By the same table by which transcripts are masked, but for what only chance tells:
lock files and data are full of that. Ends with 1 and names file, line and kind, and never the secret."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from treering.language.secrets import masked

_NOT_SURE = frozenset({"random word", "password", "authorization"})
"""Kinds that code and documentation are full of: names of parameters, examples."""


def main(names: list[str]) -> int:
    bad = 0
    for name in names:
        try:
            lines = Path(name).read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            continue
        for number, line in enumerate(lines, 1):
            found = Counter[str]()
            masked(line, found)
            for kind in found.keys() - _NOT_SURE:
                print(f"{name}:{number}: {kind}")
                bad = 1
    return bad


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
