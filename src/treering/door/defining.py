"""The part of the door for the table of relations, and the rows that a space lays over it."""

from __future__ import annotations

from treering import parameters as p
from treering.door.ground import Ground
from treering.errors import InvalidRequest
from treering.graph.relation_table import RelationRow, listed, remove_row, set_row
from treering.operation import READS, WRITES_ONCE, operation
from treering.relations.own import COLUMNS


class Defines(Ground):
    """What relations mean, and which have one value at a time."""

    @operation(READS)
    def relations(
        self, *, own_only: p.OwnOnly = False, space: p.Space = None, known_at: p.KnownAt = None
    ) -> p.RelationRows:
        """The table of relations: what each says, and whether a newer value closes the older one in this space."""
        with self._reading(space, None, known_at) as reader:
            return listed(reader, own_only)

    @operation(WRITES_ONCE)
    def relation_set(
        self,
        name: p.Relation,
        *,
        gloss: p.Gloss = None,
        cardinality: p.RelationCardinality = None,
        sentence: p.RelationSentence = None,
        family: p.RelationFamily = None,
        asked: p.AskedWords = None,
        also: p.OtherNames = None,
        space: p.Space = None,
    ) -> RelationRow:
        """Give a space a relation of its own, or change what one means there. What is left out stays as it is.

        With cardinality one, a newer value closes the older one from now on; facts that are known already stay.
        """
        given = (gloss, cardinality, sentence, family, asked, also)
        told = {column: value for column, value in zip(COLUMNS, given, strict=True) if value is not None}
        if not told:
            raise InvalidRequest(f"name: nothing is said of {name!r}; give at least one of {', '.join(COLUMNS)}")
        return self._write(space, lambda act: set_row(act, name, told, "relation_set"))

    @operation(WRITES_ONCE)
    def relation_remove(self, name: p.Relation, *, space: p.Space = None) -> RelationRow:
        """Take a space's own row away and answer it: the table holds again, and the facts in that relation stay."""
        return self._write(space, lambda act: remove_row(act, name, "relation_remove"))
