"""Random histories, driven through the door on several stores at once, and every answer of theirs compared.

A history is a list of operations with symbolic references ("the third memory of this space"), so that it can be drawn,
shrunk and printed. The reference store says what is right; whatever differs from it is a `Different`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st
from tests.conftest import open_pglite, pglite_url
from tests.postgres import databases

from treering.door import Treering
from treering.errors import Fault, TreeringError, Unavailable
from treering.graph.contradictions import contradictions
from treering.graph.facts import facts
from treering.graph.history import history
from treering.graph.lineage import Reach, lineage
from treering.graph.support import stale
from treering.graph.timeline import Stretch, timeline
from treering.ingest.extract.contract import Extraction, Heard
from treering.ingest.extract.extractors import Extractors
from treering.ingest.receipt import Receipt
from treering.mind import NO_EMBEDDER
from treering.mind.contract import Embedder
from treering.model.changes import EdgeAdded, EdgeClosed, EntityAdded, MemoryAdded, Purged, SourceAdded
from treering.model.edge import MENTION, Direction, Edge, Link
from treering.model.identity import Identity
from treering.model.memory import Kind, View
from treering.model.time import MICROSECOND, to_micros
from treering.recall.listing import page
from treering.store import open_store
from treering.store.contract import EdgeFilter, MemoryFilter, Reader, Scope, Store, Ways
from treering.store.naming import entity_of
from treering.store.reference import ReferenceStore
from treering.store.sqlite import SqliteStore
from treering.store.support import support_of
from treering.upkeep.health import Elsewhere, health
from treering.upkeep.use import scores

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
ACTORS = ("ann", "ben")
SPACES = ("acme", "acme/lab", "acme-2")
PRINCIPALS = (None, "ann", "ben", "eve")
NOBODY = "00000000-0000-7000-8000-000000000000"
NAMES = ("Ann", "ann", "Ben", "Acme", "ＡＣＭＥ", "Berlin", "Zoë")  # noqa: RUF001  full width, to be folded
RELATIONS = ("WORKS_FOR", "LIVES_IN", "KNOWS", "USES")
CONTENTS = ("Ann works for Acme", "Ann lives in Berlin", "Ben", "Ben met Zoë at 3 pm", "tea, not coffee")
TAGS = ("work", "home")
KEYS = ("k1", "k2")
SESSIONS = ("monday", "friday")
TITLES = ("Ann", "plan")
KEPT: tuple[dict[str, Any], ...] = (  # so that memories fade, are promoted and outlive their tiers within hours
    {"retention": {"collect_below": 1.0, "fading_below": 1.2}, "promotion": {"min_age_days": 0.0, "uses": 2}},
    {"tiers": {"enabled": True, "short_hours": 0.5, "mid_days": 0.05}},
    {"decay": {"model": "two_component", "half_life_days": 0.1}, "reinforcement": {"enabled": False}},
)


class Different(AssertionError):
    """Two stores answered the same question differently, or one answered what it may not."""


# what a history is made of


@dataclass(frozen=True)
class Ref:
    """The nth thing of its kind in the operation's space; every 13th is looked for in all spaces."""

    kind: str
    n: int


@dataclass(frozen=True)
class Op:
    name: str
    args: dict[str, Any] = field(default_factory=dict)
    space: str = SPACES[0]
    actor: str = ACTORS[0]


@dataclass(frozen=True)
class Question:
    """A moment by places among the times that the history knows, so that it falls on window ends; `shift` moves it
    one microsecond off."""

    as_of: int
    known_at: int | None
    principal: str | None = "ann"
    children: bool = False
    space: str = SPACES[0]
    shift: tuple[int, int] = (0, 0)


def at(hours: float, micros: int = 0) -> datetime:
    return START + hours * HOUR + micros * MICROSECOND


