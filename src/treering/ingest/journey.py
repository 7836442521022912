"""How does something said travel? Kept word for word, read, embedded, related, written; and a receipt of it all.

What was said is kept first, all of a call at once. Then each source is read and written by itself, in order, so that
every one is related to those before it, and what fails leaves the others standing.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Protocol, TypeVar

from treering.errors import CallerError, Unsupported
from treering.ingest.extract.contract import OWNER, WHICHEVER, Extraction, Extractor, Heard
from treering.ingest.extract.extractors import Extractors
from treering.ingest.extract.none import AsItStands
from treering.ingest.hear import KeptSources, SessionWindow, SharedFields, Utterance, hear, told_of
from treering.ingest.reading import Reading, passage_of
from treering.ingest.receipt import Receipt
from treering.ingest.relate import Near
from treering.ingest.relate.judged import CANDIDATES, judged
from treering.ingest.remember import ReadSource, again, remember
from treering.ingest.revise import Reread
from treering.ingest.telling import Telling, drawn_from
from treering.mind.contract import Passage
from treering.mind.judging import Judge
from treering.model.changes import Changes, SourceTold
from treering.model.entity import fold
from treering.model.job import Stage
from treering.model.memory import Visibility
from treering.model.source import Source
from treering.store.contract import Act, Reader

log = logging.getLogger(__name__)
T = TypeVar("T")
READ_AT_ONCE = 64
"""So many texts are read and embedded together."""

Planned = Callable[[Act], tuple[Changes, T]]


class IngestSpace(Protocol):
    """What the journey stands on: the door's way to write and to read, in one space."""

    def write(self, planned: Planned[T], dry_run: bool) -> T: ...

    def together(self) -> AbstractContextManager[None]: ...

    def reading(self) -> AbstractContextManager[Reader]: ...

    def embed(self, passages: Sequence[Passage]) -> Reading: ...

    def nearest(self, reading: Reading, passages: Sequence[Passage], limit: int) -> list[list[tuple[str, float]]]: ...


@dataclass(slots=True)
class Spent:
    """Milliseconds a stage."""

    milliseconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            spent = (time.perf_counter() - start) * 1000
            self.milliseconds[name] = round(self.milliseconds.get(name, 0.0) + spent, 3)


class Journey:
    def __init__(
        self,
        ground: IngestSpace,
        extractors: Extractors,
        space: str,
        progress: Callable[[int, int], None],
        judge: Judge | None = None,
    ) -> None:
        self._ground, self._extractors, self._space, self._progress = ground, extractors, space, progress
        self._judge = judge
        self._spent = Spent()

    def remember(self, telling: Telling, dry_run: bool = False) -> Receipt:
        extractor = self._extractor(telling)
        with self._spent.stage("store"):
            kept: KeptSources = self._ground.write(
                lambda act: hear(act, telling.said, telling.manner, telling.extractor), dry_run
            )
        if kept.repeated and not self._left(kept.sources):
            log.debug("%s: told before and read: %s", self._space, ", ".join(one.id for one in kept.sources))
            return self._timed(self._ground.write(lambda act: again(act, kept.sources), dry_run))
        receipts = self.read(kept.sources, telling, extractor, dry_run)
        return self._timed(_together(list(receipts), kept))

    def resume(self, extractor: str | None = None) -> Receipt:
        """What was kept and not read is read now, in the manner in which it was told."""
        with self._ground.reading() as reader:
            waiting = reader.waiting()
            told = {source.id: told_of(reader, source.id) for source in waiting}
        receipts: list[Receipt] = []
        for source in waiting:
            telling = _telling_of(source, told[source.id], extractor)
            receipts += self.read([source], telling, self._extractor_again(telling, extractor))
        kept = KeptSources(tuple(waiting), not waiting)
        if not waiting:
            return self._ground.write(lambda act: again(act, ()), False)
        return self._timed(_together(receipts, kept))

    def reread(self, memory_id: str, content: str, at: datetime, extractor: str | None) -> Reread | None:
        """Both wordings of a memory that is to be corrected. Nothing where the words stay, or nobody reads."""
        with self._ground.reading() as reader:
            old, own, owner = reader.memory(memory_id), reader.setting("extractor"), owner_of(reader)
            source = None if old is None else reader.source(old.source_id)
        chosen = self._extractors.choose(extractor, own, self._space)
        if old is None or old.content == content or isinstance(chosen, AsItStands):
            return None
        speaker, session = (source.speaker, source.session) if source else (None, None)
        wordings = ((old.content, old.said_at), (content, at))
        heard = [Heard(text=text, at=said, speaker=speaker, owner=owner) for text, said in wordings]
        before, now = chosen.extract(heard)
        return Reread(before.extracted, now, heard[1].first_person, session)

    def _extractor_again(self, telling: Telling, asked: str | None) -> Extractor:
        """The one that was asked for now; else then, if it can still be had."""
        try:
            return self._extractor(telling)
        except (CallerError, Unsupported):
            if asked is not None:
                raise
            return self._extractor(replace(telling, extractor=None))

    def _extractor(self, telling: Telling) -> Extractor:
        """Chosen before anything is kept: what cannot be read as asked is refused. Nobody needs to read what the caller
        has drawn."""
        if len(telling.drawn) == len(telling.said) > 0:
            return AsItStands()
        with self._spent.stage("extract"), self._ground.reading() as reader:
            own = reader.setting("extractor")
        return self._extractors.choose(telling.extractor, own, self._space)

    def read(
        self, sources: Sequence[Source], telling: Telling, extractor: Extractor, dry_run: bool = False
    ) -> Iterator[Receipt]:
        """Each source in turn becomes knowledge."""
        with self._ground.reading() as reader:
            window, owner = SessionWindow(reader, sources), owner_of(reader)
            heard = [window.heard(source, owner) for source in sources]
        for start in range(0, len(sources), READ_AT_ONCE):
            some = slice(start, start + READ_AT_ONCE)
            extractions = self._extract(extractor, heard[some], start, telling)
            read = [_read(*one) for one in zip(sources[some], heard[some], extractions, strict=True)]
            with self._spent.stage("embed"):
                reading = self._ground.embed(_passages(read))
            written: list[Receipt] = []
            with self._ground.together() if len(read) > 1 else nullcontext():
                for number, one in enumerate(read, start + 1):
                    written.append(self._write(one, telling, reading, dry_run))
                    self._progress(number, len(sources))
            yield from written

    def _extract(self, extractor: Extractor, heard: Sequence[Heard], start: int, telling: Telling) -> list[Extraction]:
        with self._spent.stage("extract"):
            asked = [one for number, one in enumerate(heard, start) if number not in telling.drawn]
            made = iter(extractor.extract(asked) if asked else [])
            read = [telling.drawn.get(number) or next(made) for number in range(start, start + len(heard))]
        for one in read:
            log.debug(
                "%s: read by %s: %d statements, %d passed over%s",
                *(self._space, one.extractor, len(one.extracted), len(one.passed_over)),
                "; with trouble" if one.trouble else "",
            )
        return read

    def _write(self, one: ReadSource, telling: Telling, reading: Reading, dry_run: bool) -> Receipt:
        told = zip(one.extraction.extracted, one.passages, strict=True)
        said = {passage: one.source.content[slice(*it.span)] or it.content for it, passage in told if not it.clause}
        with self._spent.stage("near"):
            found = self._ground.nearest(reading, list(said), CANDIDATES)
        with self._spent.stage("judge"), self._ground.reading() as reader:
            near = judged(self._judge, reader, one.heard, said, dict(zip(said, found, strict=True)))

        def nearest(passage: Passage) -> Sequence[Near]:
            return near.get(passage, ())

        with self._spent.stage("write"):
            return self._ground.write(
                lambda act: remember(act, [one], telling.manner, nearest, reading, dry_run), dry_run
            )

    def _left(self, sources: Sequence[Source]) -> bool:
        with self._ground.reading() as reader:
            return bool(reader.waiting(among=[source.id for source in sources]))

    def _timed(self, receipt: Receipt) -> Receipt:
        spent = self._spent.milliseconds
        return replace(receipt, milliseconds={**spent, "total": round(sum(spent.values()), 3)})


