"""No route, tool or dialect lets a caller name a file of the server: every field of every one is tried with paths, in
every encoding, with and without keys, on a machine where files lie that must not be read.

At every change each field is tried once with each kind of value; callers, encodings, names that no field has, and for
the door's own operations REST and MCP take turns (`Turns`). The slow group tries all with all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeVar
from urllib.parse import quote

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient
from tests.faces.rest.canaries import ALIEN, THERE, WORD, WORDS, Canaries, absent, once, values_of
from tests.faces.rest.conftest import Serving
from tests.faces.rest.test_access import bearing
from tests.faces.rest.test_mcp import Agent

from treering.door import OPERATIONS, Treering
from treering.faces.dialects import DIALECTS
from treering.faces.dialects.longmem import LONGMEM
from treering.faces.rest.app import application
from treering.faces.rest.describe import document
from treering.faces.rest.examples import EXAMPLES
from treering.faces.rest.native import listed
from treering.faces.rest.policy import ServerPolicy

Who = dict[str, str]
T = TypeVar("T")
CALLERS = ("nobody", "admin")
"""Who may the most, on a server without keys and on one with."""
FACES = ("rest", "mcp")
PARTS = 4
"""The door's operations are walked in so many tests, so that none takes long."""
OPEN = {
    *("/", "/page/{name}", "/docs", "/openapi.json", "/v1/whoami"),
    *("/healthz", "/readyz", "/metrics", "/api/v1/health", "/api/v1/metrics"),
}
"""Routes that take no words of a caller's at all."""
QUIET = frozenset({"key_create", "key_revoke", "key_rotate"})
"""Left out without keys: there a first key would lock the caller itself out of the rest of the test."""


@pytest.fixture
def canaries(tmp_path: Path) -> Canaries:
    return Canaries.laid(tmp_path / "disk")


@dataclass(slots=True)
class Turns:
    """How much of a product is walked: all of it, or each thing by one of the callers, in turn."""

    all: bool
    caller: str
    dice: Random

    def mine(self, things: Iterable[T]) -> list[T]:
        """What this caller tries; the others try the rest."""
        return list(things) if self.all else list(things)[CALLERS.index(self.caller) :: len(CALLERS)]

    def by(self, face: str, things: Iterable[T]) -> list[T]:
        """What is tried in this way; in the other way the rest: both pass a call on to the same operation."""
        return list(things) if self.all else list(things)[FACES.index(face) :: len(FACES)]

    def one(self, things: Sequence[T]) -> Sequence[T]:
        """One of those that mean the same wherever they are tried."""
        return things if self.all else [self.dice.choice(things)]


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.slow)], ids=["by-turns", "all"])
def turns(request: pytest.FixtureRequest, who: Who) -> Turns:
    caller = "admin" if who else "nobody"
    return Turns(request.param, caller, Random(caller))


@pytest.fixture(params=CALLERS)
def who(request: pytest.FixtureRequest, served: Treering) -> Who:
    if request.param == "nobody":
        return {}
    return bearing(served.key_create("eve", spaces=["*"], role=request.param).secret)


@pytest.fixture
def told_nothing(served: Treering, canaries: Canaries, tmp_path: Path) -> Iterator[None]:
    """Whatever was asked, nothing of the files has come into the store, and nothing was written beside them."""
    yield
    canaries.are_untouched()
    served.export(tmp_path / "after.jsonl")
    assert WORD not in (tmp_path / "after.jsonl").read_text()


def twice(http: TestClient, canaries: Canaries, who: Who, method: str, url: str, **more: Any) -> None:
    """With what is there and with what is not. Where the first request has changed what the second finds, both are
    asked again the other way round: whoever could tell one from the other would still do so."""

    def asked(given: dict[str, Any]) -> Any:
        return http.request(method, given["url"], headers={**who, **given.get("headers", {})}, **_rest(given))

    there, gone = asked(once({"url": url, **more})), asked(once(absent({"url": url, **more})))
    if there.status_code != gone.status_code:
        gone, there = asked(once(absent({"url": url, **more}))), asked(once({"url": url, **more}))
    canaries.alike(there, gone, (method, url, more))


