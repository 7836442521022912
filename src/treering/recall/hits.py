"""What does the caller see of what was chosen? The few are loaded from the store, with sources, ties and reasons."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from treering.language.tokens import tokens_of
from treering.language.words import words
from treering.model.edge import CERTAIN, Edge, Link
from treering.model.entity import fold
from treering.model.memory import Kind, Memory, State, View
from treering.model.source import Source
from treering.recall.answer import ConflictingMemory, Explanation, Hit, Outdates, SourceRef
from treering.recall.explain import Reasons, explanation
from treering.recall.fuse import Fused
from treering.recall.present import HitCandidate, HitReading, Outdated
from treering.recall.question import Question
from treering.recall.search import Search
from treering.recall.talk import is_mostly_talk
from treering.recall.wish import Wish
from treering.store.contract import EdgeFilter, Evidence, MemoryFilter, Reader
from treering.store.support import with_support
from treering.values import dataclass

MEANT, WORDED = (9.0, 2.0), (4.0, 1.2)  # where the score is a half, and how fast it grows: with and without vectors
FEW_OF_A_LIST = 5
"""Who wants no more than so many hits wants all of a list among them."""
WHOLE, HALF = 0.999, 0.499
"""Shares of the words, but for rounding."""
BEARS = 0.1
"""A memory of this score bears on a task; what only happens to be known stays below it."""
BEHIND = 0.01
"""By so much in the sum of all that was said, what is outdated stands behind what holds."""
LESS, FAR_LESS = 1.0, 1.5
"""By so much in the sum of all that was said, one hit has less to do with the question than another; and by so many
times what the score grows with, far less."""
CONTRADICTS = Link.CONTRADICTS.value
_TIES = (Link.SUPERSEDES.value, Link.CONTRADICTS.value, Link.SUPPORTS.value)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A place in the pool of a space that is to become a hit."""

    reader: Reader
    search: Search
    fused: Fused
    place: int
    number: int
    id: str
    total: float
    costs: Mapping[str, float] = field(default_factory=dict)
    """What it cost in the order that others went before."""
    spoken_for: bool = True
    """Whether enough speaks for it by itself; if not, it is a hit only if it answers."""
    reads: float = 0.0
    """What speaks for letting a judge read it."""

    @property
    def at(self) -> tuple[Reader, Search, int]:
        """Where it lies."""
        return self.reader, self.search, self.number

    @property
    def states(self) -> bool:
        """Whether it states a fact that is asked for."""
        told = self.fused.features.get("asked")
        return told is not None and bool(told[self.place] > 0)


@dataclass(slots=True)
class Loaded:
    """What one space's store says of the chosen: memories, sources, and the edges that touch them."""

    memories: dict[str, Memory] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    ties: dict[str, list[Edge]] = field(default_factory=lambda: defaultdict(list))
    again: dict[str, list[Evidence]] = field(default_factory=lambda: defaultdict(list))
    """Where else each was said."""


def score_of(search: Search, total: float) -> float:
    """The sum of all that was said, between 0 and 1."""
    centre, width = _scale(search)
    return round(1 / (1 + math.exp(-(total - centre) / width)), 4)


def _scale(search: Search) -> tuple[float, float]:
    return WORDED if search.vector is None else MEANT


def hits_of(
    loaded: Loaded, chosen: list[Chosen], wish: Wish, question: Question, reading: HitReading | None
) -> tuple[tuple[Hit, ...], int]:
    """The hits, and about how many tokens their contents take. `reading`: who says what holds now, where the present is
    asked about; what a later hit outdates stands behind it then."""
    repeats: dict[tuple[str, str | None], list[Chosen]] = defaultdict(list)
    chosen = _changes_first(loaded, chosen)
    chosen, outdated = _in_order(loaded, chosen, question, reading, wish) if reading is not None else (chosen, {})
    for one in chosen:
        if one.id in loaded.memories:
            repeats[_words_of(loaded, one)].append(one)
    hits, tokens = [], 0
    told = _told_once(loaded, list(repeats.values()))
    all_are_asked_for = reading is not None and wish.limit <= FEW_OF_A_LIST and question.is_list
    told = told.with_more(set(outdated), all_are_asked_for)
    reasons: dict[int, Reasons] = {}
    for first, *others in (*told.first, *told.further):
        if wish.min_score is not None and score_of(first.search, first.total) < wish.min_score:
            continue
        size = tokens_of(loaded.memories[first.id].content)
        if wish.budget_tokens is not None and tokens + size > wish.budget_tokens:
            continue
        if id(first.search) not in reasons:
            reasons[id(first.search)] = Reasons(first.search, first.fused, wish.weights)
        hits.append(_hit(loaded, first, others, outdated, wish, reasons[id(first.search)]))
        tokens += size
        if len(hits) == wish.limit:
            break
    return tuple(hits), tokens


