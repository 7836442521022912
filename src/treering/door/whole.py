"""The parts of the door, put together."""

from __future__ import annotations

from treering.door.auditing import Audits
from treering.door.defining import Defines
from treering.door.graph import Relates
from treering.door.housing import Houses
from treering.door.jobs import Promises
from treering.door.looking import Looks
from treering.door.moving_in import MovesIn
from treering.door.notes import Notes
from treering.door.recalling import Recalls
from treering.door.remembering import Remembers
from treering.door.reviewing import Reviews
from treering.door.safekeeping import Safekeeps
from treering.door.serving import Serves
from treering.door.syncing import Syncs
from treering.door.tending import Tends
from treering.door.upkeep import Keeps
from treering.operation import Operation, table


class Treering(Reviews, Promises, Relates, Defines, Looks, MovesIn, Houses, Safekeeps, Syncs, Serves, Audits):
    """Memory for an agent: open it with `treering.open`, close it when done (it is a context manager)."""


OPERATIONS: dict[str, Operation] = table(
    Remembers,
    Recalls,
    Keeps,
    Tends,
    Reviews,
    Notes,
    Promises,
    Relates,
    Defines,
    Looks,
    MovesIn,
    Houses,
    Safekeeps,
    Syncs,
    Serves,
    Audits,
)
"""Every capability, for the faces to loop over."""
