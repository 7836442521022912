"""The part of the door by which questions are answered."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from treering import parameters as p
from treering.door.ground import Ground
from treering.graph.history import History
from treering.graph.history import history as history_of
from treering.model.memory import Kind, Memory, View
from treering.model.time import utc_or_none
from treering.operation import READS, operation
from treering.recall.answer import Answer, Context, WhyNot
from treering.recall.listing import Page, page
from treering.store.contract import MemoryFilter, Scope
from treering.store.naming import missing
from treering.store.support import with_support
from treering.upkeep.policies import Policies, present

if TYPE_CHECKING:
    from treering.recall.wish import Wish

T = TypeVar("T")


class Recalls(Ground):
    """What is known is found, listed and explained."""

    @operation(READS)
    def get(
        self,
        id: p.MemoryId,
        *,
        space: p.Space = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Memory:
        """One memory by its id, in whatever state it is at the moment."""
        with self._reading(space, as_of, known_at, principal, children) as reader:
            memory = reader.memory(id)
            if memory is None:
                raise missing(reader, id, "id", "memory")
            return with_support(reader, [memory])[0]

    @operation(READS)
    def list(
        self,
        *,
        space: p.Space = None,
        view: p.View = View.CURRENT,
        kinds: p.Kinds = None,
        tags: p.WithTags = (),
        entities: p.Mentioning = (),
        session: p.InSession = None,
        speaker: p.BySpeaker = None,
        since: p.Since = None,
        until: p.Until = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        order: p.Order = "oldest",
        limit: p.Limit = 50,
        cursor: p.Cursor = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Page:
        """Memories by filter, page by page, in the order they were learned."""
        which = MemoryFilter(
            view=View(view),
            kinds=None if kinds is None else tuple(Kind(kind) for kind in kinds),
            tags=tuple(tags),
            session=session,
            speaker=speaker,
            since=utc_or_none(since, "since"),
            until=utc_or_none(until, "until"),
            newest_first=order == "newest",
        )
        with self._reading(space, as_of, known_at, principal, children) as reader:
            return page(reader, which, tuple(entities), cursor, limit)

    @operation(READS)
    def recall(
        self,
        query: p.Query,
        *,
        space: p.Space = None,
        limit: p.Hits = 10,
        view: p.Looking = "auto",
        kinds: p.Kinds = None,
        tags: p.WithTags = (),
        entities: p.Mentioning = (),
        session: p.InSession = None,
        speaker: p.BySpeaker = None,
        since: p.Since = None,
        until: p.Until = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        min_score: p.MinScore = None,
        recency_bias: p.RecencyBias = None,
        diversify: p.Diversify = 0.0,
        include_source: p.IncludeSource = True,
        explain: p.Explain = False,
        budget_tokens: p.BudgetTokens = None,
        neighbours: p.Neighbours = 0,
        review: p.ReviewToo = False,
        children: p.Children = False,
        principal: p.Principal = None,
    ) -> Answer:
        """Find what is known about a question, by meaning, words, graph and time together. Changes nothing."""
        wish = _wish(locals())
        scope = self._scope(space, as_of, known_at, principal, children)
        return self._with_review(scope, wish) if review else self._finder.recall(scope, wish)

    def _with_review(self, scope: Scope, wish: Wish) -> Answer:
        from treering.recall.review import Review, blended, widened

        with self._store.reader(scope) as reader:
            policies, at, share = Policies.of(reader), present(reader), reader.setting("review")["blend"]
        answer = self._finder.recall(scope, replace(wish, limit=widened(wish.limit)))
        wanted = Review(share, lambda memory: policies.zone.priority(policies.decay.score(memory, at)))
        return blended(answer, wish.limit, wanted)

    @operation(READS)
    def context(
        self,
        query: p.Query,
        *,
        space: p.Space = None,
        budget_tokens: p.Budget = 2_000,
        format: p.Format = "markdown",
        view: p.Looking = "auto",
        kinds: p.Kinds = None,
        tags: p.WithTags = (),
        entities: p.Mentioning = (),
        session: p.InSession = None,
        speaker: p.BySpeaker = None,
        since: p.Since = None,
        until: p.Until = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        children: p.Children = False,
        principal: p.Principal = None,
    ) -> Context:
        """What is known about a question as a block of text for a prompt: dated, cited, and quoted as data.

        What holds comes first, and what no longer does under a heading of its own. What happened or was said in a
        conversation is in order of time, the rest in order of rank. Never over budget; empty if nothing is known.
        """
        from treering.recall.context import context

        wish = _wish(locals())
        scope = self._scope(space, as_of, known_at, principal, children)
        return context(self._store, self._finder, scope, wish, format)

    @operation(READS)
    def why_not(
        self,
        query: p.Query,
        id: p.MemoryId,
        *,
        space: p.Space = None,
        limit: p.Hits = 10,
        view: p.Looking = "auto",
        kinds: p.Kinds = None,
        tags: p.WithTags = (),
        entities: p.Mentioning = (),
        session: p.InSession = None,
        speaker: p.BySpeaker = None,
        since: p.Since = None,
        until: p.Until = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        min_score: p.MinScore = None,
        principal: p.Principal = None,
    ) -> WhyNot:
        """What keeps a memory out of what `recall` answers to the same question and wishes."""
        from treering.recall.why_not import why_not

        wish = _wish(locals())
        return why_not(self._store, self._finder, self._scope(space, as_of, known_at, principal), wish, id)

    @operation(READS)
    def history(
        self, id: p.AnyId, *, space: p.Space = None, known_at: p.KnownAt = None, principal: p.Principal = None
    ) -> History:
        """Everything that ever happened to a memory, entity or edge: when, by whom, by which rule and why."""
        with self._reading(space, None, known_at, principal) as reader:
            return history_of(reader, id)


_WISHED = {
    "query",
    "limit",
    "min_score",
    "recency_bias",
    "diversify",
    "include_source",
    "explain",
    "budget_tokens",
    "neighbours",
}


def _wish(arguments: dict[str, Any]) -> Wish:
    """From the checked arguments of a question."""
    from treering.recall.wish import Looking, Wish

    given = {name: value for name, value in arguments.items() if name in _WISHED}
    kinds = arguments["kinds"]
    which = MemoryFilter(
        ids=arguments["self"]._among,
        kinds=None if kinds is None else tuple(Kind(kind) for kind in kinds),
        tags=tuple(arguments["tags"]),
        session=arguments["session"],
        speaker=arguments["speaker"],
        since=utc_or_none(arguments["since"], "since"),
        until=utc_or_none(arguments["until"], "until"),
    )
    return Wish(
        **given,
        view=Looking(str(arguments["view"])),
        which=which,
        entities=tuple(arguments["entities"]) or None,
        rerank=arguments["self"]._reranks,
    )
