"""What is a tool? A name, what it is for, the shapes of what it takes and gives, and how it is asked of the door."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from treering.operation import READS, Effect
from treering.values import dataclass

if TYPE_CHECKING:
    from treering.faces.afar import Door


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """An answer: for programs, and for models. `failed` says that it is about what went wrong."""

    structured: dict[str, Any]
    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """`call` raises errors of Treering; how they are told is the server's business."""

    name: str
    description: str
    input_schema: Mapping[str, Any]
    call: Callable[[Door, dict[str, Any]], ToolAnswer] = field(repr=False)
    operations: tuple[str, ...]
    """The operations of the door that it may ask for."""
    output_schema: Mapping[str, Any] | None = None
    effect: Effect = READS
