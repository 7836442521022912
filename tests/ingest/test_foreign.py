"""What is told in another language than English is kept word for word: its times are read, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from treering.door import Treering
from treering.ingest.extract.contract import Heard
from treering.ingest.extract.hybrid import HybridExtractor
from treering.ingest.extract.reader import ReaderExtractor
from treering.ingest.extract.rules import RulesExtractor
from treering.mind.judges import open_reader

AT = datetime(2025, 2, 3, 10, tzinfo=UTC)
SAID = "Me gusta el café y vivo en Lugo desde mayo de 2024, mi hermana se llama Iria"
EXTRACTORS = {
    "rules": RulesExtractor,
    "hybrid": lambda: HybridExtractor(RulesExtractor(), open_reader),
    "reader": lambda: ReaderExtractor(open_reader),
}


@pytest.mark.parametrize("name", EXTRACTORS)
def test_spanish_is_kept_word_for_word_with_its_time(name: str) -> None:
    (told,) = EXTRACTORS[name]().extract([Heard(text=SAID, at=AT)])
    (one,) = told.extracted
    assert one.content == f"User: {SAID}"
    assert one.event_time == datetime(2024, 5, 1, tzinfo=UTC)
    assert (one.claims, told.extractor) == ((), name)


@pytest.mark.parametrize("name", EXTRACTORS)
def test_spanish_small_talk_makes_no_memory(name: str) -> None:
    (told,) = EXTRACTORS[name]().extract([Heard(text="¡muchas gracias!", at=AT)])
    assert told.extracted == ()
    assert [one.span for one in told.passed_over] == [(0, len("¡muchas gracias!"))]


def test_what_was_told_in_spanish_is_found_again(mem: Treering) -> None:
    mem.remember(SAID, at=AT)
    assert SAID in mem.recall("café").hits[0].memory.content
    assert not mem.facts()
