"""What is there to learn from? Slots, threads, messages and background talk, loaded and checked.

The formats are told in `briefs/`. What does not fit them is left out, never mended.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from treering.language.languages import Tongue

HERE = Path(__file__).parent
TABLE = HERE.parent / "src/treering/relations/relations.toml"

MOODS = (
    "so", "became", "ended", "happened", "past", "plan", "wish", "hypothetical", "question", "denied", "hearsay",
    "joke", "temporary", "instruction", "cancelled", "aside",
)  # fmt: skip
"""How a statement says its fact. `aside`: it names a value without a claim about it."""
MOOD_OF_NOT = {
    "plan": "plan", "wish": "wish", "hypothetical": "hypothetical", "question": "question", "past": "past",
    "negation": "denied", "hearsay": "hearsay", "joke": "joke", "temporary": "temporary", "other_person": "aside",
    "other_topic": "aside", "near_miss": "cancelled", "cancelled": "cancelled",
}  # fmt: skip
MOOD_OF_THREAD = {
    "so": "so", "became": "became", "ended": "ended", "corrected": "became", "retracted": "denied", "confirmed": "so",
    "happened": "happened", "past": "past", "plan": "plan", "planned_done": "became", "cancelled": "cancelled",
    "wish": "wish", "hypothetical": "hypothetical", "hearsay": "hearsay", "joke": "joke", "temporary": "temporary",
    "question": "question", "denied": "denied",
}  # fmt: skip
ANSWERS = ("now", "outdated", "near")
"""What a question of a store names turns by."""
GIVEN = ("answers", "near")
"""And a question of a talk."""
LISTS = ("state", "change", "swap", "end")

Json = dict[str, Any]


def relations() -> list[str]:
    """The table's relations in order; the last one stands for any other."""
    with TABLE.open("rb") as file:
        return [*tomllib.load(file), "OTHER"]


def canonical() -> dict[str, str]:
    """Every name of a relation, and those that come close, to the one in the table."""
    with TABLE.open("rb") as file:
        table = tomllib.load(file)
    return {name: row for row, entry in table.items() for name in (row, *entry.get("also", ()), *entry.get("near", ()))}


def mutual() -> frozenset[str]:
    """Relations that hold both ways."""
    with TABLE.open("rb") as file:
        return frozenset(name for name, row in tomllib.load(file).items() if row.get("mutual"))


def lines(paths: Iterable[Path]) -> Iterator[Json]:
    for path in sorted(paths):
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                found = json.loads(line)
            except json.JSONDecodeError:
                continue
            if isinstance(found, dict):
                yield found


def _fits(text: object, needs: str, mustnot: str) -> bool:
    return (
        isinstance(text, str)
        and all(f"{{{one}}}" in text for one in needs.split())
        and not any(f"{{{one}}}" in text for one in mustnot.split())
    )


def english_slots(folder: Path) -> list[Json]:
    """Those of a folder but what is told in another language, in files that are named for it."""
    others = {tongue.value for tongue in Tongue} - {Tongue.ENGLISH.value}
    return slots(path for path in (folder / "slots").glob("*.jsonl") if path.stem not in others)


def slots(paths: Iterable[Path]) -> list[Json]:
    found = []
    for slot in lines(paths):
        one: Json = {**slot, "values": [str(v) for v in slot.get("values", ())]}
        one["subjects"] = [str(s) for s in slot.get("subjects", ())]
        for name, needs, mustnot in (
            ("state_1", "v", "s old"), ("state_3", "v s", "old"), ("change_1", "v", "s old"),
            ("change_3", "v s", "old"), ("swap_1", "v old", "s"), ("swap_3", "v old s", ""),
            ("end_1", "old", "v s"), ("end_3", "old s", "v"), ("ask_1", "", "s old"), ("ask_3", "s", "old"),
            ("ask_past", "", "old"), ("ask_when", "", "old"),
        ):  # fmt: skip
            one[name] = [text for text in slot.get(name, ()) if _fits(text, needs, mustnot)]
        one["not"] = [
            entry
            for entry in slot.get("not", ())
            if isinstance(entry, dict) and entry.get("kind") in MOOD_OF_NOT and _fits(entry.get("text"), "v", "")
        ]
        one["also"] = [
            e["text"] for e in slot.get("also", ()) if isinstance(e, dict) and _fits(e.get("text"), "v", "s")
        ]
        if len(one["values"]) >= 4 and (one["state_1"] or one["state_3"]):
            found.append(one)
    return found


def threads(paths: Iterable[Path]) -> list[Json]:
    found = []
    for thread in lines(paths):
        turns = thread.get("turns") or []
        ok = all(isinstance(turn.get("text"), str) for turn in turns)
        inside = all(
            0 <= part["turn"] < len(turns) for matter in thread.get("matters", ()) for part in matter.get("history", ())
        )
        if turns and ok and inside:
            thread["lines"] = [f"{turn.get('speaker') or 'User'}: {turn['text']}" for turn in turns]
            found.append(thread)
    return found


def stores(paths: Iterable[Path]) -> list[Json]:
    """All that one user has told (`briefs/stores.md`): threads that are long, whose questions name what stands near."""
    found = []
    for store in threads(paths):
        count = len(store["turns"])
        store["questions"] = [
            one
            for one in store.get("questions", ())
            if isinstance(one.get("q"), str)
            and all(isinstance(turn, int) and 0 <= turn < count for name in ANSWERS for turn in one.get(name) or ())
        ]
        if store["questions"]:
            found.append(store)
    return found


def talks(paths: Iterable[Path]) -> list[Json]:
    """Long conversations (`briefs/talks.md`, `briefs/courses.md`): all turns that answer a question, and those near."""
    found = []
    for talk in lines(paths):
        count = len(talk.get("turns") or ())
        talk["lines"] = [f"{turn.get('speaker') or 'User'}: {turn['text']}" for turn in talk.get("turns") or ()]
        talk["questions"] = [
            one
            for one in talk.get("questions", ())
            if isinstance(one.get("q"), str)
            and one.get("answers")
            and all(isinstance(turn, int) and 0 <= turn < count for name in GIVEN for turn in one.get(name) or ())
        ]
        if talk["questions"]:
            found.append(talk)
    return found


def lived(paths: Iterable[Path]) -> list[Json]:
    """One store a file: the stories of one user out of a set that was asked, woven together by day as they are told to
    one store. Which turns of other stories stand near a question nobody has written down; words tell."""
    found = []
    for path in paths:
        every = list(lines([path]))
        told = sorted(
            (turn["day"], number, place)
            for number, story in enumerate(every)
            for place, turn in enumerate(story["turns"])
        )
        at = {(number, place): turn for turn, (_, number, place) in enumerate(told)}
        turns = [every[number]["turns"][place] for _, number, place in told]
        questions = [
            {
                "q": one["q"],
                "now": [at[number, place] for place in one["right"]],
                "outdated": [at[number, place] for place in one["stale"] if place not in one["right"]],
                "near": [at[number, place] for place in range(len(story["turns"]))],
            }
            for number, story in enumerate(every)
            for one in story["questions"]
        ]
        said = [f"{turn.get('speaker') or 'User'}: {turn['text']}" for turn in turns]
        found.append({"turns": turns, "lines": said, "matters": [], "questions": questions})
    return found


def messages(paths: Iterable[Path]) -> list[Json]:
    """Those in which every statement stands word for word."""
    return [
        one
        for one in lines(paths)
        if isinstance(one.get("text"), str)
        and all(s.get("span") and s["span"] in one["text"] for s in one.get("statements", ()))
    ]
