"""Trains turnjudge, which reads a question together with a turn: `python -m training.turnfinder.judge DATA OUT …`.

DATA as for `train`. A finder (stock MiniLM, or `finds=NAME`) picks the turns that look like answers; the judge learns
to tell those that are. OUT gets `NAME_*.npz`. What was held out is asked at the end: the finder's best, read once more.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812

from training.train import save
from training.turnfinder.evaluate import conversations, measures, shown
from training.turnfinder.net import Finder, Judge
from training.turnfinder.rows import Pairs, Reader, vectors
from training.turnfinder.talks import Batch, Drawer, Talks
from training.turnfinder.train import asked_for, drawn_ahead, start_weights

KNOBS: dict[str, Any] = {
    "name": "judge",
    "minutes": 8.0,
    "rate": 1e-4,
    "talks": 160,
    "asked": 8,
    "turns": 32,
    "group": 4,
    "questions": 640,  # of a step
    "answers": 2,  # most of one question that are read
    "others": 12,  # turns that look like answers and are none
    "among": 40,  # the best of which those are drawn
    "margin": 0.1,
    "dropout": 0.1,
    "mean": 0.998,
    "seed": 1,
    "start": "",
    "finds": "",
}


def nearness(finder: Any, reader: Reader, batch: Batch) -> Any:
    yes = np.ones(len(batch.asked), bool)
    asked, _ = vectors(finder, reader, "asked", batch.asked, batch.asked_row, batch.names, yes, 2)
    lead = batch.lead[batch.turns_row]
    turns, _ = vectors(finder, reader, "turn", batch.turns, batch.turns_row, batch.names, lead, 8)
    return asked @ turns.T


def looked_alike(near: Any, marks: Any, apart: Any, knobs: dict[str, Any]) -> tuple[Any, Any]:
    """Of each question some turns that look like answers and are none, and whether each is one of those. Turns of other
    talks that are much nearer than the answer are taken for answers nobody has marked."""
    best = near.masked_fill(marks != 1, -2).amax(1, keepdim=True)
    out = (marks != 0) | (apart & (near > best + knobs["margin"]))
    worth, places = near.masked_fill(out, -2).topk(min(knobs["among"], near.shape[1]), 1)
    some = torch.rand_like(worth).masked_fill(worth < -1, -1).topk(min(knobs["others"], worth.shape[1]), 1).indices
    return places.gather(1, some), worth.gather(1, some) > -1


def lost(judge: Any, finder: Any, reader: Reader, batch: Batch, knobs: dict[str, Any]) -> Any:
    with torch.no_grad():
        near = nearness(finder, reader, batch)
    marks = reader.there(batch.marks)
    chosen = torch.randperm(len(near), device=near.device)[: knobs["questions"]]
    near, marks = near[chosen], marks[chosen]
    apart = reader.there(batch.asked_row)[chosen][:, None] != reader.there(batch.turns_row)[None]
    others, there = looked_alike(near, marks, apart, knobs)
    right = torch.rand_like(near).masked_fill(marks != 1, -1).topk(knobs["answers"], 1)
    turns = torch.cat([right.indices, others], 1)
    told = Pairs(reader, batch).read(judge, chosen.repeat_interleave(turns.shape[1]), turns.flatten(), 12)
    told = told.view(turns.shape)
    answers, known = told[:, : knobs["answers"]], right.values > 0
    against = torch.logsumexp(told[:, knobs["answers"] :].masked_fill(~there, -1e4), 1, keepdim=True)
    return (F.softplus(against - answers) * known).sum() / known.sum().clamp(min=1)


def report(judge: Any, finder: Any, reader: Reader, title: str) -> None:
    """The finder's forty best, in the judge's order."""
    found: dict[str, dict[str, list[float]]] = {}
    with torch.no_grad():
        for source, batch in conversations(reader.talks):
            near = nearness(finder, reader, batch)
            best = near.topk(min(40, near.shape[1]), 1).indices
            asked = torch.arange(len(near), device=near.device).repeat_interleave(best.shape[1])
            read = Pairs(reader, batch).read(judge, asked, best.flatten(), max(1, len(asked) // 4000))
            order = (near - 10).scatter(1, best, torch.sigmoid(read.view(best.shape)))
            told = measures(order.cpu().numpy(), batch.marks)
            by_name = found.setdefault(source, {name: [] for name in told})
            for name, some in told.items():
                by_name[name] += some
    shown(title, found)


def main() -> None:
    folder, out, knobs = asked_for(KNOBS)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(knobs["seed"])
    talks = Talks(folder)
    print(knobs, talks.counts(), flush=True)
    reader = Reader(talks, device)
    drawer = Drawer(talks, knobs["seed"], knobs["talks"], knobs["asked"], knobs["turns"], knobs["group"])
    finder = Finder(folder / "config.json").to(device).eval()
    finder.begin(start_weights(folder, out, knobs["finds"]))
    judge = Judge(folder / "config.json", dropout=knobs["dropout"]).to(device)
    judge.begin(start_weights(folder, out, knobs["start"]))
    judge.m.embeddings.word_embeddings.weight.requires_grad = False
    average = Judge(folder / "config.json").to(device).eval()
    average.load_state_dict(judge.state_dict())
    learned = [p for p in judge.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=knobs["rate"], weight_decay=0.01)
    waiting = drawn_ahead(drawer)
    began, step = time.time(), 0
    judge.train()
    while (gone := (time.time() - began) / (60 * knobs["minutes"])) < 1:
        for group in optimizer.param_groups:
            group["lr"] = knobs["rate"] * min(1, (step + 1) / 100) * max(0.01, 1 - gone)
        loss = lost(judge, finder, reader, waiting.get(), knobs)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        with torch.no_grad():
            share = max(1 - knobs["mean"], 1 / (step + 1))
            torch._foreach_lerp_(list(average.parameters()), list(judge.parameters()), share)
        if step % 50 == 0:
            print(step, f"{time.time() - began:.0f}s", round(float(loss.detach()), 4), flush=True)
        step += 1
    save(average, out, knobs["name"], frozen=True)
    print("saved", knobs["name"], step, "steps", f"{time.time() - began:.0f}s", flush=True)
    report(average, finder, reader, f"{knobs['name']}, step {step}")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
