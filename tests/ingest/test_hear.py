"""Messages are kept with the times they were said at, however these are written."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

import treering
from treering.door import Treering
from treering.errors import Conflict, InvalidRequest, LimitExceeded
from treering.ingest.receipt import Receipt
from treering.model import limits
from treering.model.source import Source


def test_a_message_says_its_time_as_text_or_as_a_datetime() -> None:
    with treering.open(":memory:", embedder="none") as mem:
        told = mem.remember(
            messages=[
                {"content": "I paint.", "at": "2026-02-10T09:00:00+01:00"},
                {"content": "I sing.", "at": datetime(2026, 2, 11, tzinfo=UTC)},
                {"content": "I run."},
            ],
            at="2026-02-12T00:00:00Z",
            extractor="none",
        )
        said = [mem.get(one.id).said_at for one in told.memories]
    assert said == [datetime(2026, 2, 10, 8, tzinfo=UTC), *(datetime(2026, 2, day, tzinfo=UTC) for day in (11, 12))]


def test_a_time_without_a_zone_is_refused_with_the_number_of_its_message() -> None:
    with (
        treering.open(":memory:", embedder="none") as mem,
        pytest.raises(InvalidRequest, match=r"messages\[1\]\.at: .*2026-02-10T09:00"),
    ):
        mem.remember(messages=[{"content": "I paint."}, {"content": "I sing.", "at": "2026-02-10T09:00"}])


LONG = "\n\n".join(f"On day {day} the ship's log says fair wind. " * 20 for day in range(12))


@pytest.fixture
def short_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    """A source holds little, so that a text need not be very long to be too long for one."""
    monkeypatch.setattr(limits, "SOURCE_BYTES", 3_000)


def sources_of(mem: Treering, told: Receipt) -> list[Source]:
    with mem._reading(None) as reader:
        found = [reader.source(one) for one in told.source_ids]
    return [one for one in found if one is not None]


def test_what_is_too_long_for_one_source_is_kept_in_parts_that_know_their_place(short_sources: None) -> None:
    with treering.open(":memory:", embedder="none") as mem:
        told = mem.remember(LONG, extractor="none", key="log", meta={"ship": "Ada"}, session="s", speaker="Bo")
        sources = sources_of(mem, told)
        assert len(sources) > 3
        assert [one.meta["part"] for one in sources] == [*range(1, len(sources) + 1)]
        assert {(one.meta["parts"], one.meta["ship"], one.session, one.speaker) for one in sources} == {
            (len(sources), "Ada", "s", "Bo")
        }
        for one in sources:
            assert LONG[one.meta["offset"] :].startswith(one.content)
        assert "".join("".join(one.content for one in sources).split()) == "".join(LONG.split())
        assert all(dict(mem.get(one.id).meta) == {"ship": "Ada"} for one in told.memories)
        assert {day for day in range(12) if mem.recall(f'"On day {day}"').hits} == {*range(12)}


def test_the_same_key_with_the_same_long_text_is_written_once_and_with_another_refused(short_sources: None) -> None:
    with treering.open(":memory:", embedder="none") as mem:
        first = mem.remember(LONG, extractor="none", key="log")
        seq = mem.status().seq
        assert mem.remember(LONG, extractor="none", key="log").source_ids == first.source_ids
        for other in (LONG + "\n\nLand in sight.", LONG[:-4_000], "Land in sight."):
            with pytest.raises(Conflict, match="key: 'log"):
                mem.remember(other, extractor="none", key="log")
        assert mem.status().seq == seq


def test_a_long_message_is_kept_in_parts_and_the_others_as_they_are(short_sources: None) -> None:
    with treering.open(":memory:", embedder="none") as mem:
        told = mem.remember(messages=[{"content": "Ahoy."}, {"content": LONG}, {"content": "Bye."}], extractor="none")
        sources = sources_of(mem, told)
        assert (sources[0].content, dict(sources[0].meta)) == ("Ahoy.", {})
        assert (sources[-1].content, dict(sources[-1].meta)) == ("Bye.", {})
        assert {one.meta["parts"] for one in sources[1:-1]} == {len(sources) - 2}


def test_a_long_text_that_is_remembered_later_is_the_same(short_sources: None) -> None:
    with treering.open(":memory:", embedder="none") as mem:
        job = mem.enqueue(LONG, extractor="none")
        assert job.of > 3
        assert mem.run_jobs().completed == 1
        assert len(mem.list(limit=100)) >= job.of


def test_what_fits_is_one_source_and_nothing_is_too_long_by_characters_of_several_bytes() -> None:
    with treering.open(":memory:", embedder="none") as mem:
        [source] = sources_of(mem, mem.remember("I sing.", extractor="none", meta={"a": 1}))
        assert dict(source.meta) == {"a": 1}
        told = mem.remember("é" * (limits.SOURCE_BYTES // 2 + 1), extractor="none", dry_run=True)
        assert len(told.source_ids) == 2


def test_statements_drawn_by_the_caller_keep_their_places_so_their_text_is_not_cut(short_sources: None) -> None:
    with treering.open(":memory:", embedder="none") as mem, pytest.raises(LimitExceeded, match="content: "):
        mem.remember(LONG, drafts=[{"content": "The wind was fair"}])
