"""Would it go round in a circle? What supersedes, or is derived, must not come to lead back to itself."""

from __future__ import annotations

from collections.abc import Iterable

from treering.errors import Conflict
from treering.model.edge import Edge, Link
from treering.store.contract import EdgeFilter, Reader

ACYCLIC = frozenset({Link.SUPERSEDES.value, Link.DERIVED_FROM.value})


def refuse_circle(reader: Reader, source: str, target: str, relation: str, along: Iterable[Edge] = ()) -> None:
    """Follows the relation from the target on: meeting the source would close a circle. `along` are edges that are to
    stand as well."""
    if relation not in ACYCLIC:
        return
    beside = [edge for edge in along if edge.relation == relation]
    seen, frontier = {target}, [target]
    while frontier:
        which = EdgeFilter(
            source_ids=tuple(frontier), relations=(relation,), include_closed=True, include_forgotten=True
        )
        # what a forgotten memory leads to is hidden, and comes back with it
        known = [edge for edge in reader.edges(which) if edge.forgotten_at is None]
        onward = [*known, *(edge for edge in beside if edge.source_id in frontier)]
        frontier = [edge.target_id for edge in onward if edge.target_id not in seen]
        seen.update(frontier)
        if source in seen:
            raise Conflict(
                f"relation: {target} already {relation} {source}, if indirectly; it cannot go both ways; unlink that"
            )
