"""Rule 12: a purge takes the words of each source in which a memory was said, and leaves those of others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock, contents, everything, scope, write_a_life
from tests.contract.purging import files_of, two_said_in_one_breath
from tests.recall.hashing import Hashing

from treering.door import Treering
from treering.errors import Conflict, NotFound
from treering.ingest.extract.extractors import Extractors
from treering.model.source import BLANK
from treering.store.contract import Store


def test_a_source_that_others_rest_on_is_blanked_and_their_spans_still_hold(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    home, code, tea = two_said_in_one_breath(mem, store, clock)
    source_id = mem.get(home).source_id
    clock.advance(hours=1)
    report = mem.purge(code, "asked to")
    assert (report.sources, report.sources_blanked) == ((), (source_id,))
    recorded_at = mem.get(home).recorded_at
    for known_at in (None, recorded_at):
        with store.reader(scope(clock, known_at=known_at)) as reader:
            source = reader.source(source_id)
            assert source is not None
            assert source.content == f"Ada lives in Berlin. {BLANK * 20} She likes tea."
            assert source.recorded_at == recorded_at
            for one in (home, tea):
                memory = reader.memory(one)
                assert memory is not None
                assert source.content[slice(*memory.span)] == memory.content
    assert not any("lantern" in entry.payload() for entry in store.entries("lab"))
    assert mem.verify().ok
    assert mem.purge(tea, "asked to").sources_blanked == (source_id,)
    assert not any("tea" in entry.payload() for entry in store.entries("lab"))
    assert mem.purge(home, "asked to").sources == (source_id,)
    assert not any("Ada lives" in entry.payload() for entry in store.entries("lab"))
    with store.reader(scope(clock)) as reader:
        assert reader.source(source_id) is None
    assert mem.verify().ok


# what was remembered, and said again

WORDS = {
    "first": "Ada hides the Zahlenfee brooch in the attic",
    "source": "Hallo! Ada hides the Zahlenfee brooch in the attic. Bitte nicht weitersagen.",
    "again": "Übrigens: Ada hides the Zahlenfee brooch in the attic. Sapperlot!",
    "aside": "Bo lives in Oslo.",
    "rewritten": "User's blanket is lavendelblau as of 2026-01-01",
    "own words": "my blanket is lavendelblau today",
}


def said_in(raw: bytes, text: str) -> bool:
    return any(one in raw for one in (text.encode(), json.dumps(text)[1:-1].encode(), text.encode("utf-16-le")))


def listening(store: Store, clock: HandClock) -> Treering:
    """A door that knows when the same is said again."""
    return Treering(store, clock=clock, actor="ann", space="lab", embedder=Hashing(), extractors=Extractors("none"))


def every_byte(store: Store, path: Path, tmp_path: Path, mem: Treering) -> bytes:
    """The files of the store, an export and a backup."""
    number = len(list(tmp_path.glob("out-*.jsonl")))
    mem.export(str(tmp_path / f"out-{number}.jsonl"))
    mem.backup(str(tmp_path / f"copy-{number}.db"))
    files = [*files_of(path), tmp_path / f"out-{number}.jsonl", *files_of(tmp_path / f"copy-{number}.db")]
    return b"".join(one.read_bytes() for one in files)


def test_a_purge_takes_the_words_of_every_source_in_which_it_was_said_again(
    db_path: Path, clock: HandClock, tmp_path: Path, new_store: Callable[[str], Store]
) -> None:
    store = new_store(str(db_path))
    mem = listening(store, clock)
    first = mem.remember(WORDS["source"], drafts=[{"content": WORDS["first"], "entities": ["Zahlenfee"]}]).id
    clock.advance(days=1)
    again = mem.remember(WORDS["again"], drafts=[{"content": WORDS["first"]}])
    undone = mem.remember(WORDS["again"], drafts=[{"content": WORDS["first"]}])
    assert [one.memory_id for one in (*again.duplicates, *undone.duplicates)] == [first, first]
    mem.undo(str(undone.seq))
    before = every_byte(store, db_path, tmp_path, mem)
    assert all(said_in(before, word) for word in ("Zahlenfee", "Sapperlot", "weitersagen"))
    report = mem.purge(first, "asked to")
    assert len(report.sources) == 3
    after = every_byte(store, db_path, tmp_path, mem)
    assert [word for word in ("Zahlenfee", "brooch") if said_in(after, word)] == []
    assert mem.verify().ok
    assert mem.recall("brooch attic").hits == ()


def test_a_source_that_also_backs_another_memory_loses_only_the_purged_words(
    mem: Treering, store: Store, clock: HandClock, new_store: Callable[[str], Store]
) -> None:
    mem = listening(store, clock)
    brooch = mem.remember(drafts=[{"content": WORDS["first"]}]).id
    oslo = mem.remember(drafts=[{"content": WORDS["aside"]}]).id
    both = f"{WORDS['first']} {WORDS['aside']}"
    again = mem.remember(both, drafts=[{"content": WORDS["first"]}, {"content": WORDS["aside"]}])
    assert {one.memory_id for one in again.duplicates} == {brooch, oslo}
    clock.advance(days=1)
    report = mem.purge(brooch, "asked to")
    assert report.sources_blanked == again.source_ids
    with store.reader(scope(clock)) as reader:
        source = reader.source(again.source_ids[0])
        assert source is not None
        assert source.content == f"{BLANK * len(WORDS['first'])} {WORDS['aside']}"
        assert [one.source_id for one in reader.evidence([oslo])] == list(again.source_ids)
        assert reader.waiting() == []
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    assert mem.verify().ok
    other = new_store("reference")
    other.replay(store.entries("lab"))
    assert everything(other, scope(clock)) == everything(store, scope(clock))
    (hit,) = [hit for hit in mem.recall("Who lives in Oslo?") if hit.memory.id == oslo]
    assert len(hit.sources) == 2


def test_a_purge_of_a_statement_that_was_reworded_takes_the_speakers_own_words_too(
    db_path: Path, clock: HandClock, tmp_path: Path, new_store: Callable[[str], Store]
) -> None:
    store = new_store(str(db_path))
    mem = listening(store, clock)
    text = f"{WORDS['own words']}. {WORDS['aside']}"
    receipt = mem.remember(text, drafts=[{"content": WORDS["rewritten"]}], key="lavendelblau-key")
    assert said_in(every_byte(store, db_path, tmp_path, mem), "lavendelblau")
    report = mem.purge(receipt.id, "asked to")
    assert report.sources == receipt.source_ids
    assert not said_in(every_byte(store, db_path, tmp_path, mem), "lavendelblau")
    assert mem.verify().ok
    assert mem.remember("Something else", key="lavendelblau-key").repeated is False


def test_a_purge_takes_the_words_from_each_of_the_memories_drawn_from_one_text_in_turn(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    text = f"{WORDS['first']}. {WORDS['aside']}"
    receipt = mem.remember(text, drafts=[{"content": WORDS["first"]}, {"content": WORDS["aside"]}])
    one, other = (memory.id for memory in receipt.memories)
    assert mem.purge(one, "asked to").sources_blanked == receipt.source_ids
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    assert mem.purge(other, "asked to").sources == receipt.source_ids
    assert not any("Oslo" in entry.payload() for entry in store.entries("lab"))
    assert mem.verify().ok


def test_what_waits_to_be_read_in_the_same_words_can_be_purged_once_it_was_read(mem: Treering, store: Store) -> None:
    first = mem.remember(WORDS["first"], extractor="none").id

    def stop(number: int, of: int) -> None:
        raise KeyboardInterrupt

    said = [{"content": "Bo came"}, {"content": WORDS["first"]}]
    with pytest.raises(KeyboardInterrupt):
        mem.watched(stop).remember(messages=said, extractor="none")
    mem.purge(first, "asked to")
    (read,) = mem.resume(extractor="none").memories
    assert read.content == WORDS["first"]
    mem.purge(read.id, "asked to")
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    assert mem.verify().ok


def test_a_purge_of_what_closed_a_fact_leaves_no_word_of_it(mem: Treering, store: Store, clock: HandClock) -> None:
    mem.remember(drafts=[{"content": "Ada lives in Oslo", "triples": [["Ada", "LIVES_IN", "Oslo"]]}])
    clock.advance(days=1)
    new = mem.remember(drafts=[{"content": "Ada moved to Zahlenfee", "triples": [["Ada", "LIVES_IN", "Zahlenfee"]]}])
    assert new.superseded
    mem.purge(new.id, "asked to")
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    assert contents(mem.list()) == ["Ada lives in Oslo"]
    assert mem.verify().ok


# a source that made no memory


def test_a_source_that_made_no_memory_is_purged_by_its_id(mem: Treering, store: Store) -> None:
    receipt = mem.remember("Hello there, Zahlenfee!", extractor="reader", tags=["gruss"])
    [source] = receipt.source_ids
    assert receipt.memories == ()
    before = mem.status().seq
    assert mem.purge(source, "asked to", dry_run=True).sources == (source,)
    assert mem.status().seq == before
    report = mem.purge(source, "asked to")
    assert (report.memories, report.sources, report.found) == ((), (source,), ())
    assert report.changes_cut >= 2
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    with mem._reading(None) as reader:
        assert reader.source(source) is None
        assert reader.tombstone(source) is not None
        assert reader.waiting() == []
    assert mem.verify().ok


def test_a_source_that_still_waits_is_purged_and_never_read(mem: Treering, store: Store) -> None:
    def stop(number: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mem.watched(stop).remember(messages=[{"content": "Bo came"}, {"content": "Zahlenfee"}], extractor="none")
    with mem._reading(None) as reader:
        [waiting] = reader.waiting()
    mem.purge(waiting.id, "asked to")
    assert mem.resume(extractor="none").memories == ()
    assert not any("Zahlenfee" in entry.payload() for entry in store.entries("lab"))
    assert mem.verify().ok


def test_a_source_on_which_memories_rest_is_not_purged_under_them(mem: Treering, clock: HandClock) -> None:
    tea = write_a_life(mem, clock).tea
    with mem._reading(None) as reader:
        sources = [reader.memory(tea).source_id, *(one.source_id for one in reader.evidence([tea]))]  # type: ignore[union-attr]
    assert len(sources) == 2
    before = mem.status().seq
    for source in sources:
        with pytest.raises(Conflict, match=rf"memories rest on.*{tea}.*purge those"):
            mem.purge(source, "asked to")
    assert mem.status().seq == before


def test_a_source_private_to_another_is_not_there(doors: Any) -> None:
    ann, bob = doors("ann", "bob")
    [source] = ann.remember("Hello there, Zahlenfee!", extractor="reader", visibility="private").source_ids
    with pytest.raises(NotFound):
        bob.purge(source, "curious")
    ann.purge(source, "asked to")
    with bob._reading(None) as reader:
        assert reader.tombstone(source) is None
