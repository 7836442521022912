"""How does a question find its memories? Read it, let the signals weigh what it may see, select, load the few, explain.

Nothing is written. The same question to the same state gives the same answer, in any process.
"""

from __future__ import annotations

import logging
import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import field, replace
from datetime import datetime
from functools import lru_cache, partial
from typing import TypeVar, cast

import numpy as np

from treering.language.when.window import Window
from treering.mind.contract import Choice, Embedder, Reranker
from treering.mind.judging import Asking, Judge
from treering.model.memory import View
from treering.model.time import Moment
from treering.recall.alike import Alike
from treering.recall.anchored import anchored
from treering.recall.answer import Answer, Hit, IndexState
from treering.recall.floor import asks_nothing, is_sure, passes_floor, stands_out
from treering.recall.fuse import SIGNALS, Fused, fuse, worded
from treering.recall.graph import Walk
from treering.recall.hits import Chosen, hits_of, load
from treering.recall.index.columns import Numbers
from treering.recall.index.distant import Distant, DistantQuery
from treering.recall.index.nearness import Meanings
from treering.recall.index.space import SpaceIndex
from treering.recall.index_cache import IndexCache
from treering.recall.keyword import Keywords
from treering.recall.present import AS_OF, FETCHED, HitReading, manner_of
from treering.recall.question import Question, named_speakers, read_question
from treering.recall.rerank import Reranking
from treering.recall.search import Search, best_first
from treering.recall.select import SPARE, Order, Ordered, in_order
from treering.recall.semantic import SHORTLIST
from treering.recall.visibility import VisibleMemories, narrow
from treering.recall.wish import Looking, Wish
from treering.store.contract import Measuring, MemoryFilter, Reader, Scope, SpaceVersion, Store
from treering.values import dataclass

log = logging.getLogger(__name__)
T = TypeVar("T")
HITS_IN_DOUBT = 5


@dataclass(slots=True)
class Stopwatch:
    """Milliseconds a stage."""

    spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.spent[name] = self.spent.get(name, 0.0) + (time.perf_counter() - start) * 1000


@dataclass(frozen=True, slots=True)
class Weighed:
    """One space's part of the answer: what was put to it, and what it has."""

    reader: Reader
    search: Search
    fused: Fused
    state: IndexState


@dataclass(frozen=True, slots=True)
class Weighing:
    """A question as it was read, and what each space has to say to it."""

    question: Question
    view: View
    spaces: list[Weighed]
    moment: Moment
    asking: Callable[[], Asking | None]
    """What the question is about, as a judge says; None where the hits are not to be read."""
    reranking: Reranking | None = None


