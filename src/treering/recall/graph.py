"""What is connected with what the question is about? A short walk from the entities it leads to.

Three seeds: entities that the question names, entities whose name is near in meaning, and entities of the memories that
are nearest. One found in several ways counts more; one that very many memories mention, such as a speaker's own name,
counts little, or everything would be connected with everything. From there over facts that hold at the moment.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from itertools import chain
from typing import NamedTuple, TypeVar

import numpy as np

from treering.language.words import spelled, stem, words
from treering.model.edge import CERTAIN, Edge
from treering.model.entity import fold
from treering.model.time import to_micros
from treering.recall.asked_facts import OWNER, asks_for, by_the_owner
from treering.recall.index.columns import Numbers
from treering.recall.index.nearness import Vectors
from treering.recall.search import Search
from treering.relations.own import Relations
from treering.store.contract import EdgeFilter, Reader
from treering.store.own_relations import relations_of
from treering.values import dataclass

T = TypeVar("T")
DEPTH = 2
STEP_DECAY = 0.5
NAME_WORDS = 4  # the longest name looked for
NEAREST_MEMORIES = 8
NEAREST_ENTITIES, ENTITIES_COMPARED, LEAST_COSINE = 4, 400, 0.5
LIKELY_SEEDS, SEEDS, MENTIONS_EACH, FACTS_EACH_STEP = 6, 5, 60, 60
NAMED, NEAR_NAME, OF_NEAR_MEMORY = 1.0, 0.6, 0.4
TELLING_NAME = 0.4
ASKED, FACTS_ASKED = 1.0, 200
OLDEST_COUNTS, YEAR_DAYS = 0.5, 365.0
DAY = 86_400_000_000
COUNTED = 240  # mentions of one entity: what has more tells hardly less
MOST_KEPT = 4_000  # entities


Frontier = dict[str, tuple[float, tuple[str, ...]]]
"""Entities that the walk has come to: with what weight, and by which way."""


@dataclass(frozen=True, slots=True)
class EntityPath:
    """How a memory was reached: entity ids, and relations between them."""

    steps: tuple[str, ...]
    score: float


@dataclass(slots=True)
class Reached:
    """`seeds` by entity id, with the ways in which each was found."""

    seeds: dict[str, float] = field(default_factory=dict)
    found_by: dict[str, list[str]] = field(default_factory=dict)
    paths: dict[int, EntityPath] = field(default_factory=dict)
    score: dict[int, float] = field(default_factory=dict)
    asked: set[int] = field(default_factory=set)
    """Memories that state a fact that the question asks for, as it held at the time it asks about."""

    def numbers(self) -> Numbers:
        return np.fromiter(sorted(self.score), np.int64)

    def found_by_name(self) -> bool:
        """Whether the question names something that some memories tell of, and not most of them."""
        if self.asked:
            return True
        named = (weight for one, weight in self.seeds.items() if "named" in self.found_by[one])
        return bool(self.score) and any(weight >= TELLING_NAME for weight in named)

    def stating(self, pool: Numbers) -> Numbers:
        """Marks those of the pool that state a fact that is asked for."""
        return np.isin(pool, sorted(self.asked))

    def feature(self, pool: Numbers) -> Numbers:
        """Between zero and one: how strongly each of the pool is connected."""
        numbers = self.numbers()
        places = np.minimum(np.searchsorted(pool, numbers), len(pool) - 1)
        here = pool[places] == numbers
        found = np.zeros(len(pool), np.float32)
        found[places[here]] = [min(1.0, self.score[one]) for one in numbers[here].tolist()]
        return found


class _Mentions(NamedTuple):
    """Of one entity, as far as they may be seen."""

    newest: list[int]
    """Memories."""
    often: int
    """By how many it is mentioned, counted as far as that makes a difference."""


@dataclass(slots=True)
class _Met:
    """What questions under one sight have learned of entities, the first some of them: many ask about the same few, and
    nothing of it can change as long as the sight is the same."""

    mentions: dict[str, _Mentions] = field(default_factory=dict)
    known: dict[str, bool] = field(default_factory=dict)
    """Whether who asks may know of it."""
    relations: dict[str, frozenset[str]] = field(default_factory=dict)
    """Of the facts in which it stands."""


def _learned(kept: dict[str, T], ids: Iterable[str], ask: Callable[[list[str]], dict[str, T]]) -> dict[str, T]:
    """What is kept of each of these, and of the others what is answered now; that is kept too while there is room."""
    wanted = list(ids)
    told = {one: kept[one] for one in wanted if one in kept}
    lacking = [one for one in wanted if one not in told]
    if lacking:
        new = ask(lacking)
        if len(kept) + len(new) <= MOST_KEPT:
            kept.update(new)
        told |= new
    return told


def named_in(reader: Reader, text: str) -> list[str]:
    """The entities whose names stand in a text, the longest names; a stop word alone is none."""
    tokens = spelled(fold(text.replace("'s", " ")))
    runs = {
        " ".join(tokens[start : start + size])
        for size in range(1, NAME_WORDS + 1)
        for start in range(len(tokens) - size + 1)
    }
    names = {run for run in runs if " " in run or stem(run)}
    found = reader.named(names) if names else []
    return [entity for name, entity in found if not any(name != other and name in other for other, _ in found)]


class Walk:
    """From one question. What it names is looked up at once: that does not wait until a model has read it."""

    def __init__(self, search: Search, reader: Reader) -> None:
        self._search, self._reader = search, reader
        self._reached = Reached()
        self._met = search.visible.once("entities", lambda _: _Met())
        self._mentions: dict[str, _Mentions] = {}
        self._named = named_in(reader, search.question.text)
        self._learn_mentions(sorted(self._named)[:LIKELY_SEEDS])

    def run(self, vector: Numbers | None, nearest: Numbers) -> Reached:
        """`vector`: the question as a model reads it; `nearest`: the memories nearest in meaning, the best first."""
        self._seed(vector, nearest)
        self._ask_for_facts()
        frontier: Frontier = {one: (weight, (one,)) for one, weight in self._reached.seeds.items()}
        for depth in range(1, DEPTH + 1):
            for entity, (weight, steps) in frontier.items():
                self._reach(entity, weight, steps)
            if depth < DEPTH and frontier:
                frontier = self._cross(frontier, depth)
        return self._reached

    # seeds

    def _seed(self, vector: Numbers | None, nearest: Numbers) -> None:
        weights: dict[str, float] = defaultdict(float)
        for way, found in (
            ("named", dict.fromkeys(self._named, NAMED)),
            ("near name", self._near_names(vector)),
            ("near memory", self._of_memories(nearest[:NEAREST_MEMORIES])),
        ):
            for entity, weight in found.items():
                weights[entity] += weight
                self._reached.found_by.setdefault(entity, []).append(way)
        likely = sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:LIKELY_SEEDS]
        self._learn_mentions(entity for entity, _ in likely)
        damped = {entity: weight * self._damping(entity) for entity, weight in likely}
        best = sorted(damped.items(), key=lambda pair: (-pair[1], pair[0]))[:SEEDS]
        self._reached.seeds = dict(best)

    def _near_names(self, vector: Numbers | None) -> dict[str, float]:
        index = self._search.index
        if vector is None or index.entity_vectors is None or not index.entity_ids:
            return {}
        most = ENTITIES_COMPARED
        while True:
            some = index.entity_vectors.shortlist(vector, np.ones(len(index.entity_ids), bool), most)
            near = self._close(index.entity_vectors, some, vector)
            first = [*near][:NEAREST_ENTITIES]
            known = self._known(first)
            if len(near) > len(first) and not known.issuperset(first):
                known = self._known(near)
            found = [one for one in near if one in known][:NEAREST_ENTITIES]
            hidden = len(known) < len(near)  # what may not be known must not stand in the way of what may
            if not hidden or len(found) == NEAREST_ENTITIES or len(some) == len(index.entity_ids):
                return {one: NEAR_NAME * near[one] for one in found}
            most *= 8

    def _known(self, entities: Iterable[str]) -> set[str]:
        def ask(ids: list[str]) -> dict[str, bool]:
            found = {entity.id for entity in self._reader.entities(ids=ids)}
            return {one: one in found for one in ids}

        return {one for one, may_be in _learned(self._met.known, entities, ask).items() if may_be}

    def _close(self, vectors: Vectors, some: Numbers, question: Numbers) -> dict[str, float]:
        """Entities by id with their cosines, the nearest first, as far as they are near at all."""
        cosines = vectors.cosines(question, some)
        close = np.flatnonzero(cosines >= LEAST_COSINE)
        order = close[np.lexsort((some[close], -cosines[close]))]
        return {self._search.index.entity_ids[int(some[one])]: float(cosines[one]) for one in order}

    def _of_memories(self, memories: Numbers) -> dict[str, float]:
        ids = tuple(self._search.index.ids[int(one)] for one in memories)
        if not ids:
            return {}
        found: dict[str, float] = defaultdict(float)
        for memory, entity in self._reader.mentioned(ids):
            found[entity] = max(found[entity], OF_NEAR_MEMORY / (1 + ids.index(memory)))
        return found

    def _damping(self, entity: str) -> float:
        often = self._mentions[entity].often
        return math.log(1 + self._search.visible.count / (1 + often)) / math.log(2 + self._search.visible.count)

    def _learn_mentions(self, entities: Iterable[str]) -> None:
        """The newest memories that mention each, as far as they may be seen; of all of them at once."""

        def ask(ids: list[str]) -> dict[str, _Mentions]:
            told = self._reader.mentions_of(ids, COUNTED)
            return {entity: self._seen_mentions(entity, newest) for entity, newest in told.items()}

        self._mentions |= _learned(self._met.mentions, entities, ask)

    def _seen_mentions(self, entity: str, told: list[str]) -> _Mentions:
        known, seen, number = self._search.visible.known, self._search.visible.seen, self._search.index.number
        most = COUNTED
        while True:
            numbers = [one for one in dict.fromkeys(number.get(one, known) for one in told) if one < known]
            marks = seen[numbers].tolist() if numbers else []
            found = [one for one, is_seen in zip(numbers, marks, strict=True) if is_seen][:COUNTED]
            if len(told) < most or len(found) == COUNTED:
                return _Mentions(found[:MENTIONS_EACH], len(found))
            most *= 4
            told = self._reader.mentions(entity, most)

    # what is asked for

    def _ask_for_facts(self) -> None:
        """Facts of whom the question names, or of the owner who asks, in a relation that it asks for."""
        text, stems = self._search.question.text, frozenset(words(self._search.question.text))
        subjects = [one for one in self._reached.seeds if "named" in self._reached.found_by[one]]
        if by_the_owner(text):
            subjects += [entity for _, entity in self._reader.named({OWNER})]
        if not subjects:
            return
        of_space = relations_of(self._reader)
        relations = sorted({one for one in self._relations(subjects) if asks_for(one, stems, of_space)})
        if not relations:
            return
        windows = self._search.question.windows
        facts = EdgeFilter(
            either_ids=tuple(subjects),
            relations=tuple(relations),
            facts_only=True,
            include_closed=bool(windows),
            limit=FACTS_ASKED,
        )
        edges = self._reader.edges(facts)
        for edge in edges:
            meets = any(edge.period.meets(one.period) for one in windows)
            if not windows or (meets and self._is_last(edge, edges, of_space)):
                steps = (edge.source_id, edge.relation, edge.target_id)
                number = self._evidence(edge, ASKED * edge.confidence, steps)
                if number is not None and edge.confidence >= CERTAIN:
                    self._reached.asked.add(number)

    def _is_last(self, edge: Edge, edges: Iterable[Edge], relations: Relations) -> bool:
        """Where the window is what was before a fact: none of the relation held later in it. Who was it before Ben is
        who made way for Ben."""
        asked = relations.one(edge.relation)
        alike = [(one.valid_from, one.id) for one in edges if relations.one(one.relation) == asked]
        borders = [window.end for window in self._search.before_facts if window.end is not None]
        return not any((edge.valid_from, edge.id) < one and one[0] < border for border in borders for one in alike)

    def _relations(self, entities: list[str]) -> Iterator[str]:
        """Of the facts in which they stand."""
        return chain.from_iterable(_learned(self._met.relations, entities, self._reader.relations_of).values())

    # walking

    def _reach(self, entity: str, weight: float, steps: tuple[str, ...]) -> None:
        memories = self._mentions[entity].newest
        if memories:
            allowed = self._search.allowed[memories].tolist()
            for memory, fresh, may_answer in zip(memories, self._recency(memories), allowed, strict=True):
                if may_answer:
                    self._credit(memory, weight * fresh, steps)

    def _cross(self, frontier: Frontier, depth: int) -> Frontier:
        """Over the facts of the frontier: what they rest on is reached, their other ends are the next frontier."""
        facts = EdgeFilter(either_ids=tuple(frontier), facts_only=True, limit=FACTS_EACH_STEP)
        following: Frontier = {}
        for edge in self._reader.edges(facts):
            for here, there in ((edge.source_id, edge.target_id), (edge.target_id, edge.source_id)):
                if here in frontier:
                    weight, steps = frontier[here]
                    passed = weight * edge.confidence * math.exp(-STEP_DECAY * depth)
                    further = (*steps, edge.relation, there)
                    self._evidence(edge, passed, further)
                    if there not in frontier and passed > following.get(there, (0.0, ()))[0]:
                        following[there] = (passed, further)
        best = sorted(following.items(), key=lambda pair: (-pair[1][0], pair[0]))[:SEEDS]
        self._learn_mentions(entity for entity, _ in best)
        return {entity: (weight * self._damping(entity), steps) for entity, (weight, steps) in best}

    def _evidence(self, edge: Edge, weight: float, steps: tuple[str, ...]) -> int | None:
        """The memory that the fact rests on, if it may be seen."""
        number = self._search.index.number.get(edge.memory_id or "")
        if number is None or number >= self._search.visible.known or not self._search.visible.seen[number]:
            return None
        if self._search.allowed[number]:
            self._credit(number, weight * self._recency([number])[0], steps)
        return number

    def _credit(self, memory: int, score: float, steps: tuple[str, ...]) -> None:
        """What several ways lead to is worth the sum of them."""
        self._reached.score[memory] = self._reached.score.get(memory, 0.0) + score
        best = self._reached.paths.get(memory)
        if best is None or score > best.score:
            self._reached.paths[memory] = EntityPath(steps, score)

    def _recency(self, memories: list[int]) -> list[float]:
        """One for what is new, less with age, never less than a half."""
        age = (to_micros(self._reader.moment.as_of) - self._search.index["begins"][memories]) / DAY
        fresh = 1 - np.maximum(age, 0.0) / YEAR_DAYS * (1 - OLDEST_COUNTS)
        found: list[float] = np.maximum(OLDEST_COUNTS, fresh).tolist()
        return found
