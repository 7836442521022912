"""Which claims would people list who are asked for the facts that somebody stated? Blind sets that were asked say so.

Of messages their authors listed every fact, of streams those that hold or once held. The newest sets are left for
choosing. Where values stand in the messages of all but the last of the others turnreader-12 has learned itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bench.labels import FactKey, ends_of, fact_key

from training.data import HERE, lines
from treering.ingest.extract.contract import Heard, Stance, Turn
from treering.ingest.extract.reader import SeenTurn, kept_whole
from treering.mind.turnreader import TurnReader

AFTER, NEWEST = "2026-11-18-b", 4
"""Sets behind this one are read, but so many of the newest, which are for choosing."""
TURNS_BEFORE = 2


@dataclass(frozen=True)
class Listed:
    """A claim out of a set, what speaks for it, and whether the author lists a fact of these two."""

    store: str
    loud: dict[str, float]
    right: bool


def listed(reader: TurnReader) -> Iterator[Listed]:
    folders = sorted(one for one in (HERE / "blind").iterdir() if one.name > AFTER and one.is_dir())
    for folder in folders[:-NEWEST]:
        for heard, facts in [*_messages(folder), *_streams(folder)]:
            if kept_whole(heard, reader.name) is not None:
                continue
            wanted = {ends_of(_key(*one[:3])) for one in facts}
            for claim, _, loud in SeenTurn.of(heard, reader).facts.weighed:
                if claim.stance is Stance.HOLDS:
                    key = _key(claim.subject, claim.relation, claim.object)
                    yield Listed(folder.name, loud, ends_of(key) in wanted)


def _key(subject: str, relation: str, value: str) -> FactKey:
    return fact_key(subject, relation, value)


Told = tuple[Heard, list[Any]]


def _messages(folder: Path) -> Iterator[Told]:
    for one in lines([folder / "messages.jsonl"] if (folder / "messages.jsonl").exists() else []):
        at = datetime.fromisoformat(one["at"])
        said = one["context"]
        before = tuple(
            Turn(turn["speaker"], turn["text"], at - timedelta(minutes=len(said) - place))
            for place, turn in enumerate(said)
        )
        yield Heard(text=one["text"], at=at, speaker=one["speaker"], before=before), one["triples"]


def _streams(folder: Path) -> Iterator[Told]:
    for one in lines(folder.glob("streams.jsonl")):
        facts, turns = one["facts_now"] + one["facts_before"], one["turns"]
        for place, turn in enumerate(turns):
            near = [each for each in turns[max(0, place - TURNS_BEFORE) : place] if each["session"] == turn["session"]]
            before = tuple(Turn(each["speaker"], each["text"], datetime.fromisoformat(each["at"])) for each in near)
            at = datetime.fromisoformat(turn["at"])
            yield Heard(text=turn["text"], at=at, speaker=turn["speaker"], before=before), facts