def _rest(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name not in ("url", "headers")}


def unkeyed(example: dict[str, Any]) -> dict[str, Any]:
    """The same key with other words would be a conflict, whatever they name."""
    return {name: value for name, value in example.items() if name != "key"}


def path_of(route: str, space: str = "lab") -> str:
    return re.sub(r"\{[^}]*\}", space, route)


@pytest.mark.usefixtures("told_nothing")
@pytest.mark.parametrize("part", range(PARTS))
def test_no_field_of_any_operation_names_a_file(
    http: TestClient, canaries: Canaries, who: Who, turns: Turns, part: int
) -> None:
    (path,) = canaries.paths(few=True)
    for routed in listed()[part::PARTS]:
        operation, url = (
            routed.operation,
            path_of(routed.path, routed.operation.name),
        )  # what one did is not met by another
        if not who and operation.name in QUIET:
            continue
        example, fields = unkeyed(EXAMPLES[operation.name]), operation.schema().get("properties", {})
        alien = [one for one in ALIEN if one not in fields]
        here = dict(turns.by("rest", fields.items()))
        said = [(name, value) for name, one in here.items() for value in values_of(one, path)]
        mine = list if operation.name in QUIET else turns.mine
        if "POST" in routed.methods:
            for name, value in [*mine(said), *((name, path) for name in turns.one(alien))]:
                twice(http, canaries, who, "POST", url, json={**example, name: value})
            for encoding in turns.one(ENCODED):
                twice(http, canaries, who, "POST", url, **encoding(example, dict.fromkeys((*fields, *ALIEN), path)))
        if "GET" in routed.methods:
            for name in [*mine(here), *turns.one(alien)]:
                twice(http, canaries, who, "GET", url, params={name: path})


Body = dict[str, Any]
ENCODED: tuple[Callable[[Body, dict[str, str]], Body], ...] = (
    lambda _, named: {"data": named},
    lambda _, named: {"files": {name: (None, path) for name, path in named.items()}},
    lambda _, named: {"files": {name: (path, b"words") for name, path in named.items()}},
    lambda example, named: {"json": example, "params": named},
    lambda example, named: {"json": example, "headers": {"Idempotency-Key": next(iter(named.values()))}},
)
"""Where else a request may say something, with a path under every name."""
FILE_ROUTES = (
    "/v1/spaces/lab/add_file",
    "/v1/spaces/lab/receive_journal",
    "/v1/memory/collections/lab/drop",
    "/v1/import_journal",
)
REAL = ("notes.md", b"# Notes\n\nSam plays chess.\n")
SENT: tuple[Callable[[str, str], Body], ...] = (
    lambda name, path: {"files": [(name, (None, path))]},
    lambda name, path: {"files": [(name, (None, path)), ("file", REAL)]},
    lambda name, path: {"files": [("file", REAL), (name, (None, path))]},
    lambda name, path: {"files": [(name, (path, b""))]},
    lambda name, path: {"files": [(name, (path, b"Sam plays chess."))]},
    lambda name, path: {"files": [("file", REAL)], "params": {name: path}},
    lambda name, path: {"files": [("x", (None, "x"))], "params": {name: path}},
    lambda name, path: {"params": {name: path}},
    lambda name, path: {"data": {name: path}},
    lambda name, path: {"json": {name: path}},
)
"""Ways to say a name and a path to a route that takes a file."""


