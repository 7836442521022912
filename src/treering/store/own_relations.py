"""Which relations does the space of a reader have, and which are meant by a name? As its settings say at the reader's
moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from treering.model.edge import any_relation
from treering.relations.own import TABLE, Relations, Row, relations
from treering.store.contract import Reader


def relations_of(reader: Reader) -> Relations:
    """Over several spaces at once no row of one of them counts: it was made for that space alone."""
    return relations(_own(reader), reader.setting("functional_relations"))


def _own(reader: Reader) -> dict[str, Row]:
    return reader.setting("relations") if len(reader.spaces) == 1 else {}


def every_name(
    reader: Reader, given: Iterable[str] | None, spelled: Callable[[object], str] = any_relation
) -> tuple[str, ...] | None:
    """Each relation that is asked for by all its names; none is all relations."""
    if given is None:
        return None
    own = _own(reader)
    return (relations(own) if own else TABLE).names(*map(spelled, given))
