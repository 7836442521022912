"""Who reads messages for the journeys, which know no mind by its name? The reader of the package, once it is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treering.mind.reading import MessageReader


def open_reader_late() -> MessageReader:
    """It takes time to load, and many calls need none."""
    from treering.mind.judges import open_reader

    return open_reader()
