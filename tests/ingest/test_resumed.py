"""What was broken off is gone on with as it was asked for: with its tags, its reporter, its reader and its drafts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.conftest import HandClock

from treering.door import Treering
from treering.errors import Unsupported
from treering.ingest.extract.contract import Extraction, Extractor, Heard
from treering.ingest.extract.extractors import Extractors
from treering.ingest.extract.none import AsItStands
from treering.model.changes import SourceTold
from treering.store.contract import Store

DRAFTS: list[dict[str, Any]] = [
    {
        "content": "Ada works at Anthropic",
        "kind": "semantic",
        "entities": [{"name": "Ada", "kind": "person"}],
        "triples": [
            {"subject": "Ada", "relation": "WORKS_FOR", "object": "Anthropic", "valid_from": "2025-05-01T00:00:00Z"}
        ],
        "importance": 0.9,
    },
    {"content": "Ada prefers mornings", "kind": "viewpoint", "event_time": "2026-01-02T00:00:00Z"},
]


class Loud:
    """Reads as it stands, in capitals, so that it can be told who read."""

    name = "llm"

    def extract(self, heard: Sequence[Heard]) -> list[Extraction]:
        return [
            Extraction(extracted=one.extracted, passed_over=one.passed_over, extractor="llm")
            for one in AsItStands().extract(heard)
        ]


def with_model(store: Store, clock: HandClock) -> Treering:
    def loud(space: str, rules: Extractor) -> Extractor:
        return Loud()

    return Treering(store, clock=clock, actor="ann", space="lab", extractors=Extractors("none", {"llm": loud}))


def broken_off(mem: Treering, *given: Any, **more: Any) -> None:
    """As if the process had died when all was kept and nothing was read."""

    def died(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("treering.ingest.journey.Journey.read", died)
        with pytest.raises(KeyboardInterrupt):
            mem.remember(*given, **more)
    assert mem.list(view="all").memories == ()


def without_times(receipt: Any) -> list[dict[str, Any]]:
    kept = ("content", "kind", "tags", "importance", "event_time", "observed_by", "span", "meta", "title")
    return [{name: getattr(one, name) for name in kept} for one in receipt]


def test_tags_and_reporter_are_those_of_the_call(mem: Treering) -> None:
    broken_off(mem, "Ada came", tags=["visit", "work"], observed_by="scout", meta={"page": 7}, extractor="none")
    (memory,) = [mem.get(one.id) for one in mem.resume().memories]
    assert (memory.tags, memory.observed_by, memory.meta["page"]) == (("visit", "work"), "scout", 7)


@pytest.mark.parametrize("content", [None, "Ada works at Anthropic, and Ada prefers mornings."])
def test_drafts_become_what_they_would_have_become(store: Store, clock: HandClock, content: str | None) -> None:
    mem = with_model(store, clock)
    whole = mem.space("whole")
    whole.remember(content, drafts=DRAFTS, tags=["t"])
    broken_off(mem, content, drafts=DRAFTS, tags=["t"])
    receipt = mem.resume()
    assert receipt.extractor == "caller"
    assert without_times(mem.list()) == without_times(whole.list())
    facts = [[(one.subject, one.relation, one.object, one.valid_from) for one in door.facts()] for door in (mem, whole)]
    assert facts[0] == facts[1] != []


def test_who_was_to_read_it_reads_it(store: Store, clock: HandClock) -> None:
    mem = with_model(store, clock)
    broken_off(mem, "Ada came", extractor="llm")
    assert mem.resume().extractor == "llm"


def test_another_may_be_asked_to(store: Store, clock: HandClock) -> None:
    mem = with_model(store, clock)
    broken_off(mem, "Ada came", extractor="llm")
    assert mem.resume(extractor="none").extractor == "none"


def test_a_reader_that_is_gone_holds_nothing_up_unless_it_is_asked_for(store: Store, clock: HandClock) -> None:
    broken_off(with_model(store, clock), "Ada came", extractor="llm", tags=["visit"])
    mem = Treering(store, clock=clock, actor="ann", space="lab", extractors=Extractors("none"))
    with pytest.raises(Unsupported):
        mem.resume(extractor="llm")
    (memory,) = mem.resume().memories
    assert mem.get(memory.id).tags == ("visit",)


def test_what_is_private_stays_so_with_its_tags(mem: Treering) -> None:
    broken_off(mem, "Ada is ill", visibility="private", visible_to=["doc"], tags=["health"], extractor="none")
    (memory,) = [mem.get(one.id) for one in mem.resume().memories]
    assert (memory.visibility, memory.tags) == ("private", ("health",))
    assert {memory.observed_by, *memory.visible_to} == {"ann", "doc"}


def test_nothing_more_is_written_where_there_is_nothing_to_keep(mem: Treering, store: Store) -> None:
    mem.remember("Ada came", extractor=None)
    mem.add("Bo came", tags=["visit"])
    assert not [one for entry in store.entries("lab") for one in entry.changes() if isinstance(one, SourceTold)]


def test_a_purge_takes_the_drafts_too(mem: Treering, store: Store) -> None:
    mem.remember("Ada told us something.", drafts=[{"content": "Ada hid a zircon"}, {"content": "Ada prefers tea"}])
    zircon = next(one.id for one in mem.list() if "zircon" in one.content)
    mem.purge(zircon, "asked to")
    assert not any("zircon" in entry.payload() for entry in store.entries("lab"))
    assert mem.verify().ok


def test_who_may_not_see_a_source_is_not_told_how_it_is_to_be_read(doors: Any, store: Store) -> None:
    ann, bob = doors("ann", "bob")
    broken_off(ann, "Ada is ill", visibility="private", tags=["oncology"], extractor="none")
    assert "source_told" not in [one.type for one in bob.events().events]
    assert "source_told" in [one.type for one in ann.events().events]
