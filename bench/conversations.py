"""Which conversations are asked about? Three data sets in one shape: what was said in turn, and what is asked of it.

LoCoMo (two people over months), BEAM (a person and an assistant, long) and FriendsQA (scenes of a television series,
all in one space). The data lie where TREERING_BENCH_DATA says; they are never part of the repository. What is read here
is what the yardstick of the project reads, so that figures agree with it.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import treering
from treering.mind.contract import Embedder
from treering.model.limits import CONTENT_CHARS

BATCH = 500
Way = Literal["add", "remember"]
ADD: Way = "add"
REMEMBER: Way = "remember"
WAYS = (ADD, REMEMBER)
"""How turns are told: each kept as it stands, or read for what it says."""
LOCOMO, BEAM, FRIENDSQA = "locomo", "beam", "friendsqa"
FILES = {
    LOCOMO: "locomo/locomo_dev.json",
    BEAM: "beam/beam_100K_dev.json.gz",
    FRIENDSQA: "friendsqa/friendsqa_dev.json.gz",
}
ADVERSARIAL = "adversarial"
LOCOMO_CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: ADVERSARIAL}
BEAM_CORE = frozenset(
    {
        "information_extraction",
        "multi_session_reasoning",
        "temporal_reasoning",
        "knowledge_update",
        "contradiction_resolution",
    }
)
"""Abilities whose evidence can be found from the question; the others ask for standing wishes or for everything."""


@dataclass(frozen=True, slots=True)
class Turn:
    key: str
    session: str
    speaker: str
    text: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the turns and sessions that hold its answer."""

    id: str
    text: str
    category: str
    evidence: tuple[str, ...]
    sessions: tuple[str, ...]
    core: bool = False

    @property
    def answerable(self) -> bool:
        return self.category != ADVERSARIAL


@dataclass(frozen=True, slots=True)
class Case:
    """One conversation: one space, and the questions put to it at its end."""

    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Asked, ...]
    session_of: dict[str, str] = field(repr=False)

    @property
    def asked_at(self) -> datetime | None:
        return max((turn.at for turn in self.turns if turn.at), default=None)


def load(name: str) -> list[Case]:
    return _READERS[name](_data(FILES[name]))


def _data(file: str) -> Any:
    folder = os.environ.get("TREERING_BENCH_DATA")
    if not folder:
        sys.exit(f"Set TREERING_BENCH_DATA to the folder that holds {file}.")
    path = Path(folder) / file
    if not path.is_file():
        sys.exit(f"No data at {path}. Set TREERING_BENCH_DATA to the folder that holds {file}.")
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        return json.load(lines)


def _case(name: str, turns: list[Turn], asked: list[tuple[str, str, str, list[str], bool]]) -> Case:
    """Questions none of whose evidence is there are left out."""
    session_of = {turn.key: turn.session for turn in turns}
    questions = []
    for number, text, category, evidence, core in asked:
        there = tuple(dict.fromkeys(key for key in evidence if key in session_of))
        if there:
            sessions = tuple(sorted({session_of[key] for key in there}))
            questions.append(Asked(number, text, category, there, sessions, core))
    return Case(name, tuple(turns), tuple(questions), session_of)


# LoCoMo

_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
"""Written by hand: `D8:6; D9:17`, `D:11:26`, `D30:05`."""


def _locomo(data: Any) -> list[Case]:
    return [_locomo_case(one["sample_id"], one["conversation"], one["qa"]) for one in data]


