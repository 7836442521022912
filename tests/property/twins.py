"""Several stores that live through the same history: each operation is carried out on all of them by the door, and its
outcome compared. The reference store says what is right; whatever differs from it is a `Different`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.conftest import open_pglite, pglite_url
from tests.postgres import databases
from tests.property.answers import Known, Outcome, every_answer, outcome_of
from tests.property.drawing import ACTORS, HOUR, NOBODY, SPACES, START, Op, Question, Ref

from treering.door import Treering
from treering.errors import Unavailable
from treering.ingest.extract.contract import Extraction, Heard
from treering.ingest.extract.extractors import Extractors
from treering.ingest.receipt import Receipt
from treering.mind import NO_EMBEDDER
from treering.mind.contract import Embedder
from treering.model.edge import Edge
from treering.model.identity import Identity
from treering.model.time import MICROSECOND, to_micros
from treering.store import open_store
from treering.store.contract import Reader, Scope, Store
from treering.store.reference import ReferenceStore
from treering.store.sqlite import SqliteStore
from treering.upkeep.purge import PurgeReport


class Different(AssertionError):
    """Two stores answered the same question differently, or one answered what it may not."""


class Clock:
    """Moved by hand."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


class Asleep:
    """A reader of what is said that never wakes up: what it was to read waits."""

    name = "llm"

    def extract(self, heard: Sequence[Heard]) -> list[Extraction]:
        raise Unavailable("asleep")


class Twins:
    """The same history on several stores, the first of which is the reference. Every store mints the same ids."""

    def __init__(
        self, stores: dict[str, Store], identity: Identity | None = None, embedder: Embedder | None = None
    ) -> None:
        self.stores = stores
        self.clock = Clock()
        self.known = Known()
        self.count = 0
        self._doors = {
            (name, actor): Treering(
                store,
                clock=self.clock,
                actor=actor,
                space=SPACES[0],
                identity=identity if actor == ACTORS[1] else None,
                embedder=embedder or NO_EMBEDDER,
                extractors=Extractors("none", {"llm": lambda space, fallback: Asleep()}),
            )
            for name, store in stores.items()
            for actor in ACTORS
        }
        self._seen: dict[str, int] = {}

    @property
    def first(self) -> Store:
        return next(iter(self.stores.values()))

    def door(self, store: str, actor: str = ACTORS[0]) -> Treering:
        return self._doors[store, actor]

    def run(self, op: Op) -> Outcome:
        if op.name == "clock":
            self.clock.now += op.args["hours"] * HOUR + op.args["micros"] * MICROSECOND
            return Outcome()
        self.count += 1
        arguments = self._resolved(op)
        outcomes = {name: self._on(name, op, arguments) for name in self.stores}
        self._learn()
        told = iter(outcomes.items())
        _, right = next(told)
        for name, outcome in told:
            if outcome != right:
                raise Different(f"operation {self.count}, {op}\n  reference: {right}\n  {name}: {outcome}")
        return right

    def _on(self, store: str, op: Op, arguments: dict[str, Any]) -> Outcome:
        with minting(self.count):
            return outcome_of(
                lambda: _untimed(getattr(self.door(store, op.actor), op.name)(**arguments, space=op.space))
            )

    def _learn(self) -> None:
        for info in self.first.spaces():
            for entry in self.first.entries(info.name, after=self._seen.get(info.name, 0)):
                self.known.entries.setdefault(info.name, []).append(str(entry.seq))
                for change in entry.changes():
                    self.known.learn(info.name, entry.at, change)
            self._seen[info.name] = info.seq

    def _resolved(self, op: Op) -> dict[str, Any]:
        given = dict(op.args)
        if "edge" in given:
            edge = self.known.pick("edge", given.pop("edge").n, op.space)
            ends = (edge.source_id, edge.target_id, edge.relation) if edge else (NOBODY, NOBODY, "related_to")
            given |= dict(zip(("source", "target", "relation"), ends, strict=True))
        return {name: self._resolve(value, op.space) for name, value in given.items()}

    def _resolve(self, value: Any, space: str) -> Any:
        match value:
            case Ref(kind, n):
                found = self.known.pick(kind, n, space)
                return NOBODY if found is None else found.id if isinstance(found, Edge) else found
            case dict():
                return {name: self._resolve(one, space) for name, one in value.items()}
            case list():
                return [self._resolve(one, space) for one in value]
        return value

    # asking

    def scope(self, question: Question) -> Scope:
        """The moment that a question's places mean now."""
        valid = sorted({*self.known.valid, *self.known.known})
        known = sorted(self.known.known)
        known_at = None
        if question.known_at is not None:
            known_at = known[question.known_at % len(known)] + question.shift[1] * MICROSECOND
        return Scope(
            question.space,
            self.clock.now,
            valid[question.as_of % len(valid)] + question.shift[0] * MICROSECOND,
            known_at,
            question.principal,
            question.children,
        )

    def compare(self, scope: Scope, ask: Callable[[Reader, Known], Iterator[tuple[str, object]]] | None = None) -> None:
        """Every question to every store; the first difference is named."""
        ask = ask or every_answer
        with ExitStack() as stack:
            told = [
                (name, ask(stack.enter_context(store.reader(scope)), self.known)) for name, store in self.stores.items()
            ]
            (_, right), *others = told
            for asked, answer in right:
                for name, answers in others:
                    same, other = next(answers)
                    assert same == asked
                    if other != answer:
                        raise Different(f"{asked}\n  at {scope}\n  reference: {answer}\n  {name}: {other}")

    def compare_doors(self) -> None:
        """What only the door answers, in the present."""
        for space in SPACES:
            for actor in ACTORS:
                right, *others = (
                    _without_store(self.door(name, actor).status(space=space).to_dict()) for name in self.stores
                )
                if any(other != right for other in others):
                    raise Different(f"status of {space}: {right} {others}")
        right, *others = ([one.to_dict() for one in store.spaces()] for store in self.stores.values())
        if any(other != right for other in others):
            raise Different(f"spaces: {right} {others}")

    def verify(self) -> None:
        for name in self.stores:
            found = self.door(name).verify()
            if not found.ok:
                raise Different(f"verify of {name}: {[str(one) for one in found.differences]}")

    def rebuild(self) -> None:
        """Made again from the journal, every row is as it was."""
        for name, store in self.stores.items():
            for info in store.spaces():
                before = list(store.rows(info.name))
                store.rebuild(info.name)
                if list(store.rows(info.name)) != before:
                    raise Different(f"rebuilding {info.name} changed rows of {name}")

    def replayed(self, folder: Path) -> Twins:
        """The exported journal taken into fresh stores, together with the stores it came from."""
        stores = {"reference": self.first}
        for source in self.stores:
            path = folder / f"{source}.jsonl"
            self.door(source).export(str(path))
            for kind, store in (("reference", ReferenceStore()), ("sqlite", SqliteStore(":memory:"))):
                door = Treering(store)
                taken = door.import_journal(str(path))
                again = door.import_journal(str(path))
                if again.added or again.skipped != taken.added:
                    raise Different(f"importing twice: {taken}, then {again}")
                stores[f"{kind} from {source}"] = store
            path.unlink()
        more = Twins(stores)
        more.clock, more.known, more.count = self.clock, self.known, self.count
        return more

    def close(self) -> None:
        for store in self.stores.values():
            store.close()


