"""What was packed, as arrays, and what is drawn of it for one step. No text is touched after packing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

MARKS = 9  # word pieces 1 to 9 stand for speakers
OPENING, CLOSING, COLON = 101, 102, 1024
SOURCES = ("thread", "slot", "message", "persona", "chitchat", "self", "meeting", "page", "manual", "stream",
           "talk", "store", "room", "passage", "course", "wish")  # fmt: skip
SHARES = {"thread": 0.13, "slot": 0.1, "message": 0.03, "persona": 0.17, "chitchat": 0.08, "self": 0.06,
          "meeting": 0.02, "page": 0.03, "manual": 0.1, "stream": 0.1, "talk": 0.14, "store": 0.12,
          "room": 0.03, "passage": 0.05, "course": 0.06, "wish": 0.08}  # fmt: skip
"""How many of a batch's talks come from where."""


def _ends(lengths: Any) -> Any:
    return np.concatenate([[0], np.cumsum(lengths.astype(np.int64))])


class Talks:
    def __init__(self, folder: Path) -> None:
        parts = [np.load(path) for path in sorted(folder.glob("talks_*.npz"))]
        if not parts:
            raise SystemExit(f"{folder} holds no talks_*.npz; make them with training.turnfinder.pack")
        joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0].files if name != "names"}
        self.names = parts[0]["names"].astype(np.int64)
        self.turn_ids, self.asked_ids = joined["turn_ids"].astype(np.int32), joined["asked_ids"].astype(np.int32)
        self.turn_len, self.asked_len = joined["turn_len"].astype(np.int64), joined["asked_len"].astype(np.int64)
        self.turn_from, self.asked_from = _ends(self.turn_len)[:-1], _ends(self.asked_len)[:-1]
        self.turn_lead = joined["turn_lead"].astype(np.int64)
        self.turn_key, self.asked_key = joined["turn_key"], joined["asked_key"]
        self.answers, self.answers_at = joined["answers"].astype(np.int64), _ends(joined["answers_len"])
        self.beside, self.beside_at = joined["beside"].astype(np.int64), _ends(joined["beside_len"])
        self.spans = np.stack([joined["span_from"], joined["span_to"]], 1).astype(np.int64)
        self.turns_at, self.asked_at = _ends(joined["talk_turns"]), _ends(joined["talk_asked"])
        self.source, self.held = joined["talk_source"], joined["talk_held"]

    def of(self, source: str, held: bool) -> Any:
        return np.flatnonzero((self.source == SOURCES.index(source)) & (self.held == held))

    def counts(self) -> dict[str, str]:
        asked = np.diff(self.asked_at)
        return {name: f"{len(self.of(name, False))}+{len(self.of(name, True))} talks, "
                      f"{asked[self.of(name, False)].sum()} asked" for name in SOURCES}  # fmt: skip


@dataclass(slots=True)
class Batch:
    """`marks` (questions by turns): 0 a negative, 1 an answer, 2 neither. `*_row`: the talk of the batch. `spans`: of
    each turn, and the question that it answers or -1."""

    asked: Any
    asked_row: Any
    turns: Any
    turns_row: Any
    marks: Any
    spans: Any
    span_asked: Any
    names: Any
    lead: Any


class Drawer:
    def __init__(self, talks: Talks, seed: int, many: int, asked: int, turns: int, group: int) -> None:
        self.talks, self.draw = talks, np.random.default_rng(seed)
        self.many, self.asked, self.turns, self.group = many, asked, turns, group
        pools = {name: talks.of(name, False) for name in SOURCES}
        self.pools = {name: pool for name, pool in pools.items() if len(pool)}
        shares = np.array([SHARES[name] for name in self.pools])
        self.shares = shares / shares.sum()

    def __call__(self) -> Batch:
        kinds = self.draw.choice(len(self.pools), self.many, p=self.shares)
        pools = list(self.pools.values())
        chosen = [int(self.draw.choice(pools[kind])) for kind in kinds]
        return self.batch(list(dict.fromkeys(chosen)))

    def batch(self, chosen: list[int], whole: bool = False) -> Batch:
        """`whole`: every turn and question of the talks, under one set of names."""
        t, draw = self.talks, self.draw
        asked_all, turns_all, blocks = [], [], []
        span_rows, span_asked = [], []
        asked_before = 0
        for talk in chosen:
            first, last = t.turns_at[talk], t.turns_at[talk + 1]
            asked = np.arange(t.asked_at[talk], t.asked_at[talk + 1])
            if not whole and len(asked) > self.asked:
                asked = draw.choice(asked, self.asked, replace=False)
            count = last - first
            marks = np.zeros((len(asked), count), np.int8)
            for row, one in enumerate(asked):
                marks[row, t.beside[t.beside_at[one] : t.beside_at[one + 1]]] = 2
                marks[row, t.answers[t.answers_at[one] : t.answers_at[one + 1]]] = 1
            turns = np.arange(count)
            if not whole and count > self.turns:
                wanted = (marks == 1).any(0)
                order = np.argsort(draw.random(count) - 2.0 * wanted)
                turns = np.sort(order[: self.turns])
                marks = marks[:, turns]
                some = (marks == 1).any(1)
                asked, marks = asked[some], marks[some]
            spans, by = np.zeros((len(turns), 2), np.int64), np.full(len(turns), -1)
            place = {int(turn): number for number, turn in enumerate(turns)}
            for row, one in enumerate(asked):
                if t.spans[one, 1] > 0:
                    here = place.get(int(t.answers[t.answers_at[one]]))
                    if here is not None:
                        spans[here], by[here] = t.spans[one], asked_before + row
            asked_before += len(asked)
            asked_all.append(asked)
            turns_all.append(turns + first)
            blocks.append(marks)
            span_rows.append(spans)
            span_asked.append(by)
        return self._joined(asked_all, turns_all, blocks, span_rows, span_asked, whole)

    def _joined(
        self,
        asked_all: list[Any],
        turns_all: list[Any],
        blocks: list[Any],
        spans: list[Any],
        by: list[Any],
        whole: bool,
    ) -> Batch:
        t, draw = self.talks, self.draw
        asked, turns = np.concatenate(asked_all), np.concatenate(turns_all)
        many = len(blocks)
        asked_row = np.repeat(np.arange(many), [len(some) for some in asked_all])
        turns_row = np.repeat(np.arange(many), [len(some) for some in turns_all])
        keys = t.asked_key[asked]
        marks = ((keys[:, None] == t.turn_key[turns][None]) & (keys[:, None] != 0)).astype(np.int8) * 2
        down = across = 0
        for block in blocks:
            marks[down : down + block.shape[0], across : across + block.shape[1]] = block
            down, across = down + block.shape[0], across + block.shape[1]
        names = np.zeros((many, MARKS + 1), np.int64)
        step = many if whole else self.group
        for start in range(0, many, step):
            names[start : start + step, 1:] = draw.choice(t.names, MARKS, replace=False)
        lead = np.ones(many, bool) if whole else draw.random(many) > 0.06
        return Batch(asked, asked_row, turns, turns_row, marks, np.concatenate(spans), np.concatenate(by), names, lead)
