"""Where the time went: spans of requests, operations and jobs, and never a word of what was said."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from starlette.testclient import TestClient
from tests.conftest import HandClock
from tests.faces.rest.conftest import HERE

import treering
from treering import settings
from treering.door import Treering
from treering.errors import InvalidRequest, NotFound, Unsupported
from treering.faces.rest.app import application
from treering.faces.rest.policy import ServerPolicy
from treering.store import open_store
from treering.traces import Traces

SECRET = "The vault opens to lantern"
TOLD_OF = {
    "treering.writes", "treering.attempt", "treering.sources", "error.type", "http.request.method", "http.route",
    "http.response.status_code",
}  # fmt: skip
"""All that a span may say; values of these are words of ours, or numbers."""


class Watched:
    """A door whose spans can be looked at."""

    def __init__(self, path: Path, clock: HandClock) -> None:
        self._kept = InMemorySpanExporter()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self._kept))
        store = open_store(str(path / "traced.db"), "normal")
        self.door = Treering(store, clock=clock, actor="ann", space="clinic", traces=Traces(provider))

    def spans(self) -> list[ReadableSpan]:
        """Those that ended, the first begun first; each is told once."""
        found = sorted(self._kept.get_finished_spans(), key=lambda one: one.start_time or 0)
        self._kept.clear()
        return found

    def named(self, name: str) -> ReadableSpan:
        [found] = [one for one in self.spans() if one.name == name]
        return found


@pytest.fixture
def watched(tmp_path: Path, clock: HandClock) -> Iterator[Watched]:
    made = Watched(tmp_path, clock)
    yield made
    made.door.close()


def test_an_operation_is_a_span_that_says_how_it_ended(watched: Watched) -> None:
    watched.door.add(SECRET)
    watched.door.status()
    with pytest.raises(NotFound):
        watched.door.get(SECRET)
    with pytest.raises(InvalidRequest):
        watched.door.recall(SECRET, limit=0)
    spans = watched.spans()
    told = [(one.name, dict(one.attributes or {})) for one in spans]
    assert told == [
        ("add", {"treering.writes": True}),
        ("status", {"treering.writes": False}),
        ("get", {"treering.writes": False, "error.type": "not_found"}),
        ("recall", {"treering.writes": False, "error.type": "invalid_request"}),
    ]
    assert [one.status.status_code for one in spans] == [StatusCode.UNSET] * 2 + [StatusCode.ERROR] * 2


def test_nothing_that_was_said_by_whom_or_where_is_in_any_span(watched: Watched) -> None:
    watched.door.remember(SECRET, speaker="Kim", session="ward", extractor="none")
    watched.door.enqueue(SECRET, extractor="none")
    watched.door.run_jobs()
    with pytest.raises(NotFound):
        watched.door.entity_get(SECRET)
    with TestClient(application(watched.door, ServerPolicy()), base_url=HERE) as http:
        http.post("/v1/spaces/clinic/recall", json={"query": SECRET}, headers={"X-Agent-Id": "Kim"})
        http.get(f"/v1/spaces/clinic/memories/{SECRET}")
        http.get(f"/{SECRET}")
    spans = watched.spans()
    assert len(spans) > 8
    for one in spans:
        assert not one.events
        assert set(one.attributes or {}) <= TOLD_OF
        written = one.to_json()
        assert not [word for word in ("vault", "lantern", "Kim", 'ann"', "clinic", "ward") if word in written], written


def test_a_job_is_a_span_and_what_it_does_lies_within(watched: Watched) -> None:
    watched.door.enqueue(messages=[{"content": "Ada came"}, {"content": "Bo came"}], extractor="none")
    watched.door.run_jobs()
    spans = {one.name: one for one in watched.spans()}
    job, inside = spans["job remember"], spans["remember"]
    assert dict(job.attributes or {}) == {"treering.attempt": 1, "treering.sources": 2}
    assert inside.parent is not None
    assert inside.parent.span_id == job.context.span_id


def test_a_request_is_a_span_of_the_callers_trace_and_its_operation_lies_within(watched: Watched) -> None:
    caller = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    with TestClient(application(watched.door, ServerPolicy()), base_url=HERE) as http:
        assert http.get("/v1/spaces/clinic/status", headers={"traceparent": caller}).status_code == 200
    spans = {one.name: one for one in watched.spans()}
    asked, done = spans["GET /v1/spaces/{space}/status"], spans["status"]
    assert asked.kind is SpanKind.SERVER
    assert asked.parent is not None
    assert f"{asked.context.trace_id:032x}-{asked.parent.span_id:016x}" == caller[3:52]
    assert done.parent is not None
    assert done.parent.span_id == asked.context.span_id
    assert dict(asked.attributes or {}) == {
        "http.request.method": "GET",
        "http.route": "/v1/spaces/{space}/status",
        "http.response.status_code": 200,
    }


def test_a_request_that_is_refused_is_no_failure_of_the_server_and_a_fault_is(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError(SECRET)

    with TestClient(application(watched.door, ServerPolicy()), base_url=HERE, raise_server_exceptions=False) as http:
        http.get("/v1/spaces/clinic/get?id=nothing")
        refused = watched.named("GET /v1/spaces/{space}/get")
        monkeypatch.setattr(Treering, "status", broken)
        http.get("/v1/spaces/clinic/status")
    fault = watched.named("GET /v1/spaces/{space}/status")
    assert (refused.status.status_code, (refused.attributes or {})["http.response.status_code"]) == (
        StatusCode.UNSET, 404,
    )  # fmt: skip
    assert fault.status.status_code is StatusCode.ERROR
    assert (fault.attributes or {})["http.response.status_code"] == 500
    assert SECRET not in fault.to_json()


# a collector


class Collector:
    """Takes spans over HTTP, as a collector does; says nothing for as long as it is told to."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.names: list[str] = []
        self.services: set[str] = set()
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.headers.get("content-encoding") == "gzip":
                    body = gzip.decompress(body)
                collector.take(self.path, ExportTraceServiceRequest.FromString(body))
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None: ...

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def take(self, path: str, sent: ExportTraceServiceRequest) -> None:
        self.paths.append(path)
        for of in sent.resource_spans:
            self.services |= {one.value.string_value for one in of.resource.attributes if one.key == "service.name"}
            self.names += [span.name for some in of.scope_spans for span in some.spans]


