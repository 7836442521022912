"""What if nobody reads? One memory a source, word for word; of a longer one than a memory holds, one a part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treering.ingest.extract.contract import Extracted, Extraction, Heard
from treering.language.sentences import sentences
from treering.model.limits import CONTENT_CHARS


class AsItStands:
    name = "none"

    def extract(self, heard: Sequence[Heard]) -> list[Extraction]:
        return [
            Extraction(extracted=tuple(Extracted(content=one.text[a:b], span=(a, b)) for a, b in _parts(one.text)),
                       extractor=self.name)
            for one in heard
        ]  # fmt: skip


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Cut between sentences, where there are any."""
    start = 0
    while len(text) - start > CONTENT_CHARS:
        here = text[start : start + CONTENT_CHARS]
        ends = [end for _, end in sentences(here)][:-1]
        end = start + (ends[-1] if ends else CONTENT_CHARS)
        yield start, end
        start = end
    yield start, len(text)
