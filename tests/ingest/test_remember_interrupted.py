"""Nothing said is lost: what a reader could not read is kept, waits, and goes on where it stopped."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.conftest import HandClock, scope
from tests.ingest.doors import door
from tests.ingest.telling import current

from treering.door import Treering
from treering.errors import NotFound, Unsupported
from treering.ingest.extract.contract import Extracted, Extraction, Heard
from treering.ingest.extract.extractors import Extractors
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


@pytest.fixture
def broken() -> Broken:
    return Broken()


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
