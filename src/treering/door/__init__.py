"""THE DOOR: everything Treering can do, one short method each.

A method's signature and docstring are what every face shows; the work is done in the rooms. The door has a part for
each room, and every part stands on `ground`.
"""

from __future__ import annotations

from treering.door.housing import Diagnosis as Diagnosis
from treering.door.housing import Status as Status
from treering.door.opening import open as open  # noqa: A004
from treering.door.whole import OPERATIONS as OPERATIONS
from treering.door.whole import Treering as Treering
