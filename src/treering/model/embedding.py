"""What does an embedder make of a thing? Its vectors, packed.

They are not knowledge: they can be made again at will, so they are kept beside the journal and not in it.
"""

from __future__ import annotations

from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vectors of a memory or an entity, as one embedder made them."""

    thing_id: str
    embedder: str
    data: bytes