def _maybe(what: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | what


_times = st.builds(at, st.integers(-4, 8), st.sampled_from((0, 0, 0, 0, -1, 1)))
_names = st.sampled_from(NAMES)
_memories = st.builds(Ref, st.just("memory"), st.integers(0, 12))
_entities = _names | st.builds(Ref, st.just("entity"), st.integers(0, 12))
_edges = st.builds(Ref, st.just("edge"), st.integers(0, 25))
_links = st.sampled_from((*Link, "supersedes", "derived_from", "supersedes", "likes"))
_why = _maybe(st.just("because"))
_relations = st.sampled_from(RELATIONS)

_window = st.fixed_dictionaries({}, optional={"valid_from": _times, "valid_until": _times})
_statement = st.builds(
    lambda s, r, o, window, memory: {
        "subject": s,
        "relation": r,
        "object": o,
        **window,
        **({"memory_id": memory} if memory else {}),
    },
    _entities,
    _relations,
    _entities,
    _window,
    _maybe(_memories),
)
_triple = st.builds(
    lambda s, r, o, window: {"subject": s, "relation": r, "object": o, **window}, _names, _relations, _names, _window
)
_privacy = st.sampled_from(
    (
        {},
        {},
        {"visibility": "private"},
        {"visibility": "private", "visible_to": ["ben"]},
        {"visibility": "private", "observed_by": "eve"},
        {"observed_by": "eve"},
        {"visible_to": ["ben"]},
    )
)
_draft = st.builds(
    lambda one, privacy: {**one, **privacy},
    st.fixed_dictionaries(
        {"content": st.sampled_from(CONTENTS)},
        optional={
            "kind": st.sampled_from(Kind),
            "title": st.sampled_from(TITLES),
            "tags": st.lists(st.sampled_from(TAGS), max_size=2),
            "event_time": _times,
            "event_end": _times,
            "expires_at": _times,
            "at": _times,
            "entities": st.lists(_names, max_size=2),
            "triples": st.lists(_triple, max_size=2),
            "speaker": st.sampled_from(ACTORS),
            "session": st.sampled_from(SESSIONS),
            "key": st.sampled_from(KEYS),
        },
    ),
    _privacy,
)
_revision = st.fixed_dictionaries(
    {"id": _memories, "content": st.sampled_from(CONTENTS)},
    optional={
        "event_time": _times,
        "expires_at": _times,
        "at": _times,
        "triples": st.lists(_triple, min_size=1, max_size=2),
        "entities": st.lists(_names, max_size=2),
        "key": st.sampled_from(KEYS),
        "why": _why,
    },
)
_ended_edge = st.fixed_dictionaries({"edge": _edges})
_claim = st.builds(
    lambda subject, relation, object_, since, more: {
        "subject": subject,
        "relation": relation,
        "object": object_,
        **({"valid_from": since} if since else {}),
        **more,
    },
    st.sampled_from(("Ann", "Ann", "Ben", "User")),  # few, so that what is told meets what is known
    st.sampled_from(("LIVES_IN", "LIVES_IN", "USES", "PARTNER_OF", "NAMED")),
    st.sampled_from(("Acme", "Berlin", "Zoë")),
    _maybe(_times),
    st.fixed_dictionaries(
        {},
        optional={
            "stance": st.sampled_from(("holds", "holds", "ends", "never")),
            "instead_of": st.sampled_from(("Acme", "Berlin")),
            "confidence": st.sampled_from((0.4, 1.0)),
        },
    ),
)
_drawn = st.fixed_dictionaries(
    {"content": st.sampled_from(CONTENTS), "triples": st.lists(_claim, min_size=1, max_size=2)},
    optional={
        "kind": st.sampled_from(Kind),
        "event_time": _times,
        "expires_at": _times,
        "cue": st.sampled_from(("change", "correction")),
        "entities": st.lists(
            st.builds(lambda name, kind: {"name": name, "kind": kind}, _names, st.sampled_from(("person", "place"))),
            max_size=2,
        ),
    },
)
_told = st.builds(
    lambda what, how, privacy: {**what, **how, **privacy},
    st.fixed_dictionaries({"drafts": st.lists(_drawn, min_size=1, max_size=2)})
    | st.fixed_dictionaries({"content": st.sampled_from(CONTENTS)}, optional={"extractor": st.just("llm")})
    | st.fixed_dictionaries(
        {"content": st.just(". ".join(CONTENTS)), "drafts": st.lists(_drawn, min_size=1, max_size=2)}
    )
    | st.fixed_dictionaries({"messages": st.just([{"content": CONTENTS[0]}, {"content": CONTENTS[1], "role": "ben"}])}),
    st.fixed_dictionaries(
        {},
        optional={
            "at": _times,
            "speaker": st.sampled_from(ACTORS),
            "session": st.sampled_from(SESSIONS),
            "key": st.sampled_from(KEYS),
            "dry_run": st.booleans(),
        },
    ),
    _privacy,
)
_undoable = st.builds(Ref, st.just("entry"), st.integers(0, 25)) | _edges
_KINDS: dict[str, tuple[int, st.SearchStrategy[dict[str, Any]]]] = {
    "add": (8, _draft),
    "add_many": (2, st.fixed_dictionaries({"items": st.lists(_draft, min_size=1, max_size=3)})),
    "revise": (4, _revision),
    "link": (
        4,
        st.fixed_dictionaries(
            {"source": _memories, "target": _memories, "relation": _links},
            optional={"valid_from": _times, "why": _why, "strength": st.just(0.5)},
        ),
    ),
    "unlink": (2, _ended_edge),
    "invalidate": (4, st.fixed_dictionaries({"edge": _edges}, optional={"at": _times, "why": _why})),
    "reopen": (3, _ended_edge),
    "forget": (3, st.fixed_dictionaries({"id": _memories | _edges}, optional={"dry_run": st.booleans()})),
    "restore": (3, st.fixed_dictionaries({"id": _memories | _edges}, optional={"why": _why})),
    "purge": (
        4,
        st.fixed_dictionaries({"id": _memories, "why": st.just("asked")}, optional={"dry_run": st.booleans()}),
    ),
    "entity_register": (
        3,
        st.fixed_dictionaries({"name": _names}, optional={"aliases": st.lists(_names, max_size=2, unique=True)}),
    ),
    "entity_merge": (3, st.fixed_dictionaries({"entity": _entities, "into": _entities}, optional={"why": _why})),
    "entity_split": (2, st.fixed_dictionaries({"entity_id": _entities})),
    "assert_fact": (5, st.builds(lambda one, sup: {**one, "supersede": sup}, _statement, st.booleans())),
    "assert_facts": (
        2,
        st.fixed_dictionaries(
            {"facts": st.lists(_statement, min_size=1, max_size=3)}, optional={"supersede": st.booleans()}
        ),
    ),
    "attest": (3, st.fixed_dictionaries({"id": _edges})),
    "settings": (
        2,
        st.fixed_dictionaries(
            {"changes": st.sampled_from(({}, {"functional_relations": ["KNOWS", "LIVES_IN"]}, *KEPT))}
        ),
    ),
    "touch": (3, st.fixed_dictionaries({"id": _memories}, optional={"boost": st.booleans(), "dry_run": st.booleans()})),
    "observe": (
        3,
        st.fixed_dictionaries(
            {"ids": st.lists(_memories, min_size=1, max_size=3)},
            optional={"context_tags": st.lists(st.sampled_from((*TAGS, "chess")), max_size=2)},
        ),
    ),
    "promote": (
        2,
        st.fixed_dictionaries({"id": _memories}, optional={"force": st.booleans(), "dry_run": st.booleans()})
        | st.fixed_dictionaries({"auto": st.just(True)}),
    ),
    "gc": (
        2,
        st.fixed_dictionaries(
            {"dry_run": st.sampled_from((False, False, True))},
            optional={"archive": st.booleans(), "limit": st.integers(1, 3)},
        ),
    ),
    "expire": (1, st.fixed_dictionaries({}, optional={"dry_run": st.booleans()})),
    "remember": (6, _told),
    "undo": (4, st.fixed_dictionaries({"what": _undoable}, optional={"dry_run": st.booleans()})),
    "resume": (1, st.just({})),
    "clock": (
        5,
        st.fixed_dictionaries({"hours": st.sampled_from((1, 1, 2, 5, -1, -3)), "micros": st.sampled_from((0, 1))}),
    ),
}

_spaces = st.sampled_from((SPACES[0], SPACES[0], SPACES[0], SPACES[1], SPACES[2]))
operations = st.sampled_from([name for name, (weight, _) in _KINDS.items() for _ in range(weight)]).flatmap(
    lambda name: st.builds(Op, st.just(name), _KINDS[name][1], _spaces, st.sampled_from(ACTORS))
)
_REMEMBERING = ("remember", "remember", "remember", "undo", "undo", "resume", "forget", "restore", "purge", "clock")
about_remembering = st.sampled_from(_REMEMBERING).flatmap(
    lambda name: st.builds(Op, st.just(name), _KINDS[name][1], st.just(SPACES[0]), st.sampled_from(ACTORS))
)
_first_told = st.builds(Op, st.just("remember"), _told, st.just(SPACES[0]), st.sampled_from(ACTORS))
_beginnings = st.builds(Op, st.just("add"), _draft, st.sampled_from(SPACES[:2]), st.sampled_from(ACTORS))
questions = st.builds(
    Question,
    as_of=st.integers(0, 60),
    known_at=_maybe(st.integers(0, 40)),
    principal=st.sampled_from(PRINCIPALS),
    children=st.booleans(),
    space=_spaces,
    shift=st.tuples(st.sampled_from((0, 0, -1, 1)), st.sampled_from((0, 0, -1, 1))),
)


# carrying a history out


class Clock:
    """Moved by hand."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@dataclass
class Known:
    """What a history has brought into being so far, by space; read off the reference store's journal."""

    memories: dict[str, list[str]] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)
    entities: dict[str, list[str]] = field(default_factory=dict)
    edges: dict[str, list[Edge]] = field(default_factory=dict)
    entries: dict[str, list[str]] = field(default_factory=dict)
    purged: set[str] = field(default_factory=set)
    valid: set[datetime] = field(default_factory=lambda: {START})
    known: set[datetime] = field(default_factory=lambda: {START})

    def learn(self, space: str, when: datetime, change: object) -> None:
        self.known.add(when)
        match change:
            case SourceAdded(source):
                self.sources.append(source.id)
            case MemoryAdded(memory):
                self.memories.setdefault(space, []).append(memory.id)
                self._points(memory.event_time, memory.expires_at, memory.holds_from)
            case EntityAdded(entity):
                self.entities.setdefault(space, []).append(entity.id)
            case EdgeAdded(edge):
                self.edges.setdefault(space, []).append(edge)
                self._points(edge.valid_from, edge.valid_until)
            case EdgeClosed(_, valid_until, previous):
                self._points(valid_until, previous)
            case Purged(gone):
                self.purged |= {one.id for one in gone}

    def _points(self, *points: datetime | None) -> None:
        self.valid.update(point for point in points if point is not None)

    def pick(self, kind: str, n: int, space: str) -> Any:
        of_kind: dict[str, list[Any]] = {
            "memory": self.memories,
            "entity": self.entities,
            "edge": self.edges,
            "entry": self.entries,
        }[kind]
        pool = [one for each in of_kind.values() for one in each] if n % 13 == 12 else of_kind.get(space, [])
        return pool[n % len(pool)] if pool else None

    def ids(self, kind: str) -> list[str]:
        """Of all spaces, and one that nothing has."""
        of_kind = {"memory": self.memories, "entity": self.entities, "edge": self.edges}[kind]
        return [getattr(one, "id", one) for each in of_kind.values() for one in each] + [NOBODY]