class Finder:
    """Answers questions over one store."""

    def __init__(
        self, store: Store, minds: Choice, reranker: Reranker | None = None, judge: Judge | None = None
    ) -> None:
        """`judge`: who says what holds now; without one the hits stand as the signals weigh them."""
        self._store, self._minds, self._cache = store, minds, IndexCache(store)
        self._reranker, self._judge = reranker, judge
        self._asking, self._lock = 0, threading.Lock()
        """How many ask at this moment."""

    def recall(self, scope: Scope, wish: Wish) -> Answer:
        watch = Stopwatch()
        with self.weighing(scope, wish, watch, judged=wish.judged) as weighing:
            question, weighed, moment = weighing.question, weighing.spaces, weighing.moment
            reranking = weighing.reranking
            with watch.stage("judge"):
                asks = not asks_nothing(question, weighed)
                related = asks and passes_floor(question, weighed)
                reading = self._reading(weighing, related, scope.as_of) if asks else None
            passed = reading is not None or related  # who reads the hits says whether one answers
            in_doubt = wish.limit > HITS_IN_DOUBT and not is_sure(question, weighed)
            if in_doubt:
                wish = replace(wish, limit=min(wish.limit, HITS_IN_DOUBT))
            hits, tokens = self._hits(question, weighed if passed else [], wish, watch, reading)
            ran = {name for one in weighed for name, parts in SIGNALS.items() if one.fused.features.keys() & {*parts}}
        log.debug(
            "the floor is %s%s; hits: %s",
            "passed" if passed else "not passed",
            ", in doubt" if in_doubt else "",
            ", ".join(f"{one.memory.id} {one.score:.4f}" for one in hits) or "none",
        )
        watch.spent["total"] = sum(watch.spent.values())
        return Answer(
            query=wish.query,
            hits=hits,
            view=weighing.view,
            as_of=moment.as_of,
            known_at=moment.known_at,
            windows=_windows(question, weighed),
            signals=tuple(name for name in SIGNALS if name in ran),
            reranked_by=reranking.by if reranking else None,
            judged_by=None if reading is None else reading.judge.name,
            trouble=reranking.trouble if reranking else None,
            below_floor=0 if hits or (passed and reading is None) else sum(len(one.fused.pool) for one in weighed),
            in_doubt=in_doubt and passed,
            index=tuple(one.state for one in weighed),
            tokens=tokens,
            milliseconds={name: round(spent, 3) for name, spent in watch.spent.items()},
        )

    def _hits(
        self, question: Question, weighed: list[Weighed], wish: Wish, watch: Stopwatch, reading: HitReading | None
    ) -> tuple[tuple[Hit, ...], int]:
        """Some more are chosen than asked for, since those that say the same stand as one and a later value takes an
        older one's place; if that was not enough, more again."""
        more, kin = (FETCHED, reading.manner.kin) if reading is not None else (0, 0.0)
        wanted = max(math.ceil(wish.limit * SPARE) + 2 + more // 2, more)
        while True:
            with watch.stage("select"):
                chosen = choose(question, weighed, wish, wanted, more, kin)
            with watch.stage("load"):
                loaded = load(chosen, wish)
            with watch.stage("load" if reading is None else "judge"):
                hits, tokens = hits_of(loaded, chosen, wish, question, reading)
            all_there_are = len(chosen) < wanted or wish.budget_tokens is not None
            # Who reads has read the best, and they stay the best among more.
            all_that_answer = reading is not None and (not hits or reading.leaves_out(wish.few))
            if len(hits) >= wish.limit or all_there_are or all_that_answer:
                return hits, tokens
            wanted *= 4

    def _what_is_asked(self, question: Question, view: View, scope: Scope) -> Callable[[], Asking | None]:
        """A judge reads what the question is about while the signals are weighed."""
        judge = self._judge
        past = view is not View.CURRENT or question.about_past or question.is_recap
        if judge is None or (past and scope.as_of is None):
            return _unread
        return self._meanwhile(lambda: judge.asking(question.text))

    def _reading(self, weighing: Weighing, related: bool, as_of: datetime | None) -> HitReading | None:
        """Who reads the hits and how; None where they stand as they are weighed."""
        asking, named = weighing.asking(), _named(weighing.spaces)
        count = sum(one.search.candidates for one in weighing.spaces)
        if asking is None or self._judge is None:
            return None
        if as_of is not None:
            return None if named else HitReading(self._judge, AS_OF, related, until=as_of, candidates=count)
        manner = manner_of(weighing.question.text, asking, named)
        out = stands_out(weighing.spaces)
        return None if manner is None else HitReading(self._judge, manner, related, out, candidates=count)

    def _meanwhile(self, ask: Callable[[], T]) -> Callable[[], T]:
        """A model reads while the words are looked up: neither needs the other. Where others ask at the same time they
        keep the cores busy, and it is read when it is needed."""
        return ask if self._asking > 1 else _ahead(os.getpid()).submit(ask).result

    def nearest(
        self, scope: Scope, embedder: str, vectors: Sequence[Numbers], limit: int
    ) -> list[list[tuple[str, float]]]:
        """For each vector the memories nearest to it, with their cosines, in whatever state: never one that is private
        to others."""
        with self._store.reader(scope) as reader, self._store.snapshot(reader) as snapshot:
            if not reader.spaces or not vectors:
                return [[] for _ in vectors]
            index = self._cache.index(snapshot, scope.space, embedder, len(vectors[0])).index
            seen = np.ones(len(index), bool)
            seen[[index.number[one] for one in reader.hidden(View.ALL).ids if one in index.number]] = False
            held = meanings(index, reader, MemoryFilter(view=View.ALL), seen, limit)
            return [_nearest(index, held, seen, vector, limit) for vector in vectors]

    def alike(self, scope: Scope) -> Alike | None:
        """The vectors of a space, to compare its memories with one another; none where nobody has read it."""
        with self._store.reader(scope) as reader, self._store.snapshot() as snapshot:
            embedder = self._embedder(reader, scope, snapshot.version(scope.space))
            if embedder is None or not reader.spaces:
                return None
            if self._store.measures:  # every pair is compared: all must be at hand
                index = SpaceIndex(scope.space, embedder.name, embedder.dims)
                index.follow(snapshot)
            else:
                index = self._cache.index(snapshot, scope.space, embedder.name, embedder.dims).index
        return None if index.vectors is None or not len(index.vectors) else Alike(index, index.vectors)

    def keep_indexes(self) -> None:
        """Writes down, beside the store, what would take long to learn again. Nothing depends on it."""
        self._cache.keep()

    def drop_indexes(self, space: str) -> None:
        """Lets go of what is in memory about a space: it is learned anew at the next question."""
        self._cache.drop(space)

    def kept_spaces(self) -> list[str]:
        """Those of which an index is in memory."""
        return self._cache.spaces()

    def bring_up(self, space: str) -> None:
        """Lets the indexes of a space learn what is new before anybody asks."""
        self._cache.bring_up(space)

    def close(self) -> None:
        self._cache.close()

    @contextmanager
    def weighing(
        self, scope: Scope, wish: Wish, watch: Stopwatch, also: tuple[str, ...] = (), judged: bool = False
    ) -> Iterator[Weighing]:
        """Every space of the scope with all its signals weighed; the readers are open as long as this is. `judged`:
        whether a judge is to read the hits."""
        with ExitStack() as stack:
            stack.enter_context(self._one_more())
            reader = stack.enter_context(self._store.reader(scope))
            with watch.stage("read"):
                question = read_question(wish.query, reader.moment.as_of)
            view, found = _view(wish.view, question), []
            asking = self._what_is_asked(question, view, scope) if judged else _unread
            for space in reader.spaces:
                one, own = reader, scope
                if scope.children:
                    # the present of the whole, so that every space is seen at the same moment
                    own = replace(scope, space=space, children=False, now=max(scope.now, reader.head.at or scope.now))
                    one = stack.enter_context(self._store.reader(own))
                found.append(self._weigh(one, own, question, view, wish, watch, also))
            reranking = self._reranking(question, found, wish)
            if reranking is not None:
                with watch.stage("rerank"):
                    sums = reranking.of([(one.reader, one.search, one.fused) for one in found])
                found = [replace(one, fused=fused) for one, fused in zip(found, sums, strict=True)]
            yield Weighing(question, view, found, reader.moment, asking, reranking)

    def _reranking(self, question: Question, weighed: list[Weighed], wish: Wish) -> Reranking | None:
        """None where nobody reranks, and where nothing known has to do with the question."""
        if self._reranker is None or not wish.rerank or not passes_floor(question, weighed):
            return None
        return Reranking(self._reranker, question.text, wish.limit, wish.weights)

    @contextmanager
    def _one_more(self) -> Iterator[None]:
        with self._lock:
            self._asking += 1
        try:
            yield
        finally:
            with self._lock:
                self._asking -= 1

    def _weigh(
        self,
        reader: Reader,
        scope: Scope,
        question: Question,
        view: View,
        wish: Wish,
        watch: Stopwatch,
        also: tuple[str, ...],
    ) -> Weighed:
        with self._store.snapshot(reader) as snapshot:
            version = snapshot.version(scope.space)
            embedder = self._embedder(reader, scope, version)
            reading = self._meanwhile(partial(embedder.embed_question, question.text)) if embedder else None
            with watch.stage("index"):
                name, dims = (embedder.name, embedder.dims) if embedder else (None, 0)
                cached = self._cache.index(snapshot, scope.space, name, dims, version)
                index = cached.index
            with watch.stage("sight"):
                present = scope.as_of is None and scope.known_at is None
                visible = cached.visibility.visible(index, reader, snapshot, view, present)
                which = _which(reader, wish, index)
                allowed = narrow(index, visible, which, reader)
                told = anchored(question, reader, index, visible)
                question = told.question
        named = named_speakers(question, index.speaker_words, visible.speakers)
        among = which if which.view is view else replace(which, view=view)
        vectors = meanings(index, reader, among, allowed, wish.limit)
        search = Search(
            index, visible, allowed, question, named, None, wish.skip, vectors, told.borders, told.before_facts
        )
        with watch.stage("words"):
            keywords = Keywords(search) if search.runs("keyword") else None
            if keywords is not None and isinstance(vectors, DistantQuery) and search.runs("semantic"):
                vectors.bring(worded(search, keywords))  # while the question is being read
        with watch.stage("names"):
            walk = Walk(search, reader) if search.runs("graph") else None
        with watch.stage("embed"):
            vector = reading() if reading is not None else None
        read = _read(index, visible)
        # what nobody has read is asked as if there were no embedder: words, graph and time are all there is
        search = replace(search, vector=vector if search.runs("semantic") and read else None)
        with watch.stage("weigh"):
            fused = fuse(search, reader, keywords, walk, wish.weights, wish.recency_bias, also)
        log.debug(
            "%s: asked for the %s view, embedded by %s: %d of %d memories may be seen, %d are weighed",
            *(scope.space, view.value, name or "nobody", visible.count, len(index), len(fused.pool)),
        )
        return Weighed(reader, search, fused, _state(reader, search, read))

    def _embedder(self, reader: Reader, scope: Scope, version: SpaceVersion) -> Embedder | None:
        """Who reads the space today, whatever moment is asked about: of older readers there are no vectors left."""
        kept = list(version.read)
        if scope.known_at is None:
            return self._minds.reads(reader.setting("embedder"), kept)
        with self._store.reader(replace(scope, known_at=None)) as today:
            return self._minds.reads(today.setting("embedder"), kept)


def meanings(index: SpaceIndex, reader: Reader, which: MemoryFilter, allowed: Numbers, hits: int) -> Meanings | None:
    """What the memories of a space are compared by; `which` leaves those that `allowed` marks, and so many `hits` are
    wanted of them."""
    if isinstance(index.vectors, Distant):
        return DistantQuery(index, index.vectors, cast(Measuring, reader), which, allowed, hits)
    return index.vectors


def _nearest(
    index: SpaceIndex, held: Meanings | None, seen: Numbers, vector: Numbers, limit: int
) -> list[tuple[str, float]]:
    if held is None:
        return []
    some = held.shortlist(vector, seen, SHORTLIST)
    cosines = held.cosines(vector, some)
    best = best_first(some, cosines, limit)
    return [(index.ids[int(some[place])], float(cosines[place])) for place in best]


def _unread() -> None:
    return None


@lru_cache(maxsize=1)
def _ahead(process: int) -> ThreadPoolExecutor:
    """Threads to embed questions on. A forked process needs its own."""
    return ThreadPoolExecutor(min(4, os.cpu_count() or 1), thread_name_prefix="treering-question")


def _windows(question: Question, weighed: list[Weighed]) -> tuple[Window, ...]:
    """Those that it names, and those that its events stand for in any of the spaces."""
    return tuple(dict.fromkeys((*question.windows, *(each for one in weighed for each in one.search.question.windows))))


def _which(reader: Reader, wish: Wish, index: SpaceIndex) -> MemoryFilter:
    """With entities by id, and the speaker as the space spells the name."""
    which = wish.which
    if which.speaker is not None and len(spelled := index.spelled_like(which.speaker)) == 1:
        which = replace(which, speaker=spelled[0])
    if wish.entities is None:
        return which
    return replace(which, entity_ids=tuple(entity_ids(reader, wish.entities)))


def _state(reader: Reader, search: Search, read: int) -> IndexState:
    index, visible = search.index, search.visible
    return IndexState(
        space=index.space,
        seq=reader.head.seq,
        memories=visible.count,
        embedder=index.embedder,
        embedded=read,
    )


def _read(index: SpaceIndex, visible: VisibleMemories) -> int:
    """How many memories have vectors, among what may be seen: how much else there is, is nobody's business."""
    if index.vectors is None:
        return 0
    return int(np.count_nonzero(index.vectors.read[: visible.known] & visible.seen))


def choose(
    question: Question, weighed: list[Weighed], wish: Wish, wanted: int, read: int = 0, kin: float = 0.0
) -> list[Chosen]:
    """The best of every space, in one order, `wanted` of each if there are. `read`: how many a judge reads; `kin`: how
    much being like the best speaks for being read."""
    chosen = [found for one in weighed for found in _chosen(one, ordered(question, one, wish, wanted, read, kin))]
    if len(weighed) > 1:
        chosen.sort(key=lambda one: -one.total)
    return chosen


def ordered(question: Question, one: Weighed, wish: Wish, wanted: int, read: int = 0, kin: float = 0.0) -> Ordered:
    order = Order(wish.limit, wanted, question.is_list, wish.diversify, wish.weights, read, kin)
    return in_order(one.search, one.fused, order)


def _chosen(one: Weighed, found: Ordered) -> Iterator[Chosen]:
    places = found.places
    numbers, totals = one.fused.pool[places].tolist(), one.fused.score[places].tolist()
    for place, number, total in zip(places, numbers, totals, strict=True):
        memory_id, costs = one.search.index.ids[number], found.costs.get(place, {})
        spoken_for = place not in found.unspoken_for
        reads = found.reads.get(place, total)
        yield Chosen(one.reader, one.search, one.fused, place, number, memory_id, total, costs, spoken_for, reads)


def _named(weighed: Sequence[Weighed]) -> bool:
    """Whether the question names one of those who talked with one another."""
    return any(one.search.named.speakers for one in weighed)


def _view(asked: Looking, question: Question) -> View:
    if asked is Looking.AUTO:
        return View.HISTORY if question.about_past else View.CURRENT
    return View(asked.value)


def entity_ids(reader: Reader, names: tuple[str, ...]) -> Iterator[str]:
    """Of the entities that answer to these names."""
    for name in names:
        by_id = reader.entity(name)
        yield from [by_id.id] if by_id else (one.id for one in reader.entities(name))
