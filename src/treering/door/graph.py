"""The part of the door for the graph: facts, links and entities through time."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from treering import parameters as p
from treering.door.ground import Ground
from treering.graph import entities as entities_room
from treering.graph import facts as facts_room
from treering.graph import links as links_room
from treering.graph.attest import Vouched, attest
from treering.graph.entities import Merge, Registration
from treering.graph.facts import Asserted
from treering.graph.links import Linked, Unlinked, WindowMoved
from treering.model.entity import Entity
from treering.model.fact import Statement
from treering.model.time import utc_or_none
from treering.operation import READS, WRITES, WRITES_ONCE, operation
from treering.store.naming import entity_of

if TYPE_CHECKING:
    pass

T = TypeVar("T")


class Relates(Ground):
    """Facts, links and entities."""

    @operation(WRITES_ONCE)
    def link(
        self,
        source: p.Newer,
        target: p.Older,
        relation: p.LinkRelation = "related_to",
        *,
        space: p.Space = None,
        strength: p.TieStrength = 1.0,
        meta: p.Meta = None,
        valid_from: p.LinkedFrom = None,
        why: p.Why = None,
    ) -> Linked:
        """Link two memories. A link that stands already is answered, not doubled."""
        tie = links_room.Tie(strength, meta, utc_or_none(valid_from, "valid_from"), why)
        return self._write(space, lambda act: links_room.link(act, source, target, relation, tie))

    @operation(WRITES_ONCE)
    def unlink(
        self,
        source: p.Newer,
        target: p.Older,
        relation: p.LinkRelation = "related_to",
        *,
        space: p.Space = None,
        why: p.Why = None,
    ) -> Unlinked:
        """Forget a link between two memories; `restore` with the edge's id brings it back."""
        return self._write(space, lambda act: links_room.unlink(act.reader, source, target, relation, why))

    @operation(WRITES_ONCE)
    def invalidate(
        self,
        source: p.Node,
        target: p.Node,
        relation: p.Relation,
        *,
        at: p.ClosedAt = None,
        space: p.Space = None,
        why: p.Why = None,
    ) -> WindowMoved:
        """Close an edge's window: it was true before that time and is not from then on. Repeating changes nothing."""
        end = utc_or_none(at, "at")
        return self._write(
            space, lambda act: links_room.invalidate(act.reader, source, target, relation, end or act.now, why)
        )

    @operation(WRITES_ONCE)
    def reopen(self, source: p.Node, target: p.Node, relation: p.Relation, *, space: p.Space = None) -> WindowMoved:
        """Undo the latest closing of an edge: its window ends again where it did before."""
        return self._write(space, lambda act: links_room.reopen(act.reader, source, target, relation))

    @operation(WRITES)
    def assert_fact(
        self,
        subject: p.EntityRef,
        relation: p.Relation,
        object: p.EntityRef,
        *,
        space: p.Space = None,
        valid_from: p.ValidFrom = None,
        valid_until: p.ValidUntil = None,
        confidence: p.Confidence = 1.0,
        memory_id: p.Evidence = None,
        supersede: p.Supersede = False,
    ) -> Asserted:
        """State a fact between two entities; entities are made as needed."""
        window = utc_or_none(valid_from, "valid_from"), utc_or_none(valid_until, "valid_until")
        fact = Statement(subject, relation, object, *window, confidence, memory_id)
        return self._write(space, lambda act: facts_room.assert_facts(act, [fact], supersede, "assert_fact"))

    @operation(WRITES)
    def assert_facts(self, facts: p.Statements, *, space: p.Space = None, supersede: p.Supersede = False) -> Asserted:
        """State many facts at once, all or none."""
        stated = [Statement.read(fact) for fact in facts]
        return self._write(space, lambda act: facts_room.assert_facts(act, stated, supersede, "assert_facts"))

    @operation(READS)
    def facts(
        self,
        *,
        space: p.Space = None,
        subject: p.OfSubject = None,
        relation: p.OneRelation = None,
        object: p.AboutObject = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        include_closed: p.IncludeClosed = False,
        limit: p.FactLimit = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> p.Facts:
        """Facts between entities that hold at the moment, with their windows and evidence."""
        with self._reading(space, as_of, known_at, principal, children) as reader:
            return facts_room.facts(reader, subject, relation, object, include_closed, limit)

    @operation(WRITES_ONCE)
    def attest(self, id: p.EdgeId, *, space: p.Space = None) -> Vouched:
        """Vouch for an edge: put the actor's own signature under what was observed. Repeating changes nothing."""
        return self._write(space, lambda act: attest(act, id))

    @operation(WRITES_ONCE)
    def entity_register(
        self, name: p.CanonicalName, *, space: p.Space = None, aliases: p.Aliases = (), kind: p.EntityKind = None
    ) -> Registration:
        """Make an entity known by name and aliases. One of that name is reused, and new aliases are added to it."""
        return self._write(space, lambda act: entities_room.register(act, name, tuple(aliases), kind))

    @operation(READS)
    def entity_get(
        self,
        alias: p.EntityRef,
        *,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Entity:
        """The entity that answers to a name, alias or id, with all its names; the newest if several do."""
        with self._reading(space, None, known_at, principal, children) as reader:
            return entity_of(reader, alias, "alias")

    @operation(WRITES_ONCE)
    def entity_merge(
        self, entity: p.EntityRef, into: p.EntityRef, *, space: p.Space = None, why: p.Why = None
    ) -> Merge:
        """Join two entities that are one: names and edges of the first follow into the second. A split undoes it."""
        return self._write(space, lambda act: entities_room.merge(act.reader, entity, into, why))

    @operation(WRITES_ONCE)
    def entity_split(self, entity_id: p.MergedId, *, space: p.Space = None, why: p.Why = None) -> Merge:
        """Undo a merge: the entity stands for itself again, with its own names and edges."""
        return self._write(space, lambda act: entities_room.split(act.reader, entity_id, why))
