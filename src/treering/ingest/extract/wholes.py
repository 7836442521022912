"""What is kept as it stands? A document, an assistant's words: split at their sections, and not read for claims."""

from __future__ import annotations

from treering.ingest.extract.contract import Extracted, Extraction, Heard, PassedOver
from treering.ingest.extract.importance import MINOR
from treering.ingest.extract.nothing_said import only_small_talk
from treering.ingest.extract.sections import sections
from treering.model.memory import Kind
from treering.model.speaker import is_assistant

LONGEST_CHARS = 4000


def is_document(heard: Heard) -> bool:
    return is_assistant(heard.speaker) or len(heard.text) > LONGEST_CHARS


def as_it_stands(heard: Heard, extractor: str) -> Extraction:
    if not heard.text.strip():
        over = (PassedOver((0, len(heard.text)), "blank"),) if heard.text else ()
        return Extraction(extracted=(), passed_over=over, extractor=extractor)
    small_talk = only_small_talk(heard.text)
    if small_talk:
        return Extraction(extracted=(), passed_over=small_talk, extractor=extractor)
    made = tuple(
        Extracted(content=heard.text[a:b], span=(a, b), kind=Kind.EPISODE, importance=MINOR)
        for a, b in sections(heard.text)
    )
    return Extraction(extracted=made, extractor=extractor)
