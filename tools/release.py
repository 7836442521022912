"""Prints the notes of a release: what CHANGELOG.md has for the version of a tag. Refuses a tag that is not the version
of the program, and a version of which nothing is written.

    python -m tools.release v0.2.0
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from treering.version import VERSION

ROOT = Path(__file__).parents[1]


def notes_of(version: str, changelog: str) -> str:
    """What stands under the heading of a version, up to the next."""
    parts = re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]
    for part in parts:
        heading, _, body = part.partition("\n")
        if re.match(rf"\[?v?{re.escape(version)}\]?(?:\s|$)", heading):
            if not body.strip():
                raise SystemExit(f"CHANGELOG.md says nothing of {version}")
            return body.strip()
    raise SystemExit(f"CHANGELOG.md has no heading for {version}")


def main(words: list[str]) -> None:
    if len(words) != 1 or not re.fullmatch(r"v\d+\.\d+\.\d+\S*", words[0]):
        raise SystemExit("say which tag, such as v0.2.0")
    version = words[0].removeprefix("v")
    if version != VERSION:
        raise SystemExit(f"the tag is {words[0]}, and the program is {VERSION}: set the version first")
    print(notes_of(version, (ROOT / "CHANGELOG.md").read_text("utf-8")))


if __name__ == "__main__":
    main(sys.argv[1:])