def _untimed(result: object) -> object:
    """Without what differs between any two calls, and in how many tables a store looks for what it purged."""
    if isinstance(result, PurgeReport):
        return replace(result, probed=0)
    return replace(result, milliseconds={}) if isinstance(result, Receipt) else result


def _without_store(status: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in status.items() if name not in ("store", "head_hash")}


@contextmanager
def minting(count: int) -> Iterator[None]:
    """Ids by operation and place, in the shape of real ones: the clock first, then the counter. An operation may write
    several times."""
    place = 0

    def mint(now: datetime) -> Callable[[], str]:
        def fresh() -> str:
            nonlocal place
            place += 1
            digits = f"{(to_micros(now) // 1000 << 80) | (7 << 76) | (2 << 62) | (count << 24) | place:032x}"
            return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"

        return fresh

    with patch("treering.door.ground.mint", mint):
        yield


def pair(sqlite: str | Path = ":memory:", identity: Identity | None = None, embedder: Embedder | None = None) -> Twins:
    return Twins({"reference": ReferenceStore(), "sqlite": SqliteStore(sqlite, durability="off")}, identity, embedder)


@contextmanager
def beside_postgres(identity: Identity | None = None) -> Iterator[Twins]:
    """The reference and PostgreSQL, on a database that was empty."""
    url = databases().empty()
    twins = Twins({"reference": ReferenceStore(), "postgres": open_store(url, "normal")}, identity)
    try:
        yield twins
    finally:
        twins.close()
        databases().give_back(url)


@contextmanager
def beside_pglite(identity: Identity | None = None, embedder: Embedder | None = None) -> Iterator[Twins]:
    """The reference, and a PostgreSQL of one connection where pgvector measures and Apache AGE walks."""
    pglite_url()
    one = open_pglite(vectors="pgvector", graph="age")
    twins = Twins({"reference": ReferenceStore(), "pglite": one}, identity, embedder)
    try:
        yield twins
    finally:
        twins.close()
