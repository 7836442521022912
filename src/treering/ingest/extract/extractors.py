"""Who reads what is said? The extractor that the call names, else the one the space chose, else this door's default.

Each is made when it is first needed: what it stands on takes time to load.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import TYPE_CHECKING

from treering.errors import InvalidRequest, Unsupported
from treering.ingest.extract.contract import Extractor
from treering.ingest.extract.none import AsItStands
from treering.model.setting import EXTRACTORS, READER, extractor_called

if TYPE_CHECKING:
    from treering.ingest.extract.client import Sampler
    from treering.mind.reading import OpensReader

Maker = Callable[[str, Extractor], Extractor]
"""From the space, and who reads when this one cannot, to the extractor."""


class Extractors:
    def __init__(self, default: str = READER, makers: Mapping[str, Maker] | None = None) -> None:
        """`makers`: of those that need more than is here, such as a language model."""
        self._default, self._makers = default, dict(makers or {})
        self._opens: OpensReader | None = None

    def read_by(self, opens: OpensReader) -> Extractors:
        """These, with the model that `reader` reads with."""
        given = copy(self)
        given._opens = opens
        return given

    @property
    def default(self) -> str:
        """Who reads spaces that chose nobody."""
        return self._default

    def with_client(self, sample: Sampler | None) -> Extractors:
        """These, and `client`: whoever calls lends their model, or there is none and the reader reads."""

        def by_client(space: str, reader: Extractor) -> Extractor:
            from treering.ingest.extract.client import ByClient

            return ByClient(sample, reader, space=space)

        lent = copy(self)
        lent._makers = {**self._makers, "client": by_client}
        return lent

    def choose(self, asked: str | None, own: str | None, space: str) -> Extractor:
        name = self.name(asked, own)
        if name == "none":
            return AsItStands()
        return self._reader() if name == READER else self._makers[name](space, self._reader())

    def _reader(self) -> Extractor:
        from treering.ingest.extract.reader import ReaderExtractor

        if self._opens is None:
            raise Unsupported("extractor: no model was given to read with")
        return ReaderExtractor(self._opens)

    def name(self, asked: str | None, own: str | None) -> str:
        """Which one it would be, if it can be had; nothing is loaded for it."""
        name = extractor_called(asked or own or self._default)
        if name not in EXTRACTORS:
            raise InvalidRequest(f"extractor: {name!r} is not one of {', '.join(EXTRACTORS)}")
        if name not in ("none", READER, *self._makers):
            raise Unsupported(
                f"extractor: {name!r} is not set up here; TREERING_LLM and its like say how to reach a language model, "
                f"and `reader` needs none"
            )
        return name
