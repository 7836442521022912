"""Writes what can be written from the code itself: docs/reference, the typed stubs of the async face and the client,
the list of commands.

`python -m tools.reference` (`make docs`) writes, `--check` only compares; a test fails when a file is out of date or
something has no words of its own.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tools import limits_page, pages, rights, stub
from tools.wordless import undocumented
from treering.faces.cli import commands

ROOT = Path(__file__).resolve().parent.parent


def generated() -> dict[Path, str]:
    """Every generated file, by its path, as it should be."""
    reference = ROOT / "docs" / "reference"
    return {
        ROOT / "src" / "treering" / "faces" / "aio.pyi": stub.aio(),
        ROOT / "src" / "treering" / "faces" / "client" / "__init__.pyi": stub.client(),
        ROOT / "src" / "treering" / "faces" / "afar.pyi": stub.afar(),
        ROOT / "src" / "treering" / "faces" / "cli" / "listed.tsv": commands.listing(),
        reference / "python.md": pages.python(),
        reference / "cli.md": pages.command_line(),
        reference / "settings.md": pages.settings(),
        reference / "errors.md": pages.errors(),
        reference / "rights.md": rights.page(),
        reference / "limits.md": limits_page.limits(),
    }


def out_of_date() -> list[str]:
    """The files that are missing or say something else than the code."""
    return [
        str(path.relative_to(ROOT))
        for path, text in generated().items()
        if not path.exists() or path.read_text("utf-8") != text
    ]


def main(arguments: list[str]) -> int:
    wordless = undocumented()
    for one in wordless:
        print(f"has no words of its own: {one}", file=sys.stderr)
    if "--check" in arguments:
        stale = out_of_date()
        for name in stale:
            print(f"out of date: {name}; run `make docs`", file=sys.stderr)
        return 1 if stale or wordless else 0
    for path, text in generated().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        print(path.relative_to(ROOT))
    return 1 if wordless else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
