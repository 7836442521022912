"""What is kept of another language than English? All of it, word for word, with its times; no facts."""

from __future__ import annotations

from treering.ingest.extract.contract import Extracted, Extraction, Heard, PassedOver
from treering.ingest.extract.worked_out import times_of
from treering.language.languages import Tongue
from treering.language.small_talk import small_talk
from treering.language.which import language_of
from treering.mind.reading import FactMood
from treering.model.memory import Kind


def is_foreign(heard: Heard) -> bool:
    """Whether it is told in a language whose times are read, and no more."""
    return language_of(heard.text) is not Tongue.ENGLISH


def in_its_own_words(heard: Heard, extractor: str) -> Extraction:
    """One statement, word for word: the model knows English, and would turn it into something else."""
    whole = (0, len(heard.text))
    why = small_talk(heard.text) if heard.text.strip() else "blank"
    if why is not None:
        return Extraction(extracted=(), passed_over=(PassedOver(whole, why),), extractor=extractor)
    times = times_of(heard.text, heard.at, FactMood.SO, 1.0)
    said = Extracted(
        content=f"{heard.first_person}: {heard.text.strip()}",
        span=whole,
        kind=Kind.SEMANTIC if times.event is None else Kind.EPISODE,
        event_time=times.event,
        event_end=times.event_end,
    )
    return Extraction(extracted=(said,), extractor=extractor)
