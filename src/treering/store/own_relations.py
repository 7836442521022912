"""Which relations does the space of a reader have? As its settings say at the reader's moment."""

from __future__ import annotations

from treering.relations.own import Relations, relations
from treering.store.contract import Reader


def relations_of(reader: Reader) -> Relations:
    """Over several spaces at once no row of one of them counts: it was made for that space alone."""
    own = reader.setting("relations") if len(reader.spaces) == 1 else {}
    return relations(own, reader.setting("functional_relations"))
