"""How does something said become knowledge? What a receipt tells, what keys promise, and that nothing said is lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.conftest import HandClock, everything, scope
from tests.ingest.doors import door
from tests.ingest.telling import current, day, lives, tell, works
from tests.recall.hashing import Hashing

from treering.door import Treering
from treering.errors import Conflict
from treering.ingest.extract.contract import Extracted, Extraction, Heard, PassedOver
from treering.model.job import Stage
from treering.model.memory import Kind
from treering.store.contract import Store


class Choosy:
    """Passes over what is in brackets, and never sees the words `nothing here`."""

    name = "llm"

    def extract(self, heard: Sequence[Heard]) -> list[Extraction]:
        return [self._read(one.text) for one in heard]

    def _read(self, text: str) -> Extraction:
        start, end = text.find("("), text.find(")") + 1
        said = () if "nothing here" in text else (Extracted(content=text[:start], span=(0, start)),)
        return Extraction(extracted=said, passed_over=(PassedOver((start, end), "in brackets"),), extractor=self.name)


# the receipt


def test_a_receipt_tells_of_every_memory_what_was_understood(mem: Treering, clock: HandClock) -> None:
    receipt = mem.remember(
        drafts=[
            {
                "content": "Ada joined Stripe in May 2025",
                "kind": "episode",
                "importance": 0.9,
                "confidence": 0.8,
                "event_time": day("2025-05"),
                "expires_at": day("2030"),
                "entities": [{"name": "Ada", "kind": "person"}, "Stripe"],
                "triples": [["Ada", "WORKS_FOR", "Stripe"]],
            }
        ],
        speaker="Bo",
        session="monday",
    )
    (memory,) = receipt.memories
    assert (memory.content, memory.kind) == ("Ada joined Stripe in May 2025", Kind.EPISODE)
    assert (memory.importance, memory.confidence) == (0.9, 0.8)
    assert (memory.event_time, memory.valid_from, memory.expires_at) == (day("2025-05"), day("2025-05"), day("2030"))
    assert [(one.name, one.kind, one.created) for one in memory.entities] == [
        ("Ada", "person", True),
        ("Stripe", "concept", True),
    ]
    assert [(one.subject, one.relation, one.object) for one in memory.triples] == [("Ada", "WORKS_FOR", "Stripe")]
    assert memory.triples[0].valid_from == day("2025-05")
    assert receipt.source_ids == (memory.source_id,)
    assert {one.name for one in receipt.entities} == {"Ada", "Stripe"}
    assert receipt.stage is Stage.ENRICHED
    assert receipt.extractor == "caller"
    assert (receipt.repeated, receipt.dry_run, receipt.trouble) == (False, False, None)
    assert set(receipt.milliseconds) >= {"store", "embed", "near", "write", "total"}
    assert all(spent >= 0 for spent in receipt.milliseconds.values())


def test_a_receipt_tells_which_entities_were_known_before(mem: Treering) -> None:
    tell(mem, "Ada came", entities=["Ada"])
    receipt = tell(mem, "Ada met Bo", entities=["Ada", "Bo"])
    assert {one.name: one.created for one in receipt.entities} == {"Ada": False, "Bo": True}


def test_every_edge_of_a_receipt_can_be_read_from_the_store(mem: Treering, clock: HandClock) -> None:
    tell(mem, "User works at Google", works("User", "Google"))
    clock.advance(days=1)
    receipt = tell(mem, "User works at Stripe", works("User", "Stripe"))
    assert {one.relation for one in receipt.edges} == {"WORKS_FOR", "supersedes"}
    for one in (*receipt.edges, *receipt.closed):
        assert one.id in receipt.edges_added or one in receipt.closed
        assert mem.history(one.id).events
    (fact,) = [one for one in receipt.edges if one.relation == "WORKS_FOR"]
    assert (fact.source, fact.target, fact.rule, fact.evidence) == ("User", "Stripe", "stated", receipt.id)


def test_the_receipt_of_a_remembering_is_found_in_the_journal_by_its_seq(mem: Treering, store: Store) -> None:
    receipt = tell(mem, "Ada came", entities=["Ada"])
    entry = next(store.entries("lab", receipt.seq - 1, 1))
    assert (entry.seq, entry.op, entry.at) == (receipt.seq, "remember", receipt.at)


def test_a_stretch_that_makes_no_memory_is_named_with_the_reason(store: Store, clock: HandClock) -> None:
    mem = door(store, clock, Choosy())
    receipt = mem.remember("Ada came (hi there)", extractor="llm")
    assert [one.content for one in receipt.memories] == ["Ada came "]
    assert [(one.span, one.why) for one in receipt.skipped] == [((9, 19), "in brackets")]
    assert receipt.extractor == "llm"


def test_the_same_said_again_is_evidence_for_the_first_and_no_other_memory(store: Store, clock: HandClock) -> None:
    mem = door(store, clock, embedder=Hashing())
    first = mem.remember("Ada plays the cello on weekends")
    clock.advance(days=1)
    again = mem.remember("Ada plays the cello on weekends")
    assert again.memories == ()
    ((memory, source),) = [(one.memory_id, one.source_id) for one in again.duplicates]
    assert (memory, source) == (first.id, again.source_ids[0])
    assert again.id == again.source_ids[0]
    (hit,) = mem.recall("cello", include_source=True)
    assert {one.id for one in hit.sources} == {*first.source_ids, *again.source_ids}
    assert len(current(mem)) == 1


def test_what_is_said_again_twice_in_one_breath_is_kept_in_both_places(store: Store, clock: HandClock) -> None:
    """SQLite once refused it, and what was said waited for ever."""
    mem, said = door(store, clock, embedder=Hashing()), "Ada plays the cello on weekends"
    mem.remember(said)
    receipt = mem.remember(f"{said}. {said}", drafts=[{"content": said}, {"content": said}])
    assert (len(receipt.duplicates), len(receipt.memories)) == (1, 1)
    assert mem.get(receipt.memories[0].id).span == (len(said) + 2, 2 * len(said) + 2)
    with store.reader(scope(clock)) as reader:
        assert reader.waiting() == []
    assert mem.verify().ok


@pytest.mark.parametrize(
    ("first", "then", "more"),
    [
        ("Ada pays 900 for rent", "Ada pays 950 for rent", {}),
        ("Ada plays the cello", "Ada plays the cello", {"speaker": "Bo"}),
        ("Ada plays the cello", "Ada plays the cello and the harp", {}),
    ],
    ids=["another value", "another speaker", "more words"],
)
def test_what_says_more_or_other_is_a_memory_of_its_own(
    store: Store, clock: HandClock, first: str, then: str, more: dict[str, str]
) -> None:
    mem = door(store, clock, embedder=Hashing())
    mem.remember(first)
    receipt = mem.remember(then, **more)
    assert receipt.duplicates == ()
    assert [one.content for one in receipt.memories] == [then]


# a dry run


def test_a_dry_run_writes_nothing_and_says_what_would_be(mem: Treering, store: Store, clock: HandClock) -> None:
    tell(mem, "User lives in Oslo", lives("User", "Oslo"))
    clock.advance(days=1)
    before = everything(store, scope(clock))
    told = {"cue": "change", "entities": ["Rome", "Ada"], "call": {"session": "s", "speaker": "User"}}
    dry = tell(mem, "User lives in Rome", lives("User", "Rome"), **{**told, "call": {**told["call"], "dry_run": True}})  # type: ignore[dict-item]
    assert everything(store, scope(clock)) == before
    assert dry.dry_run is True
    wet = tell(mem, "User lives in Rome", lives("User", "Rome"), **told)

    def plain(receipt: Any) -> Any:
        memories = [(one.content, one.kind, one.valid_from, one.triples) for one in receipt.memories]
        entities = [(one.name, one.created) for one in receipt.entities]
        edges = [(one.source, one.relation, one.target, one.valid_until, one.rule) for one in receipt.closed]
        return memories, entities, edges, len(receipt.edges), receipt.superseded, receipt.stage, receipt.extractor

    assert plain(dry) == plain(wet)


def test_a_dry_run_of_a_key_that_is_known_gives_the_first_result(mem: Treering) -> None:
    first = mem.remember("Ada came", key="k", extractor="none")
    dry = mem.remember("Ada came", key="k", extractor="none", dry_run=True)
    assert (dry.id, dry.repeated, dry.dry_run) == (first.id, True, True)


# keys


def test_the_same_key_with_the_same_content_gives_the_first_result(mem: Treering, store: Store) -> None:
    first = tell(mem, "Ada works at Stripe", works("Ada", "Stripe"), entities=["Ada", "Stripe"], call={"key": "k"})
    head = store.head("lab")
    again = tell(mem, "Ada works at Stripe", works("Ada", "Stripe"), entities=["Ada", "Stripe"], call={"key": "k"})
    assert store.head("lab") == head
    assert again.repeated is True
    assert again.source_ids == first.source_ids
    assert [(one.id, one.content, one.triples) for one in again.memories] == [
        (one.id, one.content, one.triples) for one in first.memories
    ]


def test_the_same_key_with_other_content_is_a_conflict(mem: Treering, store: Store) -> None:
    mem.remember("Ada came", key="k", extractor="none")
    head = store.head("lab")
    with pytest.raises(Conflict, match="'k' was used before with other content"):
        mem.remember("Ada left", key="k", extractor="none")
    assert store.head("lab") == head


def test_the_key_of_a_conversation_stands_for_all_of_its_messages(mem: Treering, store: Store) -> None:
    said = [{"role": "user", "content": "Ada came"}, {"role": "user", "content": "Bo left"}]
    first = mem.remember(messages=said, key="talk", extractor="none")
    again = mem.remember(messages=said, key="talk", extractor="none")
    assert again.repeated is True
    assert again.source_ids == first.source_ids
    assert [one.id for one in again.memories] == [one.id for one in first.memories]
    for other in ([said[0], {"role": "user", "content": "Bo stayed"}], [*said, {"role": "user", "content": "More"}]):
        with pytest.raises(Conflict):
            mem.remember(messages=other, key="talk", extractor="none")
    assert len(current(mem)) == 2


def test_a_key_of_an_add_and_of_a_remembering_are_the_same_kind_of_key(mem: Treering) -> None:
    mem.add("Ada came", key="k")
    assert mem.remember("Ada came", key="k", extractor="none").repeated is True
    with pytest.raises(Conflict):
        mem.remember("Ada left", key="k", extractor="none")


# everything said is found


SAID = {
    "The spare key is under the blue flowerpot": "flowerpot",
    "hmm, Zebedee and the marmalade incident again": "marmalade",
    "ok so the wifi password at the cabin is tangerine-42": "tangerine",
    "Honestly? Could not care less about opera": "opera",
}


@pytest.mark.parametrize("extractor", ["none", "reader"])
@pytest.mark.parametrize(("text", "asked"), list(SAID.items()))
def test_everything_said_is_found_by_its_words(mem: Treering, extractor: str, text: str, asked: str) -> None:
    mem.remember(text, extractor=extractor, session="s")
    found = mem.recall(asked, include_source=True)
    assert found
    assert asked in " ".join(one.text or "" for one in found[0].sources).lower()


@pytest.mark.parametrize("text", ["Hi!", "Thanks a lot!", "ok", "Good morning :)"])
def test_small_talk_is_kept_as_source_only(mem: Treering, store: Store, clock: HandClock, text: str) -> None:
    receipt = mem.remember(text, extractor="reader")
    assert receipt.memories == ()
    assert receipt.skipped
    assert receipt.id == receipt.source_ids[0]
    with store.reader(scope(clock)) as reader:
        source = reader.source(receipt.source_ids[0])
        assert reader.waiting() == []
    assert source is not None
    assert source.content == text


def test_every_memory_leads_to_the_words_it_was_drawn_from(mem: Treering, store: Store, clock: HandClock) -> None:
    text = "Hi! I moved to Lisbon last May. My sister Ana has two dogs."
    receipt = mem.remember(text, extractor="reader")
    assert len(receipt.memories) >= 2
    with store.reader(scope(clock)) as reader:
        for one in receipt.memories:
            memory = reader.memory(one.id)
            assert memory is not None
            start, end = memory.span
            assert 0 <= start < end <= len(text)
            assert text[start:end].strip()


def test_remembering_leaves_a_store_that_verifies(mem: Treering, clock: HandClock) -> None:
    for text in ("I work at Google.", "I left Google last May to join Anthropic.", "Thanks!"):
        mem.remember(text, extractor="reader", session="s")
        clock.advance(days=1)
    found = mem.verify()
    assert found.ok, found.differences
