"""What is a door to somebody elsewhere? Every operation, but files are what was sent and folders cannot be named.

Type checkers see it in `afar.pyi`, made from the door's own signatures. `Treering` is such a door, and so is the one
that holds a caller to its key: code that is written against this one cannot hand a path to either.
"""

from __future__ import annotations

from typing import Protocol


class Door(Protocol):
    """A door as a dialect and a server may use it."""
