"""The part of the door by which questions are answered."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from treering import parameters as p
from treering.access.rights import Role
from treering.door.ground import Ground
from treering.errors import Conflict, TreeringError
from treering.graph.history import History
from treering.graph.history import history as history_of
from treering.model.memory import Kind, Memory, State, Tier, View
from treering.model.time import from_micros, utc_or_none
from treering.operation import READS, operation
from treering.recall.answer import Answer, Context, WhyNot
from treering.recall.listing import Page, page
from treering.store.contract import MemoryFilter, Scope
from treering.store.naming import missing
from treering.store.support import with_support
from treering.upkeep.policies import Policies, present
from treering.upkeep.use import recalled

if TYPE_CHECKING:
    from treering.recall.wish import Wish

T = TypeVar("T")
log = logging.getLogger(__name__)


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
            found = reader.memories(MemoryFilter(view=View.ALL, ids=(id,)))
            if not found:
                raise missing(reader, id, "id", "memory")
            if len(found) > 1:
                names = ", ".join(sorted(one.space for one in found))
                raise Conflict(f"id: there is a memory {id!r} in each of {names}; name its space to say which is meant")
            return with_support(reader, found)[0]

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
        states: p.InStates = None,
        tiers: p.InTiers = None,
        words: p.WithWords = None,
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
            states=None if states is None else tuple(State(one) for one in states),
            tiers=None if tiers is None else tuple(Tier(one) for one in tiers),
            words=tuple((words or "").split()),
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
        from treering.recall.wish import Looking, Wish

        wish = Wish(
            query=query,
            limit=limit,
            view=Looking(str(view)),
            which=self._those(kinds, tags, session, speaker, since, until),
            entities=tuple(entities) or None,
            min_score=min_score,
            recency_bias=recency_bias,
            diversify=diversify,
            include_source=include_source,
            explain=explain,
            budget_tokens=budget_tokens,
            neighbours=neighbours,
            skip=self._skips,
            rerank=self._reranks,
            judged=self._judges,
        )
        scope = self._scope(space, as_of, known_at, principal, children)
        answer = self._with_review(scope, wish) if review else self._finder.recall(scope, wish)
        self._count_uses(
            scope, lambda: {one.space: one.seq for one in answer.index}, lambda: (hit.memory for hit in answer)
        )
        return answer

    def _count_uses(
        self, scope: Scope, stands: Callable[[], Mapping[str, int]], memories: Callable[[], Iterable[Memory]]
    ) -> None:
        """In those spaces that ask for it. `stands`: how far the spaces had come that were asked. Who asks about the past,
        or about what was known then, only looks something up."""
        if not self._counts_uses or scope.as_of is not None or scope.known_at is not None:
            return
        try:
            asking = {name for name, seq in stands().items() if self._uses.asked_for(name, seq, self._asks_to_touch)}
            used = [(one.space, one.id) for one in memories() if one.space in asking] if asking else []
        except TreeringError as error:
            log.warning("whether what was recalled is to be counted could not be read (%s)", error)
        else:
            self._uses.note(self._writer.actor, used, self._write_uses)

    def _asks_to_touch(self, space: str) -> bool:
        with self._store.reader(Scope(space, from_micros(0))) as reader:  # at present, whatever the clock says
            return bool(reader.setting("touch_on_recall"))

    def _write_uses(self, space: str, times: Mapping[str, int]) -> int:
        return self._write(space, lambda act: recalled(act, times), takes=Role.READ)  # who reads it uses it

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
        from treering.recall.wish import Looking, Wish

        wish = Wish(
            query=query,
            view=Looking(str(view)),
            which=self._those(kinds, tags, session, speaker, since, until),
            entities=tuple(entities) or None,
            budget_tokens=budget_tokens,
            skip=self._skips,
            rerank=self._reranks,
            judged=self._judges,
        )
        scope = self._scope(space, as_of, known_at, principal, children)
        written = context(self._store, self._finder, scope, wish, format)
        self._count_uses(scope, lambda: self._stands(scope), lambda: self._cited(scope, written))
        return written

    def _stands(self, scope: Scope) -> dict[str, int]:
        if not scope.children:
            return {scope.space: self._store.head(scope.space).seq}
        every = self._store.spaces()
        return {one.name: one.seq for one in every if f"{one.name}/".startswith(f"{scope.space}/")}

    def _cited(self, scope: Scope, written: Context) -> Sequence[Memory]:
        with self._store.reader(scope) as reader:
            return reader.memories(MemoryFilter(view=View.ALL, ids=written.citations))

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
        from treering.recall.wish import Looking, Wish

        wish = Wish(
            query=query,
            limit=limit,
            view=Looking(str(view)),
            which=self._those(kinds, tags, session, speaker, since, until),
            entities=tuple(entities) or None,
            min_score=min_score,
            skip=self._skips,
            rerank=self._reranks,
            judged=self._judges,
        )
        return why_not(self._store, self._finder, self._scope(space, as_of, known_at, principal), wish, id)

    @operation(READS)
    def history(
        self, id: p.AnyId, *, space: p.Space = None, known_at: p.KnownAt = None, principal: p.Principal = None
    ) -> History:
        """Everything that ever happened to a memory, entity or edge: when, by whom, by which rule and why."""
        with self._reading(space, None, known_at, principal) as reader:
            return history_of(reader, id)

    def _those(
        self,
        kinds: Sequence[str] | None,
        tags: Sequence[str],
        session: str | None,
        speaker: str | None,
        since: p.Since,
        until: p.Until,
    ) -> MemoryFilter:
        """The memories among which an answer is looked for."""
        return MemoryFilter(
            ids=self._among,
            kinds=None if kinds is None else tuple(Kind(kind) for kind in kinds),
            tags=tuple(tags),
            session=session,
            speaker=speaker,
            since=utc_or_none(since, "since"),
            until=utc_or_none(until, "until"),
        )
