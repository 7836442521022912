"""How is the door opened? By a place, and by what the environment says where the caller is silent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from treering.access.quota import Quota
from treering.door.whole import Treering
from treering.errors import InvalidRequest
from treering.ingest.extract.contract import Extractor
from treering.ingest.extract.extractors import Extractors
from treering.mind.contract import Embedder, Reranker
from treering.mind.judging import Judge
from treering.mind.minds import Minds
from treering.model.identity import Identity
from treering.model.time import Clock, system_clock
from treering.store import open_store
from treering.store.contract import Store
from treering.traces import to_collector

if TYPE_CHECKING:
    from treering.door.wording import Wording
    from treering.settings import Settings

T = TypeVar("T")


def open(  # noqa: A001
    url: str | Path | None = None,
    *,
    clock: Clock = system_clock,
    actor: str | None = None,
    identity: Identity | None = None,
    space: str | None = None,
    durability: str | None = None,
    embedder: str | Embedder | None = None,
    extractor: str | None = None,
    reranker: str | Reranker | None = None,
    judge: str | Judge | None = None,
    vault: str | Path | None = None,
    vectors: str | None = None,
    graph: str | None = None,
) -> Treering:
    """Opens a store: a file path, `:memory:`, `postgresql://…`, or by default what TREERING_URL says, else the user's
    own file. `vectors` (auto, pgvector, local) and `graph` (auto, sql, age) say what answers on PostgreSQL."""
    from treering import settings

    default = settings.read()
    traces = to_collector(default.traces) if default.traces else None
    place = str(url) if url is not None else default.url
    replicas = default.replicas if place == default.url else ()
    store = open_store(
        place,
        durability or default.durability,
        replicas=replicas,
        connections=default.connections,
        vectors=vectors or default.vectors,
        graph=graph or default.graph,
    )
    wording = _wording(store, default, clock)
    return Treering(
        store,
        clock=clock,
        actor=actor or default.actor,
        identity=identity or settings.identity_of(actor or default.actor),
        space=space or default.space,
        minds=Minds(embedder or default.embedder, default.embedders),
        extractors=_extractors(store, default, extractor, clock),
        vault=vault or default.vault or None,
        traces=traces,
        quota=Quota(*default.quota),
        backups=default.backups,
        wording=wording,
        reranker=_reranker(default, reranker or default.reranker),
        judge=_judge(judge or default.judge, wording),
        access=default.access,
        masks_secrets=default.masks_secrets,
    )


def _judge(chosen: str | Judge, wording: Wording | None) -> Callable[[str], Judge] | None:
    """For a space; opened when it is first asked."""
    if not isinstance(chosen, str):
        return lambda _: chosen
    from treering.mind.judges import JUDGES, NO_JUDGE, judge_by_model, open_judge

    if chosen not in (*JUDGES, NO_JUDGE):
        raise InvalidRequest(f"judge: {chosen!r} is not one of {', '.join(JUDGES)} or {NO_JUDGE}")
    if chosen == "llm":
        if wording is None:
            raise InvalidRequest("judge: llm needs a language model; set TREERING_LLM and TREERING_LLM_MODEL")
        return lambda space: judge_by_model(wording.of(space))
    return None if chosen == NO_JUDGE else lambda _: open_judge(chosen)


def _reranker(default: Settings, chosen: str | Reranker) -> Callable[[], Reranker] | None:
    """Opened at the first question."""
    if not isinstance(chosen, str):
        return lambda: chosen
    from treering.mind.rerank import NO_RERANKER, RERANKERS, open_reranker

    if chosen not in (*RERANKERS, NO_RERANKER):
        raise InvalidRequest(f"reranker: {chosen!r} is not one of {', '.join(RERANKERS)} or {NO_RERANKER}")
    taken = {"endpoint": set(default.rerankers), "onnx": {"model"}}.get(chosen, set())
    options = {name: value for name, value in default.rerankers.items() if name in taken}
    return None if chosen == NO_RERANKER else lambda: open_reranker(chosen, **options)


def _extractors(store: Store, default: Settings, chosen: str | None, clock: Clock) -> Extractors:
    """With a language model, if one is set up."""
    if not default.llm:
        return Extractors(chosen or default.extractor)

    readers: dict[str, Extractor] = {}

    def by_model(space: str, reader: Extractor) -> Extractor:
        """One a space: it knows what its requests under way may cost."""
        if space in readers:
            return readers[space]
        from treering.ingest.extract.budget import Budget
        from treering.ingest.extract.llm import ModelExtractor
        from treering.ingest.extract.spending import SpendingInStore
        from treering.mind.llm import open_model

        budget = Budget(tokens=default.llm_tokens)
        model, spending = open_model(**default.llm), SpendingInStore(store)
        return readers.setdefault(
            space, ModelExtractor(model, reader, spending, space=space, budget=budget, clock=clock)
        )

    return Extractors(chosen or default.extractor, {"llm": by_model})


def _wording(store: Store, default: Settings, clock: Clock) -> Wording | None:
    if not default.llm:
        return None
    from treering.door.wording import Wording
    from treering.ingest.extract.budget import Budget
    from treering.mind.llm import open_model

    return Wording(lambda: open_model(**default.llm), store, Budget(tokens=default.llm_tokens), clock)
