"""The parts of the door, put together."""

from __future__ import annotations

from treering.door.graph import Relates
from treering.door.housing import Houses
from treering.door.jobs import Promises
from treering.door.recalling import Recalls
from treering.door.remembering import Remembers
from treering.door.reviewing import Reviews
from treering.door.tending import Tends
from treering.door.upkeep import Keeps
from treering.operation import Operation, table


class Treering(Reviews, Promises, Relates, Houses):
    """Memory for an agent: open it with `treering.open`, close it when done (it is a context manager)."""


OPERATIONS: dict[str, Operation] = table(Remembers, Recalls, Keeps, Tends, Reviews, Promises, Relates, Houses)
"""Every capability, for the faces to loop over."""
