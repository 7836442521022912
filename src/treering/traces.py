"""Where did the time go? Spans of requests, operations and jobs, sent to a collector that speaks OTLP, if one is named.

A span says what was asked for, how it ended and how long it took. It never says what was said, by whom, or in which
space: a collector is read by others than those who may read a memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from treering import extras
from treering.errors import InvalidRequest, TreeringError
from treering.version import VERSION

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Span, TracerProvider

PATIENCE_SECONDS = 5
"""How long a collector that does not answer is waited for: when it is sent spans, and when a door is closed."""
_PATH = "/v1/traces"
Told = Mapping[str, str | int | bool]


class Traces:
    """Makes spans with a provider, and nobody else's: that of the program it runs in is left as it is."""

    def __init__(self, provider: TracerProvider) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("treering", VERSION)

    @contextmanager
    def span(self, name: str, told: Told, asked_with: Mapping[str, str] | None = None) -> Iterator[Span]:
        """Within it, others are its children. `asked_with`: the headers of a request, which may name the caller's own
        span; then this one serves it."""
        from opentelemetry.trace import SpanKind

        with self._tracer.start_as_current_span(
            name,
            None if asked_with is None else _parent(asked_with),
            SpanKind.INTERNAL if asked_with is None else SpanKind.SERVER,
            told,
            record_exception=False,  # its message may quote what was said
            set_status_on_exception=False,
        ) as span:
            try:
                yield span
            except BaseException as error:
                failed(span, error.code if isinstance(error, TreeringError) else type(error).__name__)
                raise

    def close(self) -> None:
        """Sends what is left."""
        shutdown = getattr(self._provider, "shutdown", None)
        if shutdown is not None:
            shutdown()


def traced(traces: Traces | None, name: str, told: Told) -> AbstractContextManager[Span | None]:
    return nullcontext() if traces is None else traces.span(name, told)


def failed(span: Span, kind: str) -> None:
    from opentelemetry.trace import Status, StatusCode

    span.set_attribute("error.type", kind)
    span.set_status(Status(StatusCode.ERROR))


def _parent(headers: Mapping[str, str]) -> Context:
    from opentelemetry import context
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator().extract(headers, context.Context())


def to_collector(url: str) -> Traces:
    """Sends spans there over HTTP, from a thread of its own. One that does not answer holds nothing up."""
    if not url.startswith(("http://", "https://")):
        raise InvalidRequest(
            f"TREERING_TRACES: {url!r} is not the address of a collector, such as http://localhost:4318"
        )
    extras.need("otel", "TREERING_TRACES")
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    address = url if url.endswith(_PATH) else url.rstrip("/") + _PATH
    provider = TracerProvider(resource=Resource.create({"service.name": "treering", "service.version": VERSION}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(address, timeout=PATIENCE_SECONDS)))
    return Traces(provider)
