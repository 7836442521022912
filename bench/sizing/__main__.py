"""`python -m bench.sizing` writes docs/guides/sizing.md; with numbers of one's own it says what they need.

Then nothing is written.

    python -m bench.sizing [--tenants 500] [--memories 20000] [--recalls 200] [--turns 100] [--peak 4]
                           [--no-judge] [--by-space]
"""

from __future__ import annotations

import argparse
import sys

from bench.sizing import page
from bench.sizing.model import Load
from bench.sizing.parts import measured


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m bench.sizing", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    typical = Load(page.TENANTS[0])
    parser.add_argument("--tenants", type=int, default=typical.tenants)
    parser.add_argument("--memories", type=int, default=typical.memories_each)
    parser.add_argument("--recalls", type=float, default=typical.recalls_a_day)
    parser.add_argument("--turns", type=float, default=typical.turns_a_day)
    parser.add_argument("--peak", type=float, default=typical.peak)
    parser.add_argument("--no-judge", action="store_true")
    parser.add_argument("--by-space", action="store_true")
    given = parser.parse_args(words)
    if not words:
        written = page.page(measured())
        page.PAGE.write_text(written, "utf-8")
        print(written)
        print(f"written: {page.PAGE}")
        return
    try:
        load = Load(
            given.tenants,
            given.memories,
            given.recalls,
            given.turns,
            given.peak,
            judge=not given.no_judge,
            by_space=given.by_space,
        )
    except ValueError as error:
        parser.error(str(error))
    print(page.told(load, measured()))


if __name__ == "__main__":
    main(sys.argv[1:])
