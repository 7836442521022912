"""Does a text that is kept as it stands say anything? One that is small talk from end to end makes no memory."""

from __future__ import annotations

from treering.ingest.extract.contract import PassedOver
from treering.language.sentences import sentences
from treering.language.small_talk import small_talk


def only_small_talk(text: str) -> tuple[PassedOver, ...]:
    """Its sentences, where every one of them is small talk; nothing where one says something: what is kept as it stands
    is kept whole."""
    over = []
    for start, end in sentences(text):
        why = small_talk(text[start:end])
        if why is None:
            return ()
        over.append(PassedOver((start, end), why))
    return tuple(over)
