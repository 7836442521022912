"""The part of the door for the graph: facts, links and entities through time."""

from __future__ import annotations

from typing import TypeVar

from treering import parameters as p
from treering.door.ground import Ground
from treering.errors import InvalidRequest
from treering.graph import contradictions as contradictions_room
from treering.graph import diff as diff_room
from treering.graph import entities as entities_room
from treering.graph import facts as facts_room
from treering.graph import gather as gather_room
from treering.graph import lineage as lineage_room
from treering.graph import links as links_room
from treering.graph import paths as paths_room
from treering.graph import profile as profile_room
from treering.graph import support as support_room
from treering.graph import taxonomy as taxonomy_room
from treering.graph import timeline as timeline_room
from treering.graph import walk as walk_room
from treering.graph.attest import Vouched, attest
from treering.graph.diff import Diff
from treering.graph.entities import Merge, Registration
from treering.graph.facts import Asserted
from treering.graph.gather import Gathered
from treering.graph.lineage import Lineage
from treering.graph.links import Linked, Unlinked, WindowMoved
from treering.graph.profile import Profile
from treering.graph.taxonomy import Branch
from treering.graph.timeline import Timeline
from treering.graph.walk import Walked
from treering.model.edge import Direction
from treering.model.entity import Entity
from treering.model.fact import Statement
from treering.model.memory import WRITTEN_BY
from treering.model.time import beginning, utc, utc_or_none
from treering.operation import READS, WRITES, WRITES_ONCE, operation
from treering.store.contract import Ways
from treering.store.naming import entity_of
from treering.store.own_relations import every_name

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
        valid_until: p.ValidUntil = None,
        observed_by: p.ObservedBy = None,
        why: p.Why = None,
    ) -> Linked:
        """Link two memories. A link that stands already is answered, not doubled; one that was ended begins anew."""
        if meta and WRITTEN_BY in meta:
            raise InvalidRequest(f"meta: {WRITTEN_BY} says who has written it, and is written here; leave it out")
        window = utc_or_none(valid_from, "valid_from"), utc_or_none(valid_until, "valid_until")
        tie = links_room.LinkFields(strength, meta, window[0], why, window[1], observed_by)
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
        window = beginning(valid_from), utc_or_none(valid_until, "valid_until")
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
        min_confidence: p.MinConfidence = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> p.Facts:
        """Facts between entities that hold at the moment, with their windows and evidence.

        What a small model has read in a turn is a fact of a confidence below .5: it may be wrong or out of date, ends
        only its like and contradicts nothing. `min_confidence` leaves it out.
        """
        with self._reading(space, as_of, known_at, principal, children) as reader:
            return facts_room.facts(reader, subject, relation, object, include_closed, limit, min_confidence)

    @operation(READS)
    def graph(
        self,
        start: p.Start,
        relations: p.Relations = None,
        depth: p.Depth = 3,
        direction: p.Direction = "both",
        *,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        space: p.Space = None,
        children: p.Children = False,
        limit: p.MostEdges = 1_000,
        include_closed: p.AlsoClosed = False,
        principal: p.Principal = None,
    ) -> Walked:
        """What can be reached from a memory or entity, either way over edges that hold at the moment on every hop."""
        with self._reading(space, as_of, known_at, principal, children) as reader:
            ways = Ways(Direction(direction), every_name(reader, relations or None), include_closed)
            return walk_room.graph(reader, start, walk_room.WalkLimits(ways, depth, limit), self._atlas)

    @operation(READS)
    def paths(
        self,
        a: p.Start,
        b: p.Goal,
        max_depth: p.PathDepth = 4,
        limit: p.MostPaths = 10,
        *,
        relations: p.Relations = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        space: p.Space = None,
        children: p.Children = False,
        principal: p.Principal = None,
    ) -> p.Paths:
        """How two memories or entities are connected: the shortest paths over edges that hold at the moment."""
        with self._reading(space, as_of, known_at, principal, children) as reader:
            wanted = paths_room.PathLimits(every_name(reader, relations or None), max_depth, limit)
            return paths_room.paths(reader, a, b, wanted)

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

    @operation(READS)
    def entities(
        self,
        *,
        space: p.Space = None,
        kind: p.EntityKind = None,
        named: p.NamedLike = None,
        limit: p.Limit = 50,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> p.EntityList:
        """The entities of a space with all their names, the newest first."""
        with self._reading(space, None, known_at, principal, children) as reader:
            if named is not None:
                return entities_room.named_like(reader, named, kind, limit)
            found = reader.entities(limit=limit if kind is None else None)
        return [one for one in found if kind in (None, one.kind)][:limit]

    @operation(WRITES_ONCE)
    def entity_gather(
        self,
        entity: p.GatheredFor = None,
        *,
        ids: p.GatheredIds = None,
        space: p.Space = None,
        dry_run: p.DryRun = False,
    ) -> Gathered:
        """Tie memories to the entities that they name: all that name one entity, or whatever these memories name."""
        if (entity is None) == (ids is None):
            raise InvalidRequest("entity: give an entity, or ids of memories; one of the two")
        among = None
        if entity is not None:
            with self._reading(space) as reader:
                meant = entity_of(reader, entity)
                ids, among = gather_room.speaking_of(reader, meant), frozenset({meant.id})
        found = list(ids or ())
        return self._write(space, lambda act: gather_room.gather(act, found, among), dry_run)

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

    # through time

    @operation(READS)
    def timeline(
        self,
        node: p.Node,
        since: p.EventsSince = None,
        until: p.EventsUntil = None,
        relations: p.OfRelations = None,
        *,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        limit: p.Events = 1_000,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Timeline:
        """What happened to a memory or an entity, in the order of valid time, each event with its reason.

        An edge stands where it begins and where it ends, a memory where it begins to hold; what has no such time
        (forgotten, merged, reopened) where it became known. Edges that were closed are told of like those that hold.
        """
        begin, end = utc_or_none(since, "since"), utc_or_none(until, "until")
        with self._reading(space, None, known_at, principal, children) as reader:
            which = timeline_room.TimelineLimits(begin, end, every_name(reader, relations), limit)
            return timeline_room.timeline(reader, node, which)

    @operation(READS)
    def entity(
        self,
        id: p.EntityRef,
        *,
        space: p.Space = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        limit: p.OfEach = 50,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Profile:
        """What is known of an entity: names, facts now and before, the memories that mention it, and its timeline."""
        with self._reading(space, as_of, known_at, principal, children) as reader:
            return profile_room.profile(reader, id, limit)

    @operation(READS)
    def diff(
        self,
        *,
        space: p.Space = None,
        from_: p.From,
        to: p.To = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Diff:
        """What changed between two moments of valid time: facts opened, closed, superseded, learned late.

        A fact is opened if it begins after `from` and not after `to`, closed if it ends so, and superseded if then
        another value of the same subject and relation begins where it ends. It was learned late if, between the two,
        it became known that it did or did not hold at `from`.
        """
        since, until, known = utc(from_, "from"), utc_or_none(to, "to"), utc_or_none(known_at, "known_at")
        return diff_room.diff(lambda at, by: self._reading(space, at, by, principal, children), since, until, known)

    @operation(READS)
    def contradictions(
        self,
        *,
        space: p.Space = None,
        topic: p.Topic = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        limit: p.Limit = 50,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> p.Contradictions:
        """Conflicts that are open, with both sides, where each was said, when each holds, and the rule that saw it."""
        with self._reading(space, children=children) as reader:
            names = reader.spaces
        found: p.Contradictions = []
        for name in names:
            with self._reading(name, as_of, known_at, principal) as reader:
                found += contradictions_room.contradictions(reader, topic, limit)
        return sorted(found, key=lambda one: one.recorded_at)[:limit]

    @operation(READS)
    def lineage(
        self,
        memory: p.OneMemory,
        *,
        space: p.Space = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        depth: p.Steps = 8,
        limit: p.Relatives = 100,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Lineage:
        """Where a memory comes from, down to the words that were said, and what depends on it."""
        with self._reading(space, as_of, known_at, principal, children) as reader:
            return lineage_room.lineage(reader, memory, lineage_room.LineageLimits(depth, limit))

    @operation(READS)
    def stale(
        self,
        *,
        space: p.Space = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        limit: p.Limit = 50,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> p.StaleOnes:
        """Current memories derived from something that was superseded, invalidated, expired or forgotten, and what."""
        with self._reading(space, as_of, known_at, principal, children) as reader:
            return support_room.stale(reader, limit)

    @operation(READS)
    def taxonomy(
        self,
        prefix: p.Prefix = None,
        depth: p.Levels = 8,
        limit: p.Branches = 1_000,
        *,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
    ) -> Branch:
        """Spaces as a tree, each with how many memories hold in it and in all below it, also where the tree is cut."""
        every = [one.name for one in self._store.spaces()]
        cut = taxonomy_room.TreeLimits(depth, limit)
        return taxonomy_room.taxonomy(
            lambda top: self._reading(top, as_of, known_at, principal, children=True), every, prefix, cut
        )
