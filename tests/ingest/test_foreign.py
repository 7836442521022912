"""What is told in another language than English is kept word for word: its times are read, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime

from treering.door import Treering
from treering.ingest.extract.contract import Extraction, Heard
from treering.ingest.extract.reader import ReaderExtractor
from treering.mind.judges import open_reader

AT = datetime(2025, 2, 3, 10, tzinfo=UTC)
SAID = "Me gusta el café y vivo en Lugo desde mayo de 2024, mi hermana se llama Iria"


def read(text: str) -> Extraction:
    return ReaderExtractor(open_reader).extract([Heard(text=text, at=AT)])[0]


def test_spanish_is_kept_word_for_word_with_its_time() -> None:
    told = read(SAID)
    (one,) = told.extracted
    assert one.content == f"User: {SAID}"
    assert one.event_time == datetime(2024, 5, 1, tzinfo=UTC)
    assert (one.claims, told.extractor) == ((), "reader")


def test_spanish_small_talk_makes_no_memory() -> None:
    told = read("¡muchas gracias!")
    assert told.extracted == ()
    assert [one.span for one in told.passed_over] == [(0, len("¡muchas gracias!"))]


def test_what_was_told_in_spanish_is_found_again(mem: Treering) -> None:
    mem.remember(SAID, at=AT)
    assert SAID in mem.recall("café").hits[0].memory.content
    assert not mem.facts()
