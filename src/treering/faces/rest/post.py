"""What is a process of a server told when it starts? How to open the store, what was asked for, and which one it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from treering.faces.rest.policy import ServerPolicy

if TYPE_CHECKING:
    from treering.door import Treering

Opens = Callable[[], "Treering"]
"""Opens the door; it can be sent to another process."""


@dataclass(frozen=True, slots=True)
class Post:
    """A place to be filled by a process."""

    opens: Opens
    policy: ServerPolicy
    folder: Path
    """Shared by all processes of the server, and by nobody else."""
    number: int


def side_door(folder: Path, number: int) -> Path:
    """Where the other processes of the server reach this one."""
    return folder / f"{number}.sock"