def _in_order(
    loaded: Loaded, chosen: list[Chosen], question: Question, reading: HitReading, wish: Wish
) -> tuple[list[Chosen], dict[str, Outdated]]:
    """What answers first, and what a later answer outdates behind it; none where nothing answers. What was only said
    beside an answer is left out, and where few hits are wanted what does not answer, or far less than the best; unless
    several things are asked for, or whatever is known of something."""
    known = [one for one in chosen if one.id in loaded.memories]
    candidates = [
        HitCandidate(one.id, memory, loaded.sources.get(memory.source_id), one.total, one.states, one.reads)
        for one in known
        for memory in (loaded.memories[one.id],)
    ]
    told = reading.present(question.text, candidates)
    narrowed = wish.entities is not None or wish.which != MemoryFilter(view=wish.which.view)
    # Who narrows it down knows that there is something.
    said = (question.asks_whether or question.is_open) and _covered(known) > (HALF if question.is_open else WHOLE)
    # A task is not answered: what bears on it, by all that was said for it, is of use too.
    asks = question.is_question or question.is_list or question.is_open
    bears = frozenset[str]() if asks else _bearing(known)
    by_id = {one.id: one for one in known}
    read = [by_id[one] for one in told.lifts]
    may_be_silent = not narrowed and not said and not bears
    if may_be_silent and reading.silences(told, lambda: is_mostly_talk([one.at for one in read])):
        return [], {}
    outdated = {
        one: way
        for one, way in told.outdated.items()
        if not _contradict(loaded, way) and not _states_another(by_id[way.id], by_id[way.by])
    }
    total = {one.id: one.total + told.lifts.get(one.id, 0.0) for one in known}
    for one, way in outdated.items():
        total[way.by] = max(total[way.by], total[one])  # it hands its place to what holds
    for one, way in outdated.items():
        total[one] = min(total[one], total[way.by] - BEHIND)
    may_be = {one.id for one in known if one.spoken_for} | told.answers
    if not narrowed and not question.is_list and not question.is_open:
        may_be -= told.asides
    if not narrowed and reading.leaves_out(wish.few):
        if question.is_open:
            may_be &= told.answers | {one.id for one in known if _covered([one]) > 0}
        elif told.answers:
            may_be = may_be - told.idle if question.is_list else may_be & told.answers - told.faint
        else:
            may_be &= bears | {one.id for one in known if _covered([one]) > 0}
        may_be |= bears
    kept = [replace(one, total=total[one.id]) for one in known if one.id in may_be]
    return sorted(kept, key=lambda one: -one.total), outdated


def _bearing(known: list[Chosen]) -> frozenset[str]:
    return frozenset(one.id for one in known if one.spoken_for and score_of(one.search, one.total) >= BEARS)


def _covered(chosen: list[Chosen]) -> float:
    """How much of what the question's words tell one of them holds: all of "Is Tom coming?" where he was said to."""
    covers = ((one.fused.features.get("cover"), one.place) for one in chosen)
    return max((float(cover[place]) for cover, place in covers if cover is not None), default=0.0)