@pytest.mark.usefixtures("told_nothing")
@pytest.mark.parametrize("url", FILE_ROUTES)
def test_where_files_are_sent_none_can_be_named(
    http: TestClient, canaries: Canaries, who: Who, turns: Turns, url: str
) -> None:
    fields = [*OPERATIONS["add_file"].schema()["properties"], *OPERATIONS["import_journal"].schema()["properties"]]
    for path in canaries.paths(few=url.endswith("journal")):
        twice(http, canaries, who, "POST", url, content=path.encode(), params={"name": "words.txt"})
        first, usual = path.endswith(f"{THERE}.md"), ("file", "path", "name")
        for name in dict.fromkeys((*usual, *fields, *ALIEN)) if first else usual:
            for way in turns.mine(SENT) if first and name in usual else turns.one(SENT):
                twice(http, canaries, who, "POST", url, **way(name, path))
        twice(http, canaries, who, "POST", url, files=[(path, (None, "x"))])
        twice(http, canaries, who, "POST", url, files=[(path, (path, b"x"))])
        twice(http, canaries, who, "POST", url, headers={"X-File": path, "Content-Location": path})


FILE = ("notes.md", b"# Notes")
NAMING: list[dict[str, Any]] = [
    {"files": [("file", (None, "/etc/hostname"))]},
    {"files": [("file", FILE), ("file", (None, "/etc/hostname"))]},
    {"files": [("file", FILE)], "params": {"file": "/etc/hostname"}},
    {"content": b"# Notes", "params": {"name": "notes.md", "file": "/etc/hostname"}},
]


@pytest.mark.parametrize("naming", NAMING)
def test_the_route_itself_takes_no_name_of_a_file(http: TestClient, naming: dict[str, Any]) -> None:
    """The guards behind it need not be asked."""
    told = http.post("/v1/spaces/lab/add_file", **naming)
    assert told.status_code == 400
    assert told.json()["error"]["message"].startswith("file: is the file itself; send it")
    told = http.post("/v1/import_journal", content=b"", params={"path": "/etc/hostname"})
    assert told.json()["error"]["message"].startswith("path: is the file itself; send it")


@pytest.mark.usefixtures("told_nothing")
@pytest.mark.parametrize("url", ["/v1/export", "/v1/spaces/lab/export", "/v1/audit_export"])
def test_an_export_is_written_nowhere_but_to_its_caller(
    http: TestClient, canaries: Canaries, who: Who, turns: Turns, url: str
) -> None:
    for path in canaries.paths():
        for name in turns.mine(("path", "format", *ALIEN)):
            twice(http, canaries, who, "GET", url, params={name: path})


@pytest.mark.usefixtures("told_nothing")
@pytest.mark.parametrize("dialect", ["ai-memory", "crosmos", "longmem"])
def test_no_field_of_any_dialect_names_a_file(
    serving: Serving, canaries: Canaries, who: Who, turns: Turns, dialect: str
) -> None:
    spoken = DIALECTS[dialect]
    http = serving() if spoken is LONGMEM else serving(dialect=dialect)
    (path,) = canaries.paths(few=True)
    for route in spoken.routes:
        fields = route.tool.schema().get("properties", {})
        url = spoken.prefix + path_of(route.path)
        everything = dict.fromkeys((*fields, *ALIEN), path)
        for name in dict.fromkeys((*turns.mine(fields), *turns.one(ALIEN))):
            twice(http, canaries, who, route.method, url, params={name: path})
        if route.method == "GET":
            continue
        good = dict.fromkeys(fields, WORDS)
        for name, value in turns.mine((name, value) for name, one in fields.items() for value in values_of(one, path)):
            twice(http, canaries, who, route.method, url, json={**good, name: value})
        for body in turns.one(
            ({"json": everything}, {"json": [everything]}, *(way(good, everything) for way in ENCODED[:3]))
        ):
            twice(http, canaries, who, route.method, url, **body)


