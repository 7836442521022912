"""Which claims would people list who are asked for the facts that somebody stated? Blind sets that were asked say so.

Of messages their authors listed every fact, of streams those that hold or once held. What reads facts has learned from
older ones, and the newest are left for choosing.
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
from treering.ingest.extract.learned_facts import TurnFacts
from treering.ingest.extract.reader import SeenTurn, kept_whole
from treering.mind.reading import AssertedFact
from treering.mind.turnreader import TurnReader
from treering.mind.turnreader.belief import parts_of

LEARNED, NEWEST = "2026-11-18-b", 4
"""Up to this set what reads facts has learned from them; so many of the newest are for choosing."""
TURNS_BEFORE = 2


@dataclass(frozen=True)
class Listed:
    """A claim out of a set, what speaks for it, and whether the author lists a fact of these two."""

    store: str
    relation: str
    parts: Any
    """States of the value, the subject and the whole."""
    loud: dict[str, float]
    right: bool


def listed(reader: TurnReader) -> Iterator[Listed]:
    folders = sorted(one for one in (HERE / "blind").iterdir() if one.name > LEARNED and one.is_dir())
    for folder in folders[:-NEWEST]:
        for heard, facts in [*_messages(folder), *_streams(folder)]:
            if kept_whole(heard, reader.name) is not None:
                continue
            wanted = {ends_of(_key(*one[:3])) for one in facts}
            turn = SeenTurn.of(heard, reader).facts
            for claim, _, loud in turn.weighed:
                if claim.stance is Stance.HOLDS:
                    said = claim.subject, claim.relation, claim.object
                    parts = parts_in(turn, AssertedFact(*said), reader)
                    yield Listed(folder.name, claim.relation, parts, loud, ends_of(_key(*said)) in wanted)


def parts_in(turn: TurnFacts, claim: AssertedFact, reader: TurnReader) -> Any:
    """The states that bear a claim out; None where its value does not stand in the turn."""
    text, speaker = turn.heard.text, turn.heard.first_person
    stands = (parts_of(claim, text, turn.before, speaker, *one) for one in reader.states(text, speaker, turn.before))
    return next((one for one in stands if one is not None), None)


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