def _changes_first(loaded: Loaded, chosen: list[Chosen]) -> list[Chosen]:
    """Where what was before something is asked for, a state that began only then hands its place to the change that led
    to it, told in the same words: "I left Google to join Anthropic"."""
    known = [(one, loaded.memories[one.id]) for one in chosen if one.id in loaded.memories]
    changes = {(each.source_id, each.span): one for one, each in reversed(known) if each.kind is Kind.EPISODE}
    total: dict[str, float] = {}
    for one, state in known:
        change = changes.get((state.source_id, state.span))
        if change is not None and _begins_afterwards(one, state):
            total[change.id] = max(change.total, one.total)
            total[one.id] = min(one.total, total[change.id] - BEHIND)
    if not total:
        return chosen
    moved = [_moved(one, total.get(one.id, one.total)) for one in chosen]
    return sorted(moved, key=lambda one: -one.total)


def _moved(one: Chosen, total: float) -> Chosen:
    return replace(one, total=total, reads=one.reads + total - one.total)


def _begins_afterwards(one: Chosen, memory: Memory) -> bool:
    return memory.kind is not Kind.EPISODE and any(
        window.start is None and window.end is not None and memory.valid_from >= window.end
        for window in one.search.question.windows
    )


def _states_another(old: Chosen, new: Chosen) -> bool:
    """What states the very fact that is asked for, which still holds, does not give way to what states another."""
    if not old.states or new.states:
        return False
    facts = new.reader.edges(EdgeFilter(evidence_id=new.id, facts_only=True))
    return any(edge.confidence >= CERTAIN for edge in facts)


def _contradict(loaded: Loaded, way: Outdated) -> bool:
    """Both sides of a contradiction are shown."""
    ends = {way.id, way.by}
    return any({edge.source_id, edge.target_id} == ends for edge in loaded.ties[way.id] if edge.relation == CONTRADICTS)


@dataclass(frozen=True, slots=True)
class _Told:
    """The best of every source before a second one of any: what else was said in one breath can be read there."""

    first: list[list[Chosen]] = field(default_factory=list)
    further: list[list[Chosen]] = field(default_factory=list)
    second: set[str] = field(default_factory=set)
    """The ids of those among the further ones that are the second of their source."""

    def with_more(self, outdated_ids: set[str], all_are_asked_for: bool) -> _Told:
        """A second one goes before what has far less to do with the question, unless it is outdated. Where all there
        are is asked for in few hits it is one more of them, as is a third, and less will do."""
        more = [group for group in self.further if all_are_asked_for or group[0].id in self.second]
        more = [group for group in more if group[0].id not in outdated_ids]
        first: list[list[Chosen]] = []
        for place, group in enumerate(self.first):
            best = max(one[0].total for one in self.first[place:])
            while more and more[0][0].total - (LESS if all_are_asked_for else _far_less(more[0][0])) > best:
                first.append(more.pop(0))
            first.append(group)
        return _Told(first, [group for group in self.further if group not in first])


def _far_less(one: Chosen) -> float:
    _, width = _scale(one.search)
    return FAR_LESS * width


def _told_once(loaded: Loaded, groups: list[list[Chosen]]) -> _Told:
    told: dict[str, int] = defaultdict(int)
    found = _Told()
    for group in groups:
        source = loaded.memories[group[0].id].source_id
        told[source] += 1
        (found.first if told[source] == 1 else found.further).append(group)
        if told[source] == 2:
            found.second.add(group[0].id)
    return found


def _words_of(loaded: Loaded, one: Chosen) -> tuple[str, str | None]:
    memory = loaded.memories[one.id]
    return said_by(memory, loaded.sources.get(memory.source_id))


def said_by(memory: Memory, source: Source | SourceRef | None) -> tuple[str, str | None]:
    """The same words of the same speaker say the same, however they are written."""
    return " ".join(words(memory.content)) or fold(memory.content), source.speaker if source else None