@pytest.fixture
def collector() -> Iterator[Collector]:
    made = Collector()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.mark.parametrize("ending", ["", "/", "/v1/traces"])
def test_spans_reach_a_collector_over_http_before_the_door_is_closed(
    tmp_path: Path, collector: Collector, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.setenv("TREERING_TRACES", collector.url + ending)
    with treering.open(tmp_path / "work.db", embedder="none") as mem:
        mem.add("Ada lives in Oslo")
        mem.facts()
    assert collector.names == ["add", "facts"]
    assert collector.services == {"treering"}
    assert set(collector.paths) == {"/v1/traces"}


def test_a_collector_that_is_not_there_holds_nothing_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treering.traces.PATIENCE_SECONDS", 0.2)
    monkeypatch.setenv("TREERING_TRACES", "http://127.0.0.1:9")
    with treering.open(tmp_path / "work.db", embedder="none") as mem:
        assert mem.add("Ada lives in Oslo").id
    with treering.open(tmp_path / "work.db", embedder="none") as mem:
        assert len(mem.list().memories) == 1


def test_without_a_collector_nobody_is_told_anything(tmp_path: Path) -> None:
    assert settings.read({}).traces == ""
    with treering.open(tmp_path / "work.db", embedder="none") as mem:
        assert mem.traces is None


def test_an_address_that_is_none_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREERING_TRACES", "localhost:4318")
    with pytest.raises(InvalidRequest, match="http://localhost:4318"):
        treering.open(tmp_path / "work.db")
    assert not (tmp_path / "work.db").exists()


def test_what_must_be_installed_for_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREERING_TRACES", "http://localhost:4318")
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(Unsupported, match=r"treering\[otel\]"):
        treering.open(tmp_path / "work.db")
