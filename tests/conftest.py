"""What every test stands on: each store in turn, a clock moved by hand, and doors for several people on one store.

def test_something(mem, clock):            # runs on every store
def test_of_files(file_mem, db_path):      # only where there is a file
def test_of_two(doors):                    # ann, bob = doors("ann", "bob")
"""

from __future__ import annotations

import gc
import importlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from treering.door import Treering
from treering.model.changes import Changes, Reinforced, SourceAdded, SourceTold, Used
from treering.model.identity import Identity
from treering.model.memory import Use, View
from treering.model.setting import SETTINGS
from treering.model.source import Source
from treering.store import open_store
from treering.store.contract import Act, EdgeFilter, MemoryFilter, Scope, Store

if TYPE_CHECKING:
    from tests.postgres import Databases

os.environ["TREERING_EMBEDDER"] = "none"
"""Tests that are about meaning name their embedder; the others would only be slower for it."""
os.environ["TREERING_JUDGE"] = "none"
"""Likewise those that are about what replaces what and what answers a question."""
os.environ["TREERING_EXTRACTOR"] = "reader"
"""And those that are about how a message is read: what is told by rules can be foretold word for word."""

for profile, budget in (("busy", 25), ("long", 200)):
    settings.register_profile(profile, deadline=None, max_examples=budget, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")
"""How long an example takes on a machine that has other work says nothing about the code. `make test-slow` tries the
same with `--hypothesis-profile long`, eight times as many."""


def examples(wanted: int) -> int:
    """How many are tried of what wants that many: a quarter at every change, twice as many in the long run."""
    return max(5, wanted * settings.default.max_examples // 100)


MEMORY = Path("/dev/shm")
ROOM_BYTES = 4 * 2**30


def _files_in_memory() -> None:
    """The tests open thousands of stores, and a disk takes far longer to make a file than a test to fill it. They lie
    in memory where that has room and lets programs be run, unless `TMPDIR` names a place."""
    if "TMPDIR" in os.environ or not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK):
        return
    if shutil.disk_usage(MEMORY).free >= ROOM_BYTES and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


_files_in_memory()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell leaves it for what runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

OWN_STORE = os.environ.get("TREERING_TEST_STORE")
"""A store that does not come with Treering, as `module:Class`, made with a path: it alone is held to the contract."""
STORES = ("own",) if OWN_STORE else ("reference", "sqlite", "memory", "postgres", "pglite")
NOTARY = Identity.from_secret("N" * 42 + "A")
START = datetime(2026, 1, 1, 12, tzinfo=UTC)

STORE_CONTRACT = "test_store_"
EVERYWHERE = (STORE_CONTRACT, "test_queue")
"""How the files begin that every store must pass at every change. What else is for every store is tried on SQLite's
files, and on the reference store if it is about the meaning of things; on the others in the slow group."""
MEANING = ("contract", "graph")

SECOND_CONNECTION = (
    "test_a_reader_is_a_snapshot_that_later_writes_do_not_change",
    "test_a_write_that_fails_beside_an_open_reader_leaves_nothing",
    "test_an_empty_twin_is_of_the_same_kind_empty_and_apart",
)
"""What takes two connections at once. PGlite has one; what happens then is in tests/contract/test_engines.py."""

ENGINES, SAMPLED = ("contract", "graph", "recall"), 12
"""What may differ with pgvector and AGE is tried on PGlite too, one in so many of the contract at every change."""

Doors = Callable[..., Any]


def databases() -> Databases:
    """Those of PostgreSQL, of which nothing is loaded until a test asks for one."""
    from tests import postgres

    return postgres.databases()


def pglite_url() -> str:
    """Of the one PGlite of this session, emptied."""
    from tests import pglite

    pglite.engine().clear()
    return pglite.engine().url


def is_pglite(url: str) -> bool:
    """Of a store on SQLite it is not asked whether PGlite could be started: where it is not installed, that skips."""
    pglite = sys.modules.get("tests.pglite")
    return pglite is not None and pglite.is_started() and url == pglite.engine().url


def open_pglite(vectors: str = "auto", graph: str = "auto") -> Store:
    """A store on it, for which there is one connection."""
    from tests import pglite

    return pglite.alone(pglite.engine().url, vectors=vectors, graph=graph)


def pytest_unconfigure() -> None:
    for engine in ("tests.postgres", "tests.pglite", "tests.issuer"):
        if engine in sys.modules:
            sys.modules[engine].shut_down()


def pytest_collection_finish() -> None:
    """What was collected stays until the end: nobody need look through it for what can be let go of."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    on_pglite = [one for one in items if _is_on_pglite(one)]
    meant = {
        one
        for one in on_pglite
        if _room(one) in ENGINES
        and not one.name.startswith(SECOND_CONNECTION)
        and one.name.count("pglite") == 1  # there is one, and not two to compare
    }
    sample = [one for one in items if one in meant and one.path.name.startswith(STORE_CONTRACT)][::SAMPLED]
    items[:] = [one for one in items if one in meant or not _is_on_pglite(one)]
    for item in items:
        given = item.callspec.params.values() if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ()
        stores = {one for one in given if isinstance(one, str)}
        fast = _room(item) in MEANING and not item.path.name.startswith("test_privacy")
        elsewhere = {"postgres", "memory"} if fast else {"postgres", "memory", "reference"}
        late = item not in sample if item in meant else stores & elsewhere and not item.path.name.startswith(EVERYWHERE)
        if late:
            item.add_marker(pytest.mark.slow)


def _room(item: pytest.Item) -> str:
    """The folder of the tests that it lies in."""
    return item.nodeid.split("/", 2)[1]


def _is_on_pglite(item: pytest.Item) -> bool:
    given = item.callspec.params.values() if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ()
    return "pglite" in [one for one in given if isinstance(one, str)]


class HandClock:
    """Stands still until it is moved: `clock.advance(days=1)`, or `clock.now = …` to any time, also backwards."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **parts: float) -> datetime:
        self.now += timedelta(**(parts or {"seconds": 1}))
        return self.now


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def db_path(tmp_path: Path) -> Path:
    return tmp_path / "work.db"


@pytest.fixture
def postgres_url() -> Iterator[Callable[[], str]]:
    """Gives the URLs of empty PostgreSQL databases, each to be used by one test."""
    given: list[str] = []

    def give() -> str:
        given.append(databases().empty())
        return given[-1]

    yield give
    for url in given:
        databases().give_back(url)


@pytest.fixture(params=STORES)
def store_url(request: pytest.FixtureRequest, db_path: Path, postgres_url: Callable[[], str]) -> str:
    """The URL of an empty store of each kind."""
    if request.param == "postgres":
        return postgres_url()
    if request.param == "pglite":
        return pglite_url()
    return {"reference": "reference:", "sqlite": str(db_path), "memory": ":memory:", "own": f"{db_path}.own"}[
        request.param
    ]


def own_store(path: Path) -> Store:
    module, _, name = str(OWN_STORE).partition(":")
    made: Store = getattr(importlib.import_module(module), name)(path)
    return made


def prepare(path: Path) -> None:
    """Lays an empty store there: to copy one takes a fifth of the time of making one."""
    path.write_bytes(_empty_file())
    path.chmod(0o600)


@cache
def _empty_file() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        open_store(str(path), "normal").close()
        return path.read_bytes()


@pytest.fixture
def new_store(tmp_path: Path, postgres_url: Callable[[], str]) -> Iterator[Callable[[str], Store]]:
    """Makes further empty stores, by kind (one of STORES) or by URL, closed when the test ends."""
    opened: list[Store] = []

    def make(kind: str) -> Store:
        if kind.endswith("own"):
            opened.append(own_store(tmp_path / f"{len(opened)}.own" if kind == "own" else Path(kind)))
            return opened[-1]
        files = {"reference": "reference:", "sqlite": str(tmp_path / f"more-{len(opened)}.db"), "memory": ":memory:"}
        url = postgres_url() if kind == "postgres" else pglite_url() if kind == "pglite" else files.get(kind, kind)
        if url.endswith(".db") and not Path(url).exists():
            prepare(Path(url))
        opened.append(open_pglite() if is_pglite(url) else open_store(url, "normal"))
        return opened[-1]

    yield make
    for store in opened:
        store.close()


@pytest.fixture
def store(store_url: str, new_store: Callable[[str], Store]) -> Store:
    """An empty store of each kind in turn."""
    return new_store(store_url)


@pytest.fixture
def doors(store: Store, clock: HandClock) -> Doors:
    """Doors of several actors on the same store: `ann, bob = doors("ann", "bob")`; more by keyword as for Treering."""

    def make(*actors: str, space: str = "lab", identity: Identity | None = None) -> Any:
        made = [Treering(store, clock=clock, actor=actor, identity=identity, space=space) for actor in actors]
        return made[0] if len(made) == 1 else made

    return make


@pytest.fixture
def mem(doors: Doors) -> Treering:
    """One door on each store in turn: actor `ann`, space `lab`."""
    return doors("ann")


@pytest.fixture
def file_mem(db_path: Path, clock: HandClock, new_store: Callable[[str], Store]) -> Treering:
    """A door on a SQLite file only, the file at `db_path`."""
    return Treering(new_store(str(db_path)), clock=clock, actor="ann", space="lab")


def write_a_life(door: Treering, clock: HandClock, of_today: bool = True) -> SimpleNamespace:
    """A small life in which every kind of change happens once: ids of what was written, by name. Not `of_today`: but
    for those that older files do not know."""
    told = SimpleNamespace()
    told.job = door.add(
        "Ada works at Google",
        title="Job",
        context="small talk",
        tags=["work", "people"],
        meta={"turn": 1},
        event_time="2020-03-01T00:00:00Z",
        entities=[{"name": "Ada", "kind": "person"}],
        triples=[["Ada", "WORKS_FOR", "Google"]],
        speaker="Ada",
        session="s1",
        key="turn-1",
    ).id
    clock.advance(hours=1)
    told.home = door.add("Ada lives in Berlin", kind="fact", triples=[["Ada", "LIVES_IN", "Berlin"]], session="s1").id
    clock.advance(hours=1)
    told.tea = door.add("Ada likes tea", kind="preference", entities=["Ada", "Tea"], speaker="Ada", session="s2").id
    clock.advance(hours=1)
    told.new_home = door.revise(told.home, "Ada lives in Paris", triples=[["Ada", "LIVES_IN", "Paris"]], why="moved").id
    clock.advance(hours=1)
    told.plan = door.add("Ada meets Bo at three", kind="episode", expires_at=clock.now + timedelta(hours=3)).id
    told.secret = door.add("Ada is ill", visibility="private", visible_to=["doc"], entities=["Clinic"]).id
    clock.advance(hours=1)
    told.link = door.link(told.tea, told.job, "contradicts", why="odd", meta={"by": "hand"}).edge.id
    told.untied = door.link(told.plan, told.job).edge.id
    door.unlink(told.plan, told.job)
    clock.advance(hours=1)
    told.fact = door.assert_fact("Ada", "KNOWS", "Bo", valid_from="2019-01-01T00:00:00Z").facts[0].id
    door.invalidate("Ada", "Bo", "KNOWS", at="2021-01-01T00:00:00Z", why="lost touch")
    door.reopen("Ada", "Bo", "KNOWS")
    door.invalidate("Ada", "Google", "WORKS_FOR", at="2025-06-01T00:00:00Z", why="left")
    clock.advance(hours=1)
    door.forget(told.tea, why="asked to")
    door.restore(told.tea)
    door.forget(told.job)
    told.alias = door.entity_register("Alphabet", aliases=["GOOG"], kind="organization").entity_id
    told.bo, told.robert = door.entity_get("Bo").id, door.entity_register("Robert").entity_id
    door.entity_merge("Robert", "Bo", why="the same")
    told.lutetia = door.entity_register("Lutetia").entity_id
    door.entity_merge("Lutetia", "Paris")
    door.entity_split(told.lutetia, why="not the same")
    door.settings({"functional_relations": ["LIVES_IN"]})
    door.settings({"functional_relations": ["LIVES_IN", "WORKS_FOR"]})
    clock.advance(hours=1)
    if of_today:
        door._write(None, lambda act: (_said_again(act, told.tea), told))
        notary_of(door).attest(told.fact)
        door._write(None, lambda act: (_used(act, told.tea, told.home), told))
    told.gone = door.add("The code is 1234", entities=["Vault"], tags=["code"]).id
    door.purge(told.gone, "asked to")
    clock.advance(hours=1)
    return told


def notary_of(door: Treering) -> Treering:
    """The same store and space, for somebody who vouches for what others observed."""
    return Treering(door._store, clock=door._clock, actor="notary", identity=NOTARY, space=door._space)


def _said_again(act: Act, memory_id: str) -> Changes:
    """What an embedder would have found to be said once more."""
    source = Source(
        id=act.mint(), space=act.space, content="Ada likes tea!", occurred_at=act.now, recorded_at=act.at, session="s2"
    )
    told = SourceTold(source.id, ("drinks",), "ann", "none", ({"content": "Ada likes tea!"},))
    return Changes("remember", (SourceAdded(source), told, Reinforced(memory_id, source.id, (0, 14))))


def _used(act: Act, *memory_ids: str) -> Changes:
    uses = [Used(one, Use.OBSERVED, 0.1, cross_domain=True) for one in memory_ids]
    return Changes("observe", (*uses, Used(memory_ids[0], Use.INHERITED, times=3, at=act.now - timedelta(days=1))))


def everything(store: Store, scope: Scope) -> dict[str, Any]:
    """All that a reader of this scope can be made to say, as one comparable value."""
    with store.reader(scope) as reader:
        memories = reader.memories(MemoryFilter(view=View.ALL))
        edges = reader.edges(EdgeFilter(include_closed=True, include_forgotten=True))
        entities = reader.entities()
        ids = [thing.id for things in (memories, edges, entities) for thing in things]
        return {
            "spaces": reader.spaces,
            "head": reader.head,
            "moment": reader.moment,
            **{view.value: reader.memories(MemoryFilter(view=view)) for view in View},
            "newest": reader.memories(MemoryFilter(view=View.ALL, newest_first=True)),
            "sources": [reader.source(memory.source_id) for memory in memories],
            "edges": edges,
            "standing": reader.edges(EdgeFilter()),
            "entities": entities,
            "own": [reader.own_entity(entity.id) for entity in entities],
            "events": {one: reader.events(one) for one in ids},
            "settings": {name: reader.setting(name) for name in SETTINGS},
            "counts": reader.counts(),
        }


def scope(clock: HandClock, **more: Any) -> Scope:
    """Where a reader of the tests stands unless told otherwise."""
    return Scope(**{"space": "lab", "now": clock.now, "principal": "ann", **more})


def contents(page: Any) -> list[str]:
    return [memory.content for memory in page]