@dataclass
class Outcome:
    value: object = None
    error: str | None = None


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
            return _outcome(lambda: _untimed(getattr(self.door(store, op.actor), op.name)(**arguments, space=op.space)))

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


def _outcome(call: Callable[[], object]) -> Outcome:
    """A caller's error is an answer like any other; anything else is a bug and passes through."""
    try:
        return Outcome(call())
    except Fault:
        raise
    except TreeringError as error:
        return Outcome(error=f"{type(error).__name__}: {error}")


def _untimed(result: object) -> object:
    """Without what differs between any two calls."""
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


# every question there is


def every_answer(reader: Reader, known: Known) -> Iterator[tuple[str, object]]:
    """All that can be asked of a reader, with its answer."""
    yield from wide_answers(reader, known)
    yield from _filtered(reader, known)
    yield from _one_by_one(reader, known)
    for asked, answer in wide_answers(reader.all_seeing(), known):
        yield f"all-seeing {asked}", answer


def wide_answers(reader: Reader, known: Known) -> Iterator[tuple[str, object]]:
    """The few questions that touch everything."""
    yield "spaces, moment", (reader.spaces, reader.moment, reader.head.seq, reader.head.at)
    for view in View:
        yield f"memories {view}", reader.memories(MemoryFilter(view=view))
    for closed in (False, True):
        for forgotten in (False, True):
            which = EdgeFilter(include_closed=closed, include_forgotten=forgotten)
            yield f"edges {closed=} {forgotten=}", reader.edges(which)
        yield f"facts {closed=}", facts(reader, None, None, None, closed, None)
    nodes = [*known.ids("memory"), *known.ids("entity")]
    for space in reader.spaces:
        for direction in Direction:
            for closed in (False, True):
                ways = Ways(direction, include_closed=closed)
                crossings = reader.crossings(space, nodes, ways, 1_000)
                yield f"crossings {space} {ways}", crossings
                yield f"steps {space} {ways}", reader.steps(space, nodes, ways, 1_000)
                assert [one[:3] for one in crossings] == reader.steps(space, nodes, ways, 1_000)
        yield f"first crossings {space}", reader.crossings(space, nodes, Ways(Direction.BOTH), 3)
    yield "entities", reader.entities()
    yield "counts", reader.counts()
    yield "waiting", reader.waiting()
    yield "signers", reader.signers()
    every = [one for each in known.memories.values() for one in each]
    for undone in (False, True):
        yield f"evidence {undone=}", reader.evidence(every, undone)
    yield "usage", reader.usage(every)
    yield "standing", list(reader.standing())
    yield "some standing", list(reader.standing(every[::2]))
    yield "cited", reader.cited(every)
    yield "tally", reader.tally([START, START + HOUR], ("gc", "promote"))
    yield "said", [reader.said(one, 50) for one in SESSIONS] if len(reader.spaces) < 2 else None
    yield "named alike", reader.named_like("a", 50)
    if len(reader.spaces) < 2:  # each space has settings and keys of its own
        yield "setting", reader.setting("functional_relations")
        yield "health", health(reader, "here", Elsewhere())
        yield "scores", scores(reader, every)
        yield "keys", [reader.actor_key(actor) for actor in ACTORS]


