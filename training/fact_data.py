"""What does the net that reads facts learn from? All examples, drawn and coded once.

`python -m training.fact_data DATA OUT`; DATA as for `train`. OUT gets `rows.npz` and `relations.json`, which are all
that `fact_net` needs beside the weights. Knobs as `name=value`: `threads`, `slots`, `plain`, `answers`, `talk`: so many
examples of each; `turns`: so many that nobody has labelled; `share`: of all that is not made up of slots.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from training import answers, data, examples, facts, labels, streams
from training.coding import Coder
from training.data import MOODS, Json
from training.names import Named

KNOBS: dict[str, Any] = {
    "seed": 1, "threads": 16_000, "slots": 6_000, "plain": 40_000, "answers": 6_000, "talk": 800, "turns": 0,
    "share": 1.0,
}  # fmt: skip
PLAIN = "plain"
"""So begin the names of slots that tell facts straight out."""
UNLABELLED = 2
"""Of such a turn only a larger net has an opinion."""


def main() -> None:
    folder, out = (Path(one) for one in sys.argv[1:3])
    knobs = {**KNOBS, **{k: type(KNOBS[k])(v) for k, v in (one.split("=") for one in sys.argv[3:])}}
    names, learn, kept = drawn(folder, knobs)
    coder = Coder(folder / "tokenizer.json")
    learned, held = (_coded(some, coder, names) for some in (learn, kept))
    np.savez_compressed(out / "rows.npz", **packed([*learned, *held]), held=np.array(len(held)))
    (out / "relations.json").write_text(json.dumps(names.all))
    print(len(learned), "turns to learn from,", len(held), "held out,", len(names.all), "relations")


def drawn(folder: Path, knobs: Json) -> tuple[facts.Names, list[facts.Told], list[facts.Told]]:
    """The relations, what is learned from, and what is held out."""
    draw = random.Random(knobs["seed"])
    slots = data.english_slots(folder)
    threads = data.threads((folder / "threads").glob("*.jsonl"))
    messages = list(labels.labelled(folder, data.messages((folder / "messages").glob("*.jsonl"))))
    held = {name: set(some) for name, some in json.loads((folder / "held.json").read_text()).items()}
    canon, told_over_months = data.canonical(), streams.all_of(folder)
    often = facts.often_named(messages, threads + told_over_months, canon)
    names = facts.Names(canon, data.relations()[:-1], often)
    named = Named(folder / "names.jsonl", draw)
    talk = json.loads((folder / "chat.json").read_text())
    learn = [facts.of_talk(talk["neutral"], draw) for _ in range(knobs["talk"])]
    learn += list(_of_slots([one for one in slots if one["slot"] not in held["slots"]], talk, names, named, knobs))
    learn += list(answers.drawn(folder / "answers.jsonl", names, named, knobs["answers"], draw))
    told = [one for t in threads if t["lines"][0] not in held["threads"] for one in facts.of_thread(t, names, draw)]
    draw.shuffle(told)
    rest = told[: knobs["threads"]]
    rest += [one for stream in told_over_months for one in streams.of_stream(stream, names, draw)]
    rest += [facts.of_asked(one, names) for one in data.lines((folder / "asked").glob("*/messages.jsonl"))]
    mutual = data.mutual()
    marked = [one for one in messages if "facts" in one]
    kept = [labels.of_labels(one, names, mutual) for one in marked if one["text"] in held["messages"]]
    for one in marked:
        if one["text"] not in held["messages"]:
            rest += [labels.of_labels(each, names, mutual) for each in (one, named.swapped(one))]
    learn += draw.sample(rest, round(knobs["share"] * len(rest)))
    turns = json.loads((folder / "turns.json").read_text()) if knobs["turns"] else []
    learn += [facts.Told(one["before"], one["speaker"], one["text"], [], None) for one in turns[: knobs["turns"]]]
    return names, learn, kept


def _of_slots(slots: list[Json], talk: Json, names: facts.Names, named: Named, knobs: Json) -> Iterator[facts.Told]:
    canon = data.canonical()
    for sort in ("slots", "plain"):
        some = [one for one in slots if one["slot"].startswith(PLAIN) == (sort == "plain")]
        some = [named.added(one) for one in some] if sort == "plain" else some
        maker, left = examples.Maker(some, talk, knobs["seed"]), knobs[sort]
        while left:
            made = facts.of_slots(maker, canon, names)
            if made is not None:
                left -= 1
                yield made


def _coded(some: Sequence[facts.Told], coder: Coder, names: facts.Names) -> list[facts.Coded]:
    return [row for one in some if (row := facts.coded(one, coder, MOODS, names)) is not None]


def packed(rows: Sequence[facts.Coded]) -> dict[str, Any]:
    """One after the other, with how many of each belong to a row."""
    values = [one for row in rows for one in row.values]
    subjects = [list(zip(*ends, strict=True)) for row in rows for ends in zip(row.first, row.last, strict=True)]

    def flat(some: Iterator[Any], kind: Any) -> Any:
        return np.array([one for each in some for one in each], kind)

    return {
        "ids": flat((row.ids for row in rows), np.uint16),
        "types": flat((row.types for row in rows), np.uint8),
        "shapes": flat((row.shapes for row in rows), np.uint8),
        "pieces": np.array([len(row.ids) for row in rows], np.uint8),
        "stand": flat((row.words for row in rows), np.uint8),
        "words": np.array([len(row.words) for row in rows], np.uint8),
        "value": np.array(values, np.int16).reshape(-1, 4),
        "values": np.array([len(row.values) for row in rows], np.uint8),
        "subject": flat(iter(subjects), np.uint8).reshape(-1, 2),
        "subjects": np.array([len(one) for one in subjects], np.uint8),
        "whole": np.array([UNLABELLED if row.whole is None else row.whole for row in rows], np.uint8),
    }


if __name__ == "__main__":
    main()
