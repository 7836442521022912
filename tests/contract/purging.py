"""What is to be purged, and where its words are looked for afterwards."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.conftest import HandClock

from treering.door import Treering
from treering.model.changes import Changes, MemoryAdded, SourceAdded
from treering.model.embedding import Embedded
from treering.model.ids import mint
from treering.model.memory import MemoryRecord
from treering.model.source import Source
from treering.store.contract import Store, Writer

TRACES = {
    "content": "Die Zahlenkombination ist größer als lantern",
    "title": "Tresorzettel",
    "context": "geflüstert im Aufzug",
    "tag": "panzerknacker",
    "meta": "hinterzimmer",
    "speaker": "Egon Olsen",
    "session": "nachtsitzung",
    "key": "schlüssel-17",
    "entity": "Franz-Jäger-Tresor",
    "fact": "HAT_DIE_FARBE_VON",
    "object": "Mitternachtsblau",
    "link": "weil es dieselbe Nacht war",
    "derived": "Zusammengefasst: es geht um lantern",
    "forgotten": "bitte vergessen, peinlich",
    "vector": "abdruck der zahlen",
    "vector of an entity": "abdruck des tresors",
    "vector of what was derived": "abdruck der summe",
}


def write_what_is_to_go(mem: Treering) -> str:
    kept = mem.add("Ada is here", entities=["Ada"]).id
    gone = mem.add(
        TRACES["content"],
        title=TRACES["title"],
        context=TRACES["context"],
        tags=[TRACES["tag"]],
        meta={"where": TRACES["meta"]},
        speaker=TRACES["speaker"],
        session=TRACES["session"],
        key=TRACES["key"],
        entities=[TRACES["entity"], "Ada"],
        triples=[["Ada", TRACES["fact"], TRACES["object"]]],
    ).id
    mem.link(kept, gone, why=TRACES["link"], meta={"why": TRACES["link"]})
    derived = mem.add(TRACES["derived"]).id
    mem.link(derived, gone, "derived_from")
    again = mem.add(f"Noch einmal: {TRACES['derived']}").id
    mem.link(again, derived, "derived_from")
    mem.forget(gone, why=TRACES["forgotten"])
    mem.restore(gone)
    vault = mem.entity_get(TRACES["entity"]).id
    prints = {
        gone: TRACES["vector"],
        vault: TRACES["vector of an entity"],
        derived: TRACES["vector of what was derived"],
    }
    # longer than a page, as vectors may be
    read = [Embedded(one, "small@1", trace.encode() * 400) for one, trace in prints.items()]
    assert mem._store.keep_vectors("lab", [*read, Embedded(kept, "small@1", b"kept")]) == 4
    return gone


def traces_in(raw: bytes) -> list[str]:
    spelled = lambda text: {text.encode(), json.dumps(text)[1:-1].encode(), text.encode("utf-16-le")}  # noqa: E731
    return [name for name, text in TRACES.items() if any(one in raw for one in spelled(text))]


def files_of(path: Path) -> list[Path]:
    """The store's own, and those in the folder beside it."""
    every = (part for one in path.parent.glob(path.name + "*") for part in (one, *one.rglob("*")))
    return sorted(part for part in every if part.is_file())


def two_said_in_one_breath(mem: Treering, store: Store, clock: HandClock) -> list[str]:
    """One source and three memories that each rest on a stretch of it, written by hand."""
    fresh, said = mint(clock.now), "Ada lives in Berlin. Her code is lantern! She likes tea."
    source_id, ids = fresh(), [fresh() for _ in range(3)]

    def plan(reader: Any, at: datetime) -> Changes:
        source = Source(
            id=source_id, space="lab", content=said, speaker="Ada", occurred_at=clock.now, recorded_at=at, meta={}
        )
        parts = ["Ada lives in Berlin.", "Her code is lantern!", "She likes tea."]
        memories = [
            MemoryRecord(
                id=one,
                space="lab",
                content=part,
                said_at=clock.now,
                recorded_at=at,
                source_id=source_id,
                span=(said.index(part), said.index(part) + len(part)),
            )
            for one, part in zip(ids, parts, strict=True)
        ]
        return Changes("remember", (SourceAdded(source), *(MemoryAdded(one) for one in memories)))

    store.write("lab", Writer("ann"), clock.now, plan)
    return ids