def owner_of(reader: Reader) -> str | None:
    """The owner's name, if it has taken one."""
    found = reader.entities(OWNER, limit=1)
    return found[0].name if found and fold(found[0].name) != fold(OWNER) else None


def _telling_of(source: Source, told: SourceTold, extractor: str | None) -> Telling:
    private = Visibility.PRIVATE if source.visible_to else Visibility.SPACE
    first, others = (source.visible_to[0], source.visible_to[1:]) if source.visible_to else (told.observed_by, ())
    manner = SharedFields(tags=told.tags, meta=source.meta, observed_by=first, visibility=private, visible_to=others)
    drawn = {0: drawn_from(source.content, told.drafts)} if told.drafts else {}
    return Telling((Utterance(source.content),), manner, extractor or told.extractor, drawn)


def _read(source: Source, heard: Heard, extraction: Extraction) -> ReadSource:
    passages = tuple(passage_of(source, said.content, said.span) for said in extraction.extracted)
    return ReadSource(source, heard, extraction, passages)


def _passages(read: Sequence[ReadSource]) -> list[Passage]:
    """All that will want a vector: the statements, and the names of what they speak of."""
    said = [passage for one in read for passage in one.passages]
    every = [each for one in read for each in one.extraction.extracted]
    names = [one.name for each in every for one in each.entities]
    names += [name for each in every for claim in each.claims for name in (claim.subject, claim.object)]
    return list(dict.fromkeys([*said, *(Passage(name) for name in names if name != WHICHEVER)]))


def _together(receipts: list[Receipt], kept: KeptSources) -> Receipt:
    """One receipt of several: what each says, one after the other."""
    entries = tuple(one.seq for one in receipts if one.memories or one.duplicates or one.closed)
    if len(receipts) == 1:
        return replace(receipts[0], entries=entries)
    first, last = receipts[0], receipts[-1]
    joined: dict[str, Any] = {
        name: tuple(item for one in receipts for item in getattr(one, name))
        for name in ("memories", "edges_added", "superseded", "edges", "closed", "duplicates", "conflicts",
                     "possible_same", "skipped")
    }  # fmt: skip
    entities = {one.id: one for receipt in reversed(receipts) for one in receipt.entities}
    return replace(
        last,
        **joined,
        entries=entries,
        source_ids=tuple(source.id for source in kept.sources),
        entities=tuple(reversed(entities.values())),
        stage=Stage.ENRICHED,
        extractor=", ".join(dict.fromkeys(one.extractor for one in receipts if one.extractor)) or None,
        trouble="; ".join(dict.fromkeys(one.trouble for one in receipts if one.trouble)) or None,
        at=first.at,
    )
