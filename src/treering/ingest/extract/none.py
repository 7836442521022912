"""What if nobody reads? One memory a source, word for word."""

from __future__ import annotations

from collections.abc import Sequence

from treering.ingest.extract.contract import Extracted, Extraction, Heard


class AsItStands:
    name = "none"

    def extract(self, heard: Sequence[Heard]) -> list[Extraction]:
        return [self._whole(one) for one in heard]

    def _whole(self, heard: Heard) -> Extraction:
        whole = Extracted(content=heard.text, span=(0, len(heard.text)))
        return Extraction(extracted=(whole,), extractor=self.name)