def _filtered(reader: Reader, known: Known) -> Iterator[tuple[str, object]]:
    points = sorted(known.valid)
    some_ids = [one for each in known.memories.values() for one in each][::2]
    of_kinds: list[dict[str, Any]] = [
        {"newest_first": True},
        {"limit": 2},
        {"limit": 2, "newest_first": True},
        {"ids": tuple(some_ids)},
        *({"kinds": (kind,)} for kind in Kind),
        {"tags": TAGS[:1]},
        {"tags": TAGS},
        *({"session": one} for one in SESSIONS),
        *({"speaker": one} for one in ACTORS),
        *({"title": one} for one in TITLES),
        {"containing": "Ben"},
        *({"expires_by": point} for point in points[:: max(1, len(points) // 4)]),
        *({"since": point} for point in points[:: max(1, len(points) // 4)]),
        *({"until": point} for point in points[:: max(1, len(points) // 4)]),
        *({"entity_ids": (one,)} for each in known.entities.values() for one in each),
    ]
    for narrowed in of_kinds:
        for view in (View.CURRENT, View.ALL):
            yield f"memories {view} {narrowed}", reader.memories(MemoryFilter(view=view, **narrowed))
    for newest in (False, True):
        which = MemoryFilter(view=View.HISTORY, newest_first=newest)
        cursor: str | None = None
        for number in range(20):
            one = page(reader, which, (), cursor, 2)
            yield f"page {number} {newest=}", one
            cursor = one.next
            if cursor is None:
                break
    for relation in (*RELATIONS, *Link, MENTION):
        which = EdgeFilter(relations=(str(relation),), include_closed=True)
        yield f"edges {relation}", reader.edges(which)
    yield "some edges", reader.edges(EdgeFilter(limit=2))


def _one_by_one(reader: Reader, known: Known) -> Iterator[tuple[str, object]]:
    for one in known.ids("memory"):
        yield f"memory {one}", reader.memory(one)
        yield f"usage {one}", reader.usage([one], START + HOUR)
        yield f"edges resting on {one}", reader.edges(EdgeFilter(evidence_id=one))
    for one in known.sources:
        yield f"source {one}", reader.source(one)
        yield f"events of source {one}", reader.events(one)
    for one in known.ids("entity"):
        yield f"entity {one}", reader.entity(one)
        yield f"own entity {one}", _own(reader, one)
    for one in known.ids("edge"):
        yield f"edge {one}", reader.edges(EdgeFilter(ids=(one,), include_closed=True, include_forgotten=True))
    for one in (*known.ids("memory"), *known.ids("entity")):
        for name in ("source_ids", "target_ids", "either_ids"):
            yield f"edges {name} {one}", reader.edges(EdgeFilter(**{name: (one,)}, include_closed=True))
    for one in (one for kind in ("memory", "entity", "edge") for one in known.ids(kind)):
        yield f"tombstone {one}", reader.tombstone(one)
        yield f"events {one}", reader.events(one)
        yield f"history {one}", _outcome(lambda one=one: history(reader, one))
    yield from _through_time(reader, known)
    for key in KEYS if len(reader.spaces) < 2 else ():
        yield f"key {key}", reader.source_by_key(key)
    for name in (*NAMES, "nobody"):
        yield f"entities {name}", reader.entities(name)
        yield f"the first {name}", reader.entities(name, limit=1)
        yield f"entity named {name}", _outcome(lambda name=name: entity_of(reader, name))
        for relation in (None, *RELATIONS[:2]):
            asked = f"facts {name} {relation}"
            yield f"{asked} →", _outcome(lambda n=name, r=relation: facts(reader, n, r, None, True, None))
            yield f"{asked} ←", _outcome(lambda n=name, r=relation: facts(reader, None, r, n, False, None))
        yield f"page about {name}", page(reader, MemoryFilter(view=View.ALL), (name,), None, 50)


def _through_time(reader: Reader, known: Known) -> Iterator[tuple[str, object]]:
    """What the rooms that read the graph make of it."""
    memories = known.ids("memory")
    yield "census", reader.census()
    yield "events together", reader.events(*memories, *known.ids("entity"))
    yield "support", support_of(reader, memories)
    yield "stale", stale(reader, 100)
    for node in (*memories[::3], *known.ids("entity")[::3], "Ann"):
        yield f"timeline {node}", _outcome(lambda node=node: timeline(reader, node, Stretch()))
    for one in memories[1::3]:
        yield f"lineage {one}", _outcome(lambda one=one: lineage(reader, one, Reach(3, 5)))
    if len(reader.spaces) < 2:
        yield "contradictions", contradictions(reader, None, 100)
        yield "contradictions about Ann", contradictions(reader, "ann", 100)
    between = reader.moment.as_of - 3 * HOUR, reader.moment.as_of
    yield "turning", reader.edges(EdgeFilter(include_closed=True, begins_or_ends=between))


def _own(reader: Reader, entity_id: str) -> object:
    found = reader.own_entity(entity_id)
    return None if found is None else (found[0].id, found[0].name, found[1])


# what was read once, read again


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
                if not asked.endswith("spaces, moment")
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
            st.lists(_beginnings, min_size=1, max_size=4),
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
            st.lists(_first_told, min_size=2, max_size=4),
            st.lists(about_remembering, min_size=3, max_size=most),
        ),
        asked=st.lists(questions, min_size=2, max_size=3).map(tuple),
        pause=st.integers(1, most),
        signed=st.booleans(),
    )


_IDENTITY = Identity.from_secret("A" * 43)


def _sweep(moments: int = 16) -> Iterator[Question]:
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
    for question in _sweep():
        twins.compare(twins.scope(question), wide_answers)
    twins.compare_doors()
    if paused is not None:
        paused.check(twins)


def check(drawn: Drawn, folder: Path, sqlite: str | Path = ":memory:") -> None:
    """A history in all its consequences: answers, lasting readings, verification, rebuilding and replay."""
    twins = pair(sqlite, _IDENTITY if drawn.signed else None)
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
    with beside_postgres(_IDENTITY if drawn.signed else None) as twins:
        check_on(twins, drawn, folder)


def check_on_pglite(drawn: Drawn, folder: Path) -> None:
    """The same where extensions answer, over one connection."""
    with beside_pglite(_IDENTITY if drawn.signed else None) as twins:
        check_on(twins, drawn, folder)


def check_briefly_on_pglite(drawn: Drawn, moments: int) -> None:
    """Only what touches everything, for every question there takes its time."""
    with beside_pglite(_IDENTITY if drawn.signed else None) as twins:
        for op in drawn.ops:
            twins.run(op)
        for question in _sweep(moments):
            twins.compare(twins.scope(question), wide_answers)
        twins.compare_doors()
        twins.verify()


def check_remembering(drawn: Drawn, folder: Path, embedder: Embedder) -> None:
    """As `check`, with an embedder, so that what is said again is noticed; asking only what touches everything."""
    twins = pair(":memory:", _IDENTITY if drawn.signed else None, embedder)
    try:
        check_remembering_on(twins, drawn, folder)
    finally:
        twins.close()


def check_remembering_on_pglite(drawn: Drawn, folder: Path, embedder: Embedder) -> None:
    """Vectors go to pgvector with every write; that they are all there is part of verifying."""
    with beside_pglite(_IDENTITY if drawn.signed else None, embedder) as twins:
        check_remembering_on(twins, drawn, folder)


def check_remembering_on(twins: Twins, drawn: Drawn, folder: Path) -> None:
    paused: Remembered | None = None
    for number, op in enumerate(drawn.ops):
        twins.run(op)
        if number == drawn.pause and twins.first.head(SPACES[0]).at is not None:
            paused = Remembered.of(twins, replace(drawn.asked[0], space=SPACES[0]))
    for question in (*drawn.asked, *_sweep()):
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
