"""Is anything that is asked in an evaluation among what was trained on? `python -m training.turnfinder.overlap DATA`.

DATA holds `talks_*.npz` and the tokenizer; the development halves lie where TREERING_BENCH_DATA says. Compared are word
pieces, with every speaker's name as one and the same piece: names are drawn anew in training. Counted are questions
that are equal, and turns that share a run of `RUN` pieces with a turn that was trained on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from bench import conversations
from training.turnfinder.pack import Coder
from training.turnfinder.talk import mark
from training.turnfinder.talks import MARKS, Talks

RUN = 12
NAMED = 1


def trained(ids: Any, lengths: Any) -> Iterator[tuple[int, ...]]:
    start = 0
    for length in lengths.tolist():
        yield tuple(NAMED if one <= MARKS else one for one in ids[start : start + length].tolist())
        start += length


def runs(rows: Iterable[tuple[int, ...]]) -> set[tuple[int, ...]]:
    return {row[place : place + RUN] for row in rows for place in range(len(row) - RUN + 1)}


def pieces(coder: Coder, text: str, speakers: set[str]) -> tuple[int, ...]:
    for name in sorted(speakers, key=len, reverse=True):
        text = text.replace(name, mark(0))
    return tuple(coder.ids(text, 100_000))


def bare(row: tuple[int, ...], signs: frozenset[int]) -> tuple[int, ...]:
    return tuple(one for one in row if one not in signs)


def main() -> None:
    folder = Path(sys.argv[1])
    talks, coder = Talks(folder), Coder(folder)
    signs = frozenset(coder.ids("? . , ! ' \" -", 100))
    asked = {bare(row, signs) for row in trained(talks.asked_ids, talks.asked_len)}
    said = runs(trained(talks.turn_ids, talks.turn_len))
    print(f"trained on: {len(asked)} different questions, {len(said)} runs of {RUN} word pieces")
    for name in conversations.FILES:
        questions = equal = turns = shared = 0
        for case in conversations.load(name):
            speakers = {turn.speaker for turn in case.turns if turn.speaker}
            for one in case.questions:
                questions += 1
                equal += bare(pieces(coder, one.text, speakers), signs) in asked
            for turn in case.turns:
                turns += 1
                shared += not runs([pieces(coder, turn.text, speakers)]).isdisjoint(said)
        print(f"{name}: {equal} of {questions} questions equal, {shared} of {turns} turns share a run")


if __name__ == "__main__":
    main()