def _locomo_case(name: str, told: dict[str, Any], asked: list[dict[str, Any]]) -> Case:
    numbers = sorted(int(key.removeprefix("session_")) for key in told if re.fullmatch(r"session_\d+", key))
    turns = []
    for number in numbers:
        at = datetime.strptime(told[f"session_{number}_date_time"].strip(), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for said in told[f"session_{number}"]:
            seen = said.get("blip_caption")
            text = said["text"] + (f" [shares a photo: {seen}]" if seen else "")
            turns.append(Turn(said["dia_id"], str(number), said["speaker"], text, at))
    questions = [
        (f"{name}#{place}", one["question"], LOCOMO_CATEGORIES[one["category"]], _turns_named(one), False)
        for place, one in enumerate(asked)
    ]
    return _case(name, turns, questions)


def _turns_named(asked: dict[str, Any]) -> list[str]:
    said = " ".join(str(one) for one in asked.get("evidence", []))
    return [f"D{int(session)}:{int(turn)}" for session, turn in _EVIDENCE.findall(said)]


# BEAM


def _beam(data: Any) -> list[Case]:
    return [_beam_case(chat) for chat in data["chats"]]


def _beam_case(chat: dict[str, Any]) -> Case:
    turns = [
        Turn(str(one["id"]), str(one["batch"]), one["role"], one["content"], _moment(one.get("when")))
        for one in chat["messages"]
    ]
    questions = [
        (
            f"{chat['id']}/{one['id']}",
            one["question"],
            one["ability"],
            [str(key) for key in one["gold"]],
            one["ability"] in BEAM_CORE,
        )
        for one in chat["questions"]
    ]
    return _case(str(chat["id"]), turns, questions)


def _moment(said: str | None) -> datetime | None:
    return None if said is None else datetime.fromisoformat(said).replace(tzinfo=UTC)


# FriendsQA

_LOOSE = re.compile(r" (?=n't|'\w|[.,?!;:])")
"""The space before a sign or an ending that was cut off."""


def _friendsqa(data: Any) -> list[Case]:
    turns, questions = [], []
    for scene in data["data"]:
        title = scene["title"]
        for part in scene["paragraphs"]:
            for said in part["utterances:"]:
                text = _LOOSE.sub("", said["utterance"])
                turns.append(Turn(f"{title}#{said['uid']}", title, ", ".join(said["speakers"]), text))
            for one in part["qas"]:
                evidence = [f"{title}#{answer['utterance_id']}" for answer in one["answers"]]
                wanted = one["id"].split("_")[-1].split("-")[0].lower()
                questions.append((one["id"], one["question"], wanted, evidence, False))
    return [_case("scenes", turns, questions)]


_READERS: dict[str, Callable[[Any], list[Case]]] = {LOCOMO: _locomo, BEAM: _beam, FRIENDSQA: _friendsqa}


# remembering


class Now:
    """Stands where it was put, such as at the end of a conversation, and a microsecond later each time it is looked
    at."""

    def __init__(self, at: datetime | None) -> None:
        self._at = at or datetime(2020, 1, 1, tzinfo=UTC)

    def move_to(self, at: datetime) -> None:
        self._at = at

    def __call__(self) -> datetime:
        self._at += timedelta(microseconds=1)
        return self._at


@contextmanager
def remembered(
    case: Case, embedder: Embedder, way: Way, names: Callable[[Turn], list[str]] | None = None
) -> Iterator[treering.Treering]:
    """A fresh store that was told every turn of the case in order. `names`: entities that a turn is to mention, which
    only `add` takes."""
    with treering.open(":memory:", clock=Now(case.asked_at), embedder=embedder) as mem:
        items = [_item(turn, names) for turn in case.turns]
        if way == REMEMBER:
            for item in items:
                mem.remember(**item)
        else:
            for start in range(0, len(items), BATCH):
                mem.add_many(items[start : start + BATCH])
        yield mem


def _item(turn: Turn, names: Callable[[Turn], list[str]] | None) -> dict[str, Any]:
    item: dict[str, Any] = {
        "content": turn.text[:CONTENT_CHARS] or ".",
        "speaker": turn.speaker,
        "session": turn.session,
        "key": turn.key,
    }
    if turn.at is not None:
        item["at"] = turn.at
    if names is not None:
        item["entities"] = names(turn)
    return item
