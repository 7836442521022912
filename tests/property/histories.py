"""Random histories, driven through the door on several stores at once, and every answer of theirs compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from tests.property.answers import Known, every_answer, wide_answers
from tests.property.drawing import (
    PRINCIPALS,
    SPACES,
    Op,
    Question,
    about_remembering,
    beginnings,
    first_told,
    operations,
    questions,
)
from tests.property.twins import Different, Twins, beside_pglite, beside_postgres, pair

from treering.mind.contract import Embedder
from treering.model.identity import Identity
from treering.model.memory import View
from treering.store.contract import EdgeFilter, MemoryFilter, Scope, Store


@dataclass
class Remembered:
    """Every answer of every store at one past moment, to be asked again later."""

    scope: Scope
    known: Known
    answers: dict[str, dict[str, object]]
    purged: int

    @classmethod
    def of(cls, twins: Twins, question: Question) -> Remembered:
        """The known time is fixed at what the space knows by now. Each space has a known time of its own, and another
        one may still write at an earlier time if the clock runs back: so the reading is of one space."""
        head = twins.first.head(question.space)
        scope = replace(twins.scope(question), known_at=head.at, children=False)
        known = replace(
            twins.known,
            memories={space: list(some) for space, some in twins.known.memories.items()},
            entities={space: list(some) for space, some in twins.known.entities.items()},
            edges={space: list(some) for space, some in twins.known.edges.items()},
            sources=list(twins.known.sources),
            valid=set(twins.known.valid),
        )
        remembered = cls(scope, known, {}, len(twins.known.purged))
        remembered.answers = {name: dict(remembered._ask(store)) for name, store in twins.stores.items()}
        return remembered

    def _ask(self, store: Store) -> list[tuple[str, object]]:
        with store.reader(self.scope) as reader:
            return [
                (asked, answer)
                for asked, answer in every_answer(reader, self.known)
                if not asked.endswith(("spaces, moment", "last told"))  # told as of now, whatever the moment
            ]

    def check(self, twins: Twins) -> None:
        """The same again, whatever was written since. After a purge, all that is left is as it was."""
        for name, store in twins.stores.items():
            if len(twins.known.purged) > self.purged:
                self._check_what_is_left(name, store, twins.known.purged)
                continue
            for asked, answer in self._ask(store):
                if answer != self.answers[name][asked]:
                    raise Different(
                        f"{name} no longer answers as it did: {asked}\n  at {self.scope}\n"
                        f"  then: {self.answers[name][asked]}\n  now: {answer}"
                    )

    def _check_what_is_left(self, name: str, store: Store, purged: set[str]) -> None:
        """Memories and edges that no purge took, with all that does not hang on what it took."""
        then_memories: Iterable[Any] = self.answers[name][f"memories {View.ALL}"]  # type: ignore[assignment]
        then_edges: Iterable[Any] = self.answers[name]["edges closed=True forgotten=True"]  # type: ignore[assignment]
        with store.reader(self.scope) as reader:
            now_memories = reader.memories(MemoryFilter(view=View.ALL))
            now_edges = reader.edges(EdgeFilter(include_closed=True, include_forgotten=True))
        for then, now in ((then_memories, now_memories), (then_edges, now_edges)):
            expected = [_lasting(one) for one in then if one.id not in purged]
            if [_lasting(one) for one in now] != expected:
                raise Different(
                    f"{name}: a purge changed more than it took, at {self.scope}\n  then: {expected}\n  now: {now}"
                )


def _lasting(thing: Any) -> dict[str, Any]:
    hanging = ("state", "valid_until", "superseded_by") if hasattr(thing, "superseded_by") else ()
    return {name: value for name, value in thing.to_dict().items() if name not in hanging}


# a whole history, checked in every way


@dataclass(frozen=True)
class Drawn:
    """A history, the moments to compare it at, and where in it to take the reading that must last."""

    ops: tuple[Op, ...]
    asked: tuple[Question, ...]
    pause: int
    signed: bool = False


def histories(most: int, least: int = 2) -> st.SearchStrategy[Drawn]:
    return st.builds(
        Drawn,
        ops=st.builds(
            lambda first, more: (*first, *more),
            st.lists(beginnings, min_size=1, max_size=4),
            st.lists(operations, min_size=least, max_size=most),
        ),
        asked=st.lists(questions, min_size=2, max_size=3).map(tuple),
        pause=st.integers(2, most),
        signed=st.booleans(),
    )


def rememberings(most: int) -> st.SearchStrategy[Drawn]:
    """Histories of what is told, said again, taken back, forgotten and purged."""
    return st.builds(
        Drawn,
        ops=st.builds(
            lambda first, more: (*first, *more),
            st.lists(first_told, min_size=2, max_size=4),
            st.lists(about_remembering, min_size=3, max_size=most),
        ),
        asked=st.lists(questions, min_size=2, max_size=3).map(tuple),
        pause=st.integers(1, most),
        signed=st.booleans(),
    )


IDENTITY = Identity.from_secret("A" * 43)


def sweep(moments: int = 16) -> Iterator[Question]:
    """Moments from all over the history, for the few questions that touch everything."""
    for n in range(moments):
        known_at = None if n % 4 == 0 else n * 5
        yield Question(n * 7, known_at, PRINCIPALS[1 + n % 3], n % 5 == 0, SPACES[0] if n % 3 else SPACES[n % 2])


def live(drawn: Drawn, twins: Twins) -> None:
    """Runs the history and compares the answers; whatever is wrong is raised."""
    paused: Remembered | None = None
    for number, op in enumerate(drawn.ops):
        twins.run(op)
        if number == drawn.pause and twins.first.head(drawn.asked[0].space).at is not None:
            paused = Remembered.of(twins, drawn.asked[0])
    for question in drawn.asked:
        twins.compare(twins.scope(question))
    for question in sweep():
        twins.compare(twins.scope(question), wide_answers)
    twins.compare_doors()
    if paused is not None:
        paused.check(twins)


def check(drawn: Drawn, folder: Path, sqlite: str | Path = ":memory:") -> None:
    """A history in all its consequences: answers, lasting readings, verification, rebuilding and replay."""
    twins = pair(sqlite, IDENTITY if drawn.signed else None)
    try:
        check_on(twins, drawn, folder)
    finally:
        twins.close()


def check_on(twins: Twins, drawn: Drawn, folder: Path) -> None:
    live(drawn, twins)
    twins.verify()
    twins.rebuild()
    everyone = twins.replayed(folder)
    try:
        everyone.compare(everyone.scope(drawn.asked[-1]))
        everyone.compare_doors()
    finally:
        everyone.close()


def check_on_postgres(drawn: Drawn, folder: Path) -> None:
    """The same on PostgreSQL; what it exports is taken in by the others."""
    with beside_postgres(IDENTITY if drawn.signed else None) as twins:
        check_on(twins, drawn, folder)


def check_on_pglite(drawn: Drawn, folder: Path) -> None:
    """The same where extensions answer, over one connection."""
    with beside_pglite(IDENTITY if drawn.signed else None) as twins:
        check_on(twins, drawn, folder)


def check_briefly_on_pglite(drawn: Drawn, moments: int) -> None:
    """Only what touches everything, for every question there takes its time."""
    with beside_pglite(IDENTITY if drawn.signed else None) as twins:
        for op in drawn.ops:
            twins.run(op)
        for question in sweep(moments):
            twins.compare(twins.scope(question), wide_answers)
        twins.compare_doors()
        twins.verify()


def check_remembering(drawn: Drawn, folder: Path, embedder: Embedder) -> None:
    """As `check`, with an embedder, so that what is said again is noticed; asking only what touches everything."""
    twins = pair(":memory:", IDENTITY if drawn.signed else None, embedder)
    try:
        check_remembering_on(twins, drawn, folder)
    finally:
        twins.close()


def check_remembering_on_pglite(drawn: Drawn, folder: Path, embedder: Embedder) -> None:
    """Vectors go to pgvector with every write; that they are all there is part of verifying."""
    with beside_pglite(IDENTITY if drawn.signed else None, embedder) as twins:
        check_remembering_on(twins, drawn, folder)


def check_remembering_on(twins: Twins, drawn: Drawn, folder: Path) -> None:
    paused: Remembered | None = None
    for number, op in enumerate(drawn.ops):
        twins.run(op)
        if number == drawn.pause and twins.first.head(SPACES[0]).at is not None:
            paused = Remembered.of(twins, replace(drawn.asked[0], space=SPACES[0]))
    for question in (*drawn.asked, *sweep()):
        twins.compare(twins.scope(question), wide_answers)
    if paused is not None:
        paused.check(twins)
    twins.verify()
    twins.rebuild()
    everyone = twins.replayed(folder)
    try:
        everyone.compare(everyone.scope(drawn.asked[-1]), wide_answers)
    finally:
        everyone.close()