def load(chosen: list[Chosen], wish: Wish) -> Loaded:
    loaded = Loaded()
    by_reader: dict[int, list[Chosen]] = defaultdict(list)
    for one in chosen:
        by_reader[id(one.reader)].append(one)
    for some in by_reader.values():
        reader, ids = some[0].reader, [one.id for one in some]
        beside = [other for one in some for other in _beside(one, wish.neighbours)]
        ties = reader.edges(EdgeFilter(either_ids=tuple(ids), relations=_TIES))
        ends = [end for edge in ties for end in (edge.source_id, edge.target_id)]
        wanted = tuple(dict.fromkeys([*ids, *beside, *ends]))
        found = with_support(reader, reader.memories(MemoryFilter(view=View.ALL, ids=wanted)))
        loaded.memories.update({memory.id: memory for memory in found})
        again = reader.evidence(ids)
        loaded.sources.update(reader.sources({memory.source_id for memory in found} | {one.source_id for one in again}))
        for one_more in again:
            loaded.again[one_more.memory_id].append(one_more)
        for edge in ties:
            loaded.ties[edge.source_id].append(edge)
            loaded.ties[edge.target_id].append(edge)
    return loaded


def _beside(one: Chosen, reach: int) -> Iterable[str]:
    if not reach:
        return
    for _, numbers in one.search.beside(one.fused.pool[one.place : one.place + 1], reach):
        if numbers[0] >= 0:
            yield one.search.index.ids[int(numbers[0])]


def _hit(
    loaded: Loaded,
    one: Chosen,
    repeats: list[Chosen],
    outdated: Mapping[str, Outdated],
    wish: Wish,
    reasons: Reasons,
) -> Hit:
    memory, way = loaded.memories[one.id], outdated.get(one.id)
    ties = loaded.ties[one.id]
    resting = [memory, *(loaded.memories[other.id] for other in repeats)]
    said = [(each.source_id, each.span) for each in resting]
    said += [(again.source_id, again.span) for each in resting for again in loaded.again[each.id]]
    sources = [(span, loaded.sources.get(source_id)) for source_id, span in said]
    order = {other: place for place, other in enumerate(_beside(one, wish.neighbours))}
    beside = [loaded.memories[other] for other in order if other in loaded.memories]
    beside.sort(key=lambda other: one.search.index.number[other.id])
    return Hit(
        memory=memory,
        score=score_of(one.search, one.total),
        why=reasons.why(one.place),
        sources=tuple(_ref(span, source, wish.include_source) for span, source in sources if source is not None),
        superseded_by=memory.superseded_by if memory.state is State.SUPERSEDED else None,
        supersedes=tuple(
            edge.target_id for edge in ties if edge.relation == Link.SUPERSEDES and edge.source_id == one.id
        ),
        conflicts=tuple(_conflicts(loaded, one.id, ties)),
        outdates=tuple(
            Outdates(memory_id=old.id, content=loaded.memories[old.id].content, why=old.why)
            for old in outdated.values()
            if old.by == one.id
        ),
        outdated_by=way.by if way is not None else None,
        support=memory.support,
        supporters=len(said) - 1 + sum(edge.relation == Link.SUPPORTS and edge.target_id == one.id for edge in ties),
        before=tuple(other for other in beside if one.search.index.number[other.id] < one.number),
        after=tuple(other for other in beside if one.search.index.number[other.id] > one.number),
        explanation=_explained(one, wish) if wish.explain else None,
    )


def _explained(one: Chosen, wish: Wish) -> Explanation:
    return explanation(one.reader, one.search, one.fused, one.place, wish.weights, one.costs)


def _conflicts(loaded: Loaded, memory_id: str, ties: list[Edge]) -> Iterable[ConflictingMemory]:
    for edge in ties:
        if edge.relation == Link.CONTRADICTS:
            other = loaded.memories.get(edge.target_id if edge.source_id == memory_id else edge.source_id)
            if other is not None:
                yield ConflictingMemory(
                    memory_id=other.id,
                    content=other.content,
                    state=other.state,
                    valid_from=other.valid_from,
                    valid_until=other.valid_until,
                    why=edge.why,
                )


def _ref(span: tuple[int, int], source: Source, with_text: bool) -> SourceRef:
    start, end = span
    return SourceRef(
        id=source.id,
        key=source.key,
        speaker=source.speaker,
        session=source.session,
        occurred_at=source.occurred_at,
        span=span,
        meta=source.meta,
        text=source.content[start:end] if with_text else None,
    )
