"""The part of the door for who looks on: which times there are to stand at, what was believed then, what was written."""

from __future__ import annotations

from treering import parameters as p
from treering.door.ground import Ground
from treering.graph import beliefs as beliefs_room
from treering.graph import journal_lines
from treering.graph import moments as moments_room
from treering.graph import overview as overview_room
from treering.graph.beliefs import Beliefs
from treering.graph.journal_lines import JournalPage
from treering.graph.moments import Moments
from treering.graph.overview import Overview
from treering.language.when import when as read_times
from treering.model.edge import fact_relation
from treering.model.memory import Kind, State, Tier, View
from treering.model.time import utc_or_none
from treering.operation import READS, operation
from treering.recall.listing import Facets, facets
from treering.recall.source_text import SourceText, source_text
from treering.store.contract import MemoryFilter
from treering.store.own_relations import every_name


class Looks(Ground):
    """Both clocks, seen from outside."""

    @operation(READS)
    def when(self, text: p.TimeWords, *, reference: p.Reference = None) -> p.Windows:
        """Which stretches of time a text speaks of, seen from a moment: "last May", "two weeks ago"."""
        return read_times(text, reference or self._now())

    @operation(READS)
    def moments(
        self,
        *,
        clock: p.WhichClock = "valid",
        after: p.TicksAfter = None,
        before: p.TicksBefore = None,
        limit: p.Ticks = 200,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Moments:
        """The times at which something changed, on one of the two clocks, in order.

        With `after` and a limit of 1 the `at` of the one tick is the next change; with `before` its `until` is the last.
        """
        stretch = utc_or_none(after, "after"), utc_or_none(before, "before")
        with self._reading(space, None, known_at, principal, children) as reader:
            return moments_room.moments(reader, clock, *stretch, limit)

    @operation(READS)
    def beliefs(
        self,
        node: p.AnyNode = None,
        *,
        relation: p.OneRelation = None,
        limit: p.Limit = 500,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
    ) -> Beliefs:
        """What was ever believed about an entity, a memory or a relation: for which time, and when.

        Each belief has when it was held to be true, when that was what was known, and the entry that brought it.
        """
        latest = utc_or_none(known_at, "known_at")
        return beliefs_room.beliefs(
            lambda known: self._reading(space, None, known or latest, principal), node, relation, limit
        )

    @operation(READS)
    def overview(
        self,
        *,
        relations: p.Relations = None,
        kind: p.EndKind = None,
        confidence: p.LeastConfidence = 0.0,
        nodes: p.SeenNodes = 1_000,
        edges: p.SeenEdges = 10_000,
        space: p.Space = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Overview:
        """A space from afar: its most connected entities, the facts between them, and counts of all there is.

        Where there is more than was asked for, the least connected are left out, and `truncated` says so.
        """
        with self._reading(space, as_of, known_at, principal, children) as reader:
            asked = overview_room.OverviewWish(
                every_name(reader, relations, fact_relation), kind, confidence, nodes, edges
            )
            return overview_room.overview(reader, asked)

    @operation(READS)
    def journal(
        self,
        *,
        before: p.BeforeSeq = None,
        limit: p.JournalLines = 50,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
    ) -> JournalPage:
        """What was written in a space, the newest entry first: by whom, by which rule, signed or not."""
        with self._reading(space, None, known_at, principal) as reader:
            last = reader.head.seq if before is None else min(before - 1, reader.head.seq)
            after = max(last - limit, 0)
            entries = list(self._store.entries(space or self._space, after, last - after)) if last > after else []
            return journal_lines.journal(reader, entries, after, last - after)

    @operation(READS)
    def source(
        self, id: p.SourceId, *, space: p.Space = None, known_at: p.KnownAt = None, principal: p.Principal = None
    ) -> SourceText:
        """What was said, word for word, and which memories rest on which words of it.

        What was forgotten, or is private to others, is blanked out.
        """
        with self._reading(space, None, known_at, principal) as reader:
            return source_text(reader, id)

    @operation(READS)
    def facets(
        self,
        *,
        space: p.Space = None,
        view: p.View = View.CURRENT,
        kinds: p.Kinds = None,
        states: p.InStates = None,
        tiers: p.InTiers = None,
        tags: p.WithTags = (),
        words: p.WithWords = None,
        session: p.InSession = None,
        speaker: p.BySpeaker = None,
        since: p.Since = None,
        until: p.Until = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        limit: p.FacetValues = 50,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Facets:
        """How many memories there are of each kind, state, tier, tag, speaker and session."""
        which = MemoryFilter(
            view=View(view),
            kinds=None if kinds is None else tuple(Kind(one) for one in kinds),
            states=None if states is None else tuple(State(one) for one in states),
            tiers=None if tiers is None else tuple(Tier(one) for one in tiers),
            tags=tuple(tags),
            words=tuple((words or "").split()),
            session=session,
            speaker=speaker,
            since=utc_or_none(since, "since"),
            until=utc_or_none(until, "until"),
        )
        with self._reading(space, as_of, known_at, principal, children) as reader:
            return facets(reader, which, limit)