@pytest.mark.usefixtures("told_nothing")
@pytest.mark.parametrize(
    ("tools", "part"),
    [*((one, 0) for one in ("core", "cortexgraph", "ai-memory", "longmem")), *(("full", one) for one in range(PARTS))],
)
def test_no_argument_of_any_tool_names_a_file(
    serving: Serving, canaries: Canaries, who: Who, turns: Turns, tools: str, part: int
) -> None:
    http = serving(tools=tools)
    agent = Agent(http, who.get("Authorization", "").removeprefix("Bearer ") or None)
    path = str(canaries.folder / f"{THERE}.md")
    for tool in agent.ask("tools/list")["tools"][part :: PARTS if tools == "full" else 1]:
        if not who and tool["name"] in QUIET:
            continue
        fields = tool["inputSchema"].get("properties", {})
        here = dict(turns.by("mcp", fields.items())) if tools == "full" else fields
        said = [(name, value) for name, one in here.items() for value in _said(one, path, tools)]
        mine = list if tool["name"] in QUIET else turns.mine
        good = unkeyed(EXAMPLES.get(tool["name"]) or dict.fromkeys(fields, WORDS))
        if "space" in fields:
            good["space"] = tool["name"]
        for name, value in [*mine(said), *((name, path) for name in turns.one(ALIEN) if name not in here)]:
            there, gone = (
                agent.ask("tools/call", name=tool["name"], arguments={**good, name: one})
                for one in (value, absent(value))
            )
            assert WORD not in str(there), (tool["name"], name)
            assert there.get("isError") == gone.get("isError"), (tool["name"], name, there, gone)
    for uri in (f"memory://{path}", f"entity://{path}", f"profile://{path}", f"file://{path}"):
        assert WORD not in agent._send("resources/read", {"uri": uri}).text


def _said(schema: dict[str, Any], path: str, tools: str) -> Iterator[Any]:
    """The door's own operations with each kind of value, as REST has them; tools of other systems with a path."""
    return values_of(schema, path) if tools == "full" else iter([path])


def tabled() -> set[str]:
    """Paths that the tests above have walked, field by field."""
    spoken = {one.prefix + route.path for one in (*DIALECTS.values(), LONGMEM) for route in one.routes}
    return {*spoken, *(routed.path for routed in listed()), "/v1/export", "/v1/spaces/{space}/export", "/mcp"}


@pytest.mark.usefixtures("told_nothing")
def test_no_route_that_is_in_no_table_names_a_file(http: TestClient, canaries: Canaries, who: Who) -> None:
    """They are walked as the server itself describes them."""
    [path] = canaries.paths(few=True)
    for where, methods in http.get("/openapi.json").json()["paths"].items():
        for method, one in methods.items() if where not in tabled() | OPEN else ():
            ask = partial(twice, http, canaries, who, method.upper())
            fields = ("content", *(field["name"] for field in one.get("parameters", ())), *ALIEN)
            everything = {**dict.fromkeys(fields, path), "content": WORDS}
            ask(re.sub(r"\{[^}]*\}", quote(path, safe=""), where))
            ask(path_of(where), params=everything)
            if "requestBody" in one:
                for name in fields:
                    ask(path_of(where), json={"content": WORDS, name: path})
                ask(path_of(where), data=everything)
                ask(path_of(where), files=dict.fromkeys(fields, (path, b"words")))
                ask(path_of(where), files=dict.fromkeys(fields, (None, path)))


@pytest.mark.parametrize("dialect", ["ai-memory", "crosmos"])
def test_every_route_of_the_server_is_described_and_so_was_walked(served: Treering, dialect: str) -> None:
    app: Any = application(served, ServerPolicy(dialect=dialect))
    described = {path: {one.upper() for one in told} for path, told in document(dialect)["paths"].items()}
    routes = [one for one in _starlette(app).routes if isinstance(one, Route)]
    assert len(routes) > 150
    for route in routes:
        path, methods = route.path.replace(":path}", "}"), {*(route.methods or {"GET"})} - {"HEAD"}
        if path not in OPEN:
            assert methods <= described.get(path, set()) | ({"GET", "DELETE"} if path == "/mcp" else set()), path


def _starlette(app: Any) -> Any:
    """What is inside the watch, the answering of faults and the gate."""
    around = (cell.cell_contents for cell in app.__closure__)
    gate = next(one.app for one in around if hasattr(getattr(one, "app", None), "_doorkeeper"))
    return gate._app
