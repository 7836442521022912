"""What kept a memory out of an answer? The same question asked again, with an eye on one memory.

The first thing that keeps it out is told first: not known, not valid, not in view, filtered away; then, if it was
weighed at all, why others came before it. A memory that who asks may not see is as one that never was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from treering.model.memory import SHOWN, Memory, State, View
from treering.model.time import to_text
from treering.recall.answer import Answer, Explanation, Hit, WhyNot
from treering.recall.explain import explanation
from treering.recall.find import (
    HITS_IN_DOUBT,
    Finder,
    Stopwatch,
    Weighed,
    Weighing,
    entity_ids,
    ordered,
)
from treering.recall.floor import asks_nothing, floor, passes_floor
from treering.recall.hits import said_by, score_of
from treering.recall.select import FIRST, least_evidence
from treering.recall.visibility import narrow
from treering.recall.wish import Wish
from treering.store.contract import MemoryFilter, Reader, Scope, Store
from treering.store.naming import missing
from treering.values import dataclass

WORDS_SHOWN = 60


def why_not(store: Store, finder: Finder, scope: Scope, wish: Wish, memory_id: str) -> WhyNot:
    answer = finder.recall(scope, replace(wish, explain=True))
    needed = answer.hits[-1].score if answer.hits else None
    said = WhyNot(query=wish.query, memory_id=memory_id, found=False, reasons=(), needed=needed)
    with finder.weighing(scope, wish, Stopwatch(), also=(memory_id,)) as weighing:
        for one in weighing.spaces:
            memory = one.reader.memory(memory_id)
            if memory is not None and memory_id in one.search.index.number:
                return _weighed(said, _Case(memory, one, weighing, wish, answer))
    return replace(said, reasons=(_not_known(store, scope, memory_id),))


def _not_known(store: Store, scope: Scope, memory_id: str) -> str:
    with store.reader(replace(scope, known_at=None)) as reader:
        memory = reader.memory(memory_id)
        if memory is None or scope.known_at is None:
            raise missing(reader, memory_id, "id", "memory")
    return f"It was not known at {to_text(scope.known_at)}: it was recorded at {to_text(memory.recorded_at)}."


@dataclass(frozen=True, slots=True)
class _Case:
    """The memory in question as it stands at the moment, what was weighed, and what was answered."""

    memory: Memory
    weighed: Weighed
    weighing: Weighing
    wish: Wish
    answer: Answer

    @property
    def place(self) -> int | None:
        """Where in the pool it is, if it may be an answer at all."""
        number = self.weighed.search.index.number.get(self.memory.id, -1)
        found = np.flatnonzero(self.weighed.fused.pool == number)
        return int(found[0]) if len(found) else None

    def score(self, place: int) -> float:
        return score_of(self.weighed.search, float(self.weighed.fused.score[place]))

    def rank(self, place: int) -> int:
        """As the hits are put in order: by score, then by when they were learned."""
        score, pool = self.weighed.fused.score, self.weighed.fused.pool
        before = (score > score[place]) | ((score == score[place]) & (pool < pool[place]))
        return int(np.count_nonzero(before)) + 1


def _weighed(said: WhyNot, case: _Case) -> WhyNot:
    place = case.place
    if place is None:
        return replace(said, reasons=tuple(_left_out(case)))
    one = case.weighed
    costs = ordered(case.weighing.question, one, case.wish, len(case.answer) + 1).costs.get(place, {})
    why = explanation(one.reader, one.search, one.fused, place, case.wish.weights, costs)
    hits = [hit.memory.id for hit in case.answer]
    found = case.memory.id in hits
    score = case.score(place)
    if found:
        number = hits.index(case.memory.id)
        reasons, score = [f"It was found: number {number + 1} of {len(hits)}."], case.answer[number].score
    else:
        reasons = list(_behind(case, place, why))
    return replace(said, found=found, reasons=tuple(reasons), rank=case.rank(place), score=score, explanation=why)


# what may not be an answer


def _left_out(case: _Case) -> Iterator[str]:
    """By its times, its state, or a filter."""
    memory, as_of = case.memory, case.weighing.moment.as_of
    if memory.valid_from > as_of:
        yield f"It holds from {to_text(memory.valid_from)}, and what is asked for is {to_text(as_of)}."
    if memory.state not in SHOWN[case.weighing.view]:
        yield _by_state(case.weighed.reader, memory)
    yield from _by_filter(case)


def _by_state(reader: Reader, memory: Memory) -> str:
    until = f" since {to_text(memory.valid_until)}" if memory.valid_until else ""
    match memory.state:
        case State.SUPERSEDED:
            new = reader.memory(memory.superseded_by or "")
            by = f" by {new.id} ({_brief(new.content)})" if new else ""
            return f"It is superseded{by}{until}; the view {View.HISTORY} shows it."
        case State.EXPIRED:
            return f"It is expired{until}; the view {View.HISTORY} shows it."
        case State.FORGOTTEN:
            return "It is forgotten, and no view of a question shows it; restore brings it back."
    return f"It is {memory.state}, and no view of a question shows it; list shows it with view {View.ALL}."


def _by_filter(case: _Case) -> Iterator[str]:
    """One sentence for each filter that alone would leave it out."""
    one, which, memory = case.weighed, case.wish.which, case.memory
    source = one.reader.source(memory.source_id)
    session, speaker = (source.session, source.speaker) if source else (None, None)
    since = f"it holds from {to_text(memory.valid_from)}"
    told = (
        (MemoryFilter(ids=which.ids), "among", "it is none of the memories that were named"),
        (MemoryFilter(kinds=which.kinds), "kinds", f"it is of kind {memory.kind}"),
        (MemoryFilter(tags=which.tags), "tags", f"its tags are {', '.join(memory.tags) or 'none'}"),
        (_mentioning(one.reader, case.wish), "entities", f"it mentions none of {', '.join(case.wish.entities or ())}"),
        (MemoryFilter(session=which.session), "session", f"it was said in {session or 'none'}"),
        (MemoryFilter(speaker=which.speaker), "speaker", f"it was said by {speaker or 'nobody named'}"),
        (MemoryFilter(since=which.since), "since", since),
        (MemoryFilter(until=which.until), "until", since),
    )
    search = one.search
    everything = replace(search.visible, seen=np.ones(search.visible.known, bool))
    number = search.index.number[memory.id]
    for alone, name, because in told:
        if not narrow(search.index, everything, alone, one.reader)[number]:
            yield f"The filter {name} leaves it out: {because}."


def _mentioning(reader: Reader, wish: Wish) -> MemoryFilter:
    return MemoryFilter(entity_ids=None if wish.entities is None else tuple(entity_ids(reader, wish.entities)))


# what came before it


def _behind(case: _Case, place: int, why: Explanation) -> Iterator[str]:
    """It was weighed, and yet is no hit."""
    for hit in case.answer:
        for older in hit.outdates:
            if older.memory_id == case.memory.id:
                by = f"{hit.memory.id} ({_brief(hit.memory.content)})"
                later = "a later hit" if hit.memory.said_at > case.memory.said_at else "a hit"
                yield f"It was left out for {later}, {by}, which {older.why}; the view {View.HISTORY} shows it."
                return
    twin = _same_words(case)
    if twin is not None:
        yield f"It says the same as a hit above it, {twin.memory.id}, and adds to the support of that."
        return
    if not _is_read(case):
        yield "It is not embedded yet, so only words, graph and time can find it; reembed has it read."
    if asks_nothing(case.weighing.question, case.weighing.spaces):
        yield "The question is small talk, in words that stand in nothing known: it asks nothing."
        return
    if not passes_floor(case.weighing.question, case.weighing.spaces):
        yield _below_floor(case, place)
    evidence, least = float(case.weighed.fused.evidence(case.wish.weights)[place]), case.wish.min_score
    needed = float(least_evidence(case.weighed.search, case.weighed.fused)[place])
    if evidence <= needed:
        yield f"Too little speaks for it by itself: {evidence:.2f} of the {needed:.2f} that are needed."
    too_low = least is not None and case.score(place) < least
    if too_low:
        yield f"Its score {case.score(place)} is below min_score {least}."
    if evidence > needed:
        if case.answer.hits:
            yield _outranked(case, place, why)
        elif not too_low and passes_floor(case.weighing.question, case.weighing.spaces):
            yield "The judge has read the best of what was found, and takes none of it for an answer."


def _below_floor(case: _Case, place: int) -> str:
    relevance, needed = case.weighed.fused.relevance, floor(case.weighed.search)
    return (
        f"Nothing known has enough to do with the question: the nearest reaches {float(relevance.max()):.2f} of the "
        f"{needed:.2f} that are needed, this memory {float(relevance[place]):.2f}."
    )


def _same_words(case: _Case) -> Hit | None:
    own = said_by(case.memory, case.weighed.reader.source(case.memory.source_id))
    return next((hit for hit in case.answer if said_by(hit.memory, next(iter(hit.sources), None)) == own), None)


def _is_read(case: _Case) -> bool:
    index = case.weighed.search.index
    return index.vectors is None or bool(index.vectors.read[index.number[case.memory.id]])


def _outranked(case: _Case, place: int, why: Explanation) -> str:
    last, score = case.answer.hits[-1], case.score(place)
    among = f"It is number {case.rank(place)} of {len(case.weighed.fused.pool)} by score"
    if case.answer.in_doubt and case.rank(place) <= case.wish.limit:
        return (
            f"{among}, but only the first {HITS_IN_DOUBT} are given: it is in doubt whether anything known has to do "
            "with the question."
        )
    same = next((hit for hit in case.answer if hit.memory.source_id == case.memory.source_id), None)
    if same is not None and len(case.answer) < case.wish.limit:
        return (
            f"{among}, but it was said in one turn with a hit, {same.memory.id}, and its own words do not answer the "
            "question."
        )
    if len(case.answer) < case.wish.limit:
        return f"{among}, but it does not answer the question as it was read, or far less than the first hit."
    if same is not None and score >= last.score:
        return (
            f"{among}, but its source already gave a hit, {same.memory.id}: what else was said in one breath comes "
            "after the best of other sources."
        )
    if case.rank(place) > len(case.answer):
        return f"{among}: {score}, and the last hit has {last.score}{_weakest(why, last.explanation)}."
    if case.weighing.question.is_list or case.wish.limit > 2 * FIRST:
        return f"{among}, but where many are asked for, hits of other sessions go before."
    return f"{among}, but no signal brings it forward among so many."


def _weakest(own: Explanation, last: Explanation | None) -> str:
    """The signal, or the reranker, in which the last hit has the most before it; if there is none, the modifier."""
    if last is None:
        return ""
    return _gap(_readings(own), _readings(last)) or _gap(own.modifiers, last.modifiers)


def _readings(account: Explanation) -> dict[str, float]:
    signals = {name: one.score for name, one in account.signals.items()}
    return signals | {"rerank": account.modifiers.get("rerank", 0.0)}


def _gap(ours: Mapping[str, float], theirs: Mapping[str, float]) -> str:
    gaps = {name: theirs.get(name, 0.0) - ours.get(name, 0.0) for name in (*theirs, *ours)}
    name = max(gaps, key=lambda one: gaps[one], default="")
    if gaps.get(name, 0.0) <= 0:
        return ""
    return f"; it is weakest in {name}, {ours.get(name, 0.0):.2f} against {theirs.get(name, 0.0):.2f}"


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= WORDS_SHOWN else line[: WORDS_SHOWN - 1] + "…")
