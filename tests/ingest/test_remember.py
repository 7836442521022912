"""How does something said become knowledge? What a receipt tells, what keys promise, and that nothing said is lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.conftest import Doors, HandClock, everything, scope
from tests.ingest.telling import claim, current, day, known, lives, objects, tell, works
from tests.recall.hashing import Hashing

from treering.door import Treering
from treering.errors import Conflict, InvalidRequest, LimitExceeded, NotFound, Unsupported
from treering.ingest.extract.contract import Extracted, Extraction, Heard, PassedOver
from treering.ingest.extract.extractors import Extractors
from treering.model.job import Stage
from treering.model.limits import MESSAGES
from treering.model.memory import Kind
from treering.store.contract import Store


class Broken:
    """An extractor that gives up until it is mended."""

    name = "llm"
    broken = True

    def extract(self, heard: Sequence[Heard]) -> list[Extraction]:
        if self.broken:
            raise RuntimeError("the reader fell asleep")
        return [
            Extraction(extracted=(Extracted(content=one.text, span=(0, len(one.text))),), extractor=self.name)
            for one in heard
        ]


class Choosy:
    """Passes over what is in brackets, and never sees the words `nothing here`."""

    name = "llm"

    def extract(self, heard: Sequence[Heard]) -> list[Extraction]:
        return [self._read(one.text) for one in heard]

    def _read(self, text: str) -> Extraction:
        start, end = text.find("("), text.find(")") + 1
        said = () if "nothing here" in text else (Extracted(content=text[:start], span=(0, start)),)
        return Extraction(extracted=said, passed_over=(PassedOver((start, end), "in brackets"),), extractor=self.name)


def door(store: Store, clock: HandClock, reader: Any = None, **more: Any) -> Treering:
    makers = {"llm": lambda space, fallback: reader} if reader else {}
    return Treering(store, clock=clock, actor="ann", space="lab", extractors=Extractors("none", makers), **more)


@pytest.fixture
def broken() -> Broken:
    return Broken()


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


# nothing said is lost


def test_what_was_said_is_kept_although_its_reader_failed(store: Store, clock: HandClock, broken: Broken) -> None:
    mem = door(store, clock, broken)
    with pytest.raises(RuntimeError):
        mem.remember("Ada came", extractor="llm", session="s", speaker="Bo", key="k")
    with store.reader(scope(clock)) as reader:
        (waiting,) = reader.waiting()
    assert (waiting.content, waiting.session, waiting.speaker) == ("Ada came", "s", "Bo")
    assert current(mem) == []


def test_the_same_key_goes_on_where_it_stopped(store: Store, clock: HandClock, broken: Broken) -> None:
    mem = door(store, clock, broken)
    with pytest.raises(RuntimeError):
        mem.remember("Ada came", extractor="llm", key="k")
    broken.broken = False
    clock.advance(hours=1)
    receipt = mem.remember("Ada came", extractor="llm", key="k")
    assert [one.content for one in receipt.memories] == ["Ada came"]
    assert receipt.repeated is False
    assert mem.remember("Ada came", extractor="llm", key="k").repeated is True
    with store.reader(scope(clock)) as reader:
        assert reader.waiting() == []
        assert len(reader.said("", 10)) <= 1


def test_a_conversation_that_stopped_in_the_middle_goes_on_there(store: Store, clock: HandClock) -> None:
    mem = door(store, clock)
    said = [{"role": "user", "content": f"Ada did thing {n}"} for n in range(5)]
    done: list[int] = []

    def stop(number: int, of: int) -> None:
        done.append(number)
        if number == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mem.watched(stop).remember(messages=said, key="talk")
    assert len(current(mem)) == 3
    receipt = mem.remember(messages=said, key="talk")
    assert [one.content for one in receipt.memories] == [one["content"] for one in said]
    assert len(current(mem)) == 5
    assert len(set(current(mem))) == 5


def test_resume_reads_what_waits_and_says_so(store: Store, clock: HandClock, broken: Broken) -> None:
    mem = door(store, clock, broken)
    for text in ("Ada came", "Bo left"):
        with pytest.raises(RuntimeError):
            mem.remember(text, extractor="llm", session="s", meta={"page": 7})
    broken.broken = False
    receipt = mem.resume(extractor="llm")
    assert [one.content for one in receipt.memories] == ["Ada came", "Bo left"]
    assert receipt.extractor == "llm"
    assert [mem.get(one.id).meta["page"] for one in receipt.memories] == [7, 7]
    again = mem.resume()
    assert (again.memories, again.repeated) == ((), True)
    assert len(current(mem)) == 2


def test_what_waits_is_read_by_nobody_who_may_not_see_it(store: Store, clock: HandClock, broken: Broken) -> None:
    ann = door(store, clock, broken)
    bob = Treering(store, clock=clock, actor="bob", space="lab", extractors=Extractors("none"))
    with pytest.raises(RuntimeError):
        ann.remember("Ada is ill", extractor="llm", visibility="private")
    assert bob.resume().source_ids == ()
    broken.broken = False
    (memory,) = ann.resume().memories
    with pytest.raises(NotFound):
        bob.get(memory.id)
    assert current(bob) == []


def test_what_cannot_be_read_as_asked_is_refused_before_anything_is_kept(store: Store, clock: HandClock) -> None:
    mem = door(store, clock)
    with pytest.raises(Unsupported, match="llm"):
        mem.remember("Ada came", extractor="llm")
    assert store.head("lab").seq == 0


# conversations


def test_messages_are_kept_in_order_with_who_said_them_and_when(mem: Treering, store: Store, clock: HandClock) -> None:
    receipt = mem.remember(
        messages=[
            {"role": "user", "content": "First", "at": "2025-01-01T00:00:00Z"},
            {"speaker": "Bo", "content": "Second"},
            {"content": "Third"},
        ],
        session="talk",
        speaker="Ada",
        at=day("2025-02-01"),
        extractor="none",
    )
    with store.reader(scope(clock)) as reader:
        said = [reader.source(one) for one in receipt.source_ids]
    assert [(one.content, one.speaker, one.session, one.occurred_at) for one in said if one] == [
        ("First", "user", "talk", day("2025-01-01")),
        ("Second", "Bo", "talk", day("2025-02-01")),
        ("Third", "Ada", "talk", day("2025-02-01")),
    ]
    assert [one.content for one in receipt.memories] == ["First", "Second", "Third"]


def test_a_later_message_is_related_to_an_earlier_one_of_the_same_call(store: Store, clock: HandClock) -> None:
    mem = door(store, clock, embedder=Hashing())
    receipt = mem.remember(messages=[{"content": "Ada plays the cello"}, {"content": "Ada plays the cello"}])
    assert len(receipt.memories) == 1
    assert [one.source_id for one in receipt.duplicates] == [receipt.source_ids[1]]


@pytest.mark.slow
def test_five_hundred_messages_are_taken(mem: Treering) -> None:
    receipt = mem.remember(messages=[{"content": f"Thing {n}"} for n in range(MESSAGES)], extractor="none")
    assert len(receipt.memories) == MESSAGES


def test_more_than_five_hundred_messages_are_refused(mem: Treering, store: Store) -> None:
    with pytest.raises((LimitExceeded, InvalidRequest), match="500"):
        mem.remember(messages=[{"content": f"Thing {n}"} for n in range(MESSAGES + 1)], extractor="none")
    assert store.head("lab").seq == 0


@pytest.mark.parametrize("message", [{"content": ""}, {"content": "  "}, {"role": "user"}, {"content": 7}])
def test_a_message_that_says_nothing_is_refused_by_its_number(mem: Treering, message: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest, match=r"messages\[1\]"):
        mem.remember(messages=[{"content": "Hello Ada"}, message], extractor="none")
    assert mem.status().seq == 0


@pytest.mark.parametrize("at", ["yesterday", "2025-01-01T00:00:00", 7])
def test_a_message_with_a_time_that_is_none_is_refused_by_its_number(mem: Treering, at: object) -> None:
    with pytest.raises(InvalidRequest, match=r"messages\[1\]\.at"):
        mem.remember(messages=[{"content": "One"}, {"content": "Two", "at": at}], extractor="none")
    assert mem.status().seq == 0


# drafts


@pytest.mark.parametrize(
    ("draft", "says"),
    [
        ({}, "content"),
        ({"content": ""}, "content"),
        ({"content": 7}, r""),
        ({"content": "x", "kind": "dream"}, "dream"),
        ({"content": "x", "importance": 2}, "importance"),
        ({"content": "x", "confidence": "very"}, "confidence"),
        ({"content": "x", "event_time": "2025-01-01T00:00:00"}, "event_time"),
        ({"content": "x", "color": "red"}, "color: not a field of a draft"),
        ({"content": "x", "entities": [7]}, "entities"),
        ({"content": "x", "entities": [{"title": "Ada"}]}, "entities"),
        ({"content": "x", "triples": [["Ada", "WORKS_FOR"]]}, "is not a fact"),
        ({"content": "x", "triples": [claim("Ada", "WORKS_FOR", "Bo", stance="perhaps")]}, "perhaps"),
        ({"content": "x", "cue": "hm"}, "hm"),
        ({"content": "x", "event_end": "2025-01-01T00:00:00Z"}, "event_end"),
    ],
    ids=str,
)
def test_a_draft_that_is_wrong_is_named_by_its_number_and_nothing_is_kept(
    mem: Treering, draft: dict[str, Any], says: str
) -> None:
    with pytest.raises(InvalidRequest, match=rf"drafts\[1\].*{says}"):
        mem.remember(drafts=[{"content": "Ada came"}, draft])
    assert mem.status().seq == 0


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"visible_to": ["bob"]}, "visible_to"),
        ({"tags": [f"tag {n}" for n in range(60)]}, "tags"),
        ({"drafts": [{"content": "x", "entities": [f"Ada {n}" for n in range(201)]}]}, r"drafts\[0\].entities"),
        (
            {"drafts": [{"content": "x", "triples": [["A", "KNOWS", f"B{n}"] for n in range(201)]}]},
            r"drafts\[0\].triples",
        ),
        ({"observed_by": " "}, "observed_by: is empty"),
        ({"observed_by": "\x00"}, "observed_by: holds a NUL"),
        ({"visible_to": [" "], "visibility": "private"}, "visible_to: is empty"),
    ],
    ids=["visible_to", "tags", "entities", "triples", "blank observer", "unstorable observer", "blank principal"],
)
def test_what_no_memory_could_bear_is_refused_before_anything_is_kept(
    mem: Treering, more: dict[str, Any], says: str
) -> None:
    """Kept, it would wait for ever and could never be read."""
    with pytest.raises((InvalidRequest, LimitExceeded), match=says):
        mem.remember(**{"content": "x", "extractor": "none", **more})
    assert mem.status().seq == 0


def test_drafts_that_come_with_their_text_rest_on_the_words_they_were_drawn_from(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    text = "Hi! Ada moved to Oslo. And Bo has a dog."
    receipt = mem.remember(text, drafts=[{"content": "Ada moved to Oslo."}, {"content": "Bo owns a dog"}])
    assert len(receipt.source_ids) == 1
    first, second = (mem.get(one.id) for one in receipt.memories)
    with store.reader(scope(clock)) as reader:
        source = reader.source(first.source_id)
    assert source is not None
    assert source.content == text
    assert text[slice(*first.span)] == "Ada moved to Oslo."
    assert second.span == (0, len(text))


def test_the_same_key_with_the_same_drafts_gives_the_first_result(mem: Treering) -> None:
    drafts = [{"content": "Ada came"}, {"content": "Bo left"}]
    first = mem.remember(drafts=drafts, key="k")
    again = mem.remember(drafts=drafts, key="k")
    assert again.repeated is True
    assert [one.id for one in again.memories] == [one.id for one in first.memories]


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"content": ""},
        {"content": "  \n"},
        {"messages": []},
        {"drafts": []},
        {"content": "x", "messages": [{"content": "y"}]},
        {"messages": [{"content": "y"}], "drafts": [{"content": "y"}]},
    ],
    ids=str,
)
def test_nothing_to_remember_or_two_things_at_once_is_refused(mem: Treering, given: dict[str, Any]) -> None:
    with pytest.raises(InvalidRequest, match=r"content|messages"):
        mem.remember(**given)
    assert mem.status().seq == 0


# privacy


def test_what_is_remembered_in_private_is_seen_by_nobody_else_in_any_way(
    doors: Doors, store: Store, clock: HandClock
) -> None:
    ann, bob = doors("ann", "bob")
    tell(ann, "Ada lives in Oslo", lives("Ada", "Oslo"), entities=["Ada", "Oslo"])
    clock.advance(days=1)
    receipt = tell(
        ann,
        "Ada secretly lives in Rome",
        lives("Ada", "Rome"),
        entities=["Ada", "Rome"],
        cue="change",
        call={"visibility": "private"},
    )
    assert objects(ann, "Ada", "LIVES_IN") == {"Rome"}
    assert current(ann) == ["Ada secretly lives in Rome"]
    assert objects(bob, "Ada", "LIVES_IN") == {"Oslo"}
    assert current(bob) == ["Ada lives in Oslo"]
    assert [hit.memory.content for hit in bob.recall("Where does Ada live? Rome")] == ["Ada lives in Oslo"]
    with pytest.raises(NotFound):
        bob.entity_get("Rome")
    with store.reader(scope(clock, principal="bob")) as reader:
        assert reader.source(receipt.source_ids[0]) is None
    for one in (*receipt.edges, *receipt.closed):
        history = [event.op for event in bob.history(one.id).events] if one in receipt.closed else []
        assert "remember" not in history[1:]


def test_what_is_told_for_somebody_else_alone_is_read_and_theirs(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    for city in ("Porto", "Braga"):
        call = {"visibility": "private", "observed_by": "bob"}
        receipt = tell(ann, f"User lives in {city}", lives("User", city), entities=["User", city], call=call)
        assert receipt.stage is Stage.ENRICHED
        assert [one.content for one in receipt.memories] == [f"User lives in {city}"]
        assert {(one.source, one.target) for one in receipt.edges} == {("User", city)}
        clock.advance(days=1)
    assert current(bob) == ["User lives in Porto", "User lives in Braga"]
    assert current(ann) == []
    assert known(ann) == set()


def test_a_job_that_tells_for_somebody_else_alone_brings_a_memory(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.enqueue("Ada is ill", visibility="private", observed_by="bob", extractor="none")
    ann.run_jobs()
    assert current(bob) == ["Ada is ill"]


def test_a_name_taken_in_private_is_not_the_owners_name_to_others(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    tell(ann, "User lives in Oslo", lives("User", "Oslo"), entities=["User", "Oslo"])
    tell(ann, "Teun is a name", entities=["Teun"])
    clock.advance(days=1)
    tell(ann, "User is called Teun", claim("User", "NAMED", "Teun"), call={"visibility": "private"})
    assert known(bob) == {("User", "LIVES_IN", "Oslo")}
    assert bob.entity_get("User").name == "User"


def test_a_doubt_that_came_up_in_private_is_not_told_to_others(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    johnson, other = ({"name": name, "kind": "person"} for name in ("Katherine Johnson", "Katharine Johnson"))
    tell(ann, "Katherine Johnson called", entities=[johnson])
    tell(ann, "Katharine Johnson called too", entities=[other], call={"visibility": "private"})
    tell(bob, "Katharine Johnson rang", entities=[{**other, "kind": "ship"}])
    assert known(ann, relation="POSSIBLE_SAME")
    assert known(bob, relation="POSSIBLE_SAME") == set()


def test_what_somebody_says_in_private_is_no_evidence_for_what_all_see(store: Store, clock: HandClock) -> None:
    mem = door(store, clock, embedder=Hashing())
    mem.remember("Ada plays the cello on weekends")
    receipt = mem.remember("Ada plays the cello on weekends", visibility="private")
    assert receipt.duplicates == ()
    assert len(receipt.memories) == 1


def test_a_key_used_in_private_is_refused_to_others_in_the_same_words(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.remember("Ada is ill", key="k", visibility="private", extractor="none")
    told = set()
    for content in ("Ada is ill", "Ada is well"):
        with pytest.raises(Conflict) as refused:
            bob.remember(content, key="k", extractor="none")
        told.add(str(refused.value))
    assert len(told) == 1


# everything said is found


SAID = {
    "The spare key is under the blue flowerpot": "flowerpot",
    "hmm, Zebedee and the marmalade incident again": "marmalade",
    "ok so the wifi password at the cabin is tangerine-42": "tangerine",
    "Honestly? Could not care less about opera": "opera",
}


@pytest.mark.parametrize("extractor", ["none", "rules"])
@pytest.mark.parametrize(("text", "asked"), list(SAID.items()))
def test_everything_said_is_found_by_its_words(mem: Treering, extractor: str, text: str, asked: str) -> None:
    mem.remember(text, extractor=extractor, session="s")
    found = mem.recall(asked, include_source=True)
    assert found
    assert asked in " ".join(one.text or "" for one in found[0].sources).lower()


@pytest.mark.parametrize("text", ["Hi!", "Thanks a lot!", "ok", "Good morning :)"])
def test_small_talk_is_kept_as_source_only(mem: Treering, store: Store, clock: HandClock, text: str) -> None:
    receipt = mem.remember(text, extractor="rules")
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
    receipt = mem.remember(text, extractor="rules")
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
        mem.remember(text, extractor="rules", session="s")
        clock.advance(days=1)
    found = mem.verify()
    assert found.ok, found.differences
