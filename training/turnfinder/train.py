"""Trains the finder: `python -m training.turnfinder.train DATA OUT name=finder minutes=10 …`.

DATA holds `base.npz`, `config.json` (`training.pack_base`) and `talks_*.npz` (`training.turnfinder.pack`). OUT gets
`NAME_*.npz`, the running mean of the weights. What was held out is asked of the start and of the end.

`student=3 start=finder` makes a question encoder of three layers in the space of `finder` (whose weights lie in DATA
or OUT): questions only, and the turns stay as they were embedded.
"""

from __future__ import annotations

import copy
import os
import queue
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812

from training.train import packed_weights, save
from training.turnfinder.evaluate import report
from training.turnfinder.net import Finder, Judge, base_weights
from training.turnfinder.rows import Pairs, Reader, vectors
from training.turnfinder.talks import Batch, Drawer, Talks

KNOBS: dict[str, Any] = {
    "name": "finder",
    "minutes": 10.0,  # the rate falls to nothing by then
    "steps": 100000,
    "rate": 8e-5,
    "talks": 160,  # of a batch
    "asked": 12,  # most questions of a talk
    "turns": 32,  # most turns of a talk
    "group": 4,  # so many talks share their speakers' names
    "scale": 20.0,
    "reverse": 0.3,
    "span": 0.5,  # of the sentence that answers, pooled alone as the product pools sentences
    "keep": 1.0,  # nearness to the stock model on bare texts
    "kept": 256,
    "margin": 0.1,  # turns of other talks that are nearer than the answer by this are taken for answers unmarked
    "dropout": 0.1,
    "mean": 0.998,  # of the running mean of the weights
    "chunks": 8,
    "seed": 1,
    "judge": "",  # weights of a judge whose opinion of the nearest turns counts beside the marks
    "trust": 1.0,  # so much
    "questions": 400,  # so many of a step it is asked about
    "read": 20,  # and so many turns of each
    "start": "",  # weights to start from in place of the base
    "student": 0,  # layers of a question encoder
    "below": 0,  # so many of them stay those of the finder
    "report": 1,
}


def losses(
    net: Any, stock: Any, judge: Any, reader: Reader, batch: Batch, knobs: dict[str, Any], draw: Any
) -> dict[str, Any]:
    ones = np.ones(len(batch.asked), bool)
    chunks = knobs["chunks"]
    asked, _ = vectors(net, reader, "asked", batch.asked, batch.asked_row, batch.names, ones, 2)
    lead = batch.lead[batch.turns_row]
    turns, parts = vectors(net, reader, "turn", batch.turns, batch.turns_row, batch.names, lead, chunks, batch.spans)
    marks = reader.there(batch.marks)
    near = asked @ turns.T * knobs["scale"]
    rows, columns = (reader.there(x) for x in np.nonzero(batch.marks == 1))
    answers = near[rows, columns]
    weight = 1.0 / torch.bincount(rows, minlength=len(asked)).clamp(min=1).float()
    with torch.no_grad():
        best = torch.full((len(asked),), -1e4, device=near.device).scatter_reduce(0, rows, answers.detach(), "amax")
        apart = reader.there(batch.asked_row)[:, None] != reader.there(batch.turns_row)[None]
        unmarked = apart & (near > best[:, None] + knobs["margin"] * knobs["scale"])
        out = (marks != 0) | unmarked
    others = near.masked_fill(out, -1e4)
    against = torch.logsumexp(others, 1)
    asking = torch.logsumexp(others, 0)
    found = {"find": (F.softplus(against[rows] - answers) * weight[rows]).sum() / len(asked)}
    found["reverse"] = knobs["reverse"] * (F.softplus(asking[columns] - answers) * weight[rows]).sum() / len(asked)
    spanned = np.flatnonzero(batch.span_asked >= 0)
    if len(spanned) and knobs["span"]:
        of, by = reader.there(spanned), reader.there(batch.span_asked[spanned])
        told = (asked[by] * parts[of]).sum(1) * knobs["scale"]
        found["span"] = knobs["span"] * F.softplus(against[by] - told).mean()
    if judge is not None:
        found["taught"] = knobs["trust"] * lesson(judge, reader, batch, near, marks == 1, knobs)
    if knobs["keep"]:
        found["keep"] = knobs["keep"] * kept(net, stock, reader, batch, knobs["kept"], draw)
    return found


def lesson(judge: Any, reader: Reader, batch: Batch, near: Any, answers: Any, knobs: dict[str, Any]) -> Any:
    """Of the answers and the nearest turns, each is as near beside the others as the judge thinks that it answers."""
    chosen = torch.randperm(len(near), device=near.device)[: knobs["questions"]]
    with torch.no_grad():
        turns = (near[chosen] + 1e3 * answers[chosen]).topk(knobs["read"], 1).indices
        read = Pairs(reader, batch).read(judge, chosen.repeat_interleave(turns.shape[1]), turns.flatten(), 8)
        aim = F.softmax(read.view(turns.shape), 1)
    return F.kl_div(F.log_softmax(near[chosen].gather(1, turns), 1), aim, reduction="batchmean")


def kept(net: Any, stock: Any, reader: Reader, batch: Batch, count: int, draw: Any) -> Any:
    """Bare texts lie to one another as they did."""
    told = []
    for kind, which, row in (("turn", batch.turns, batch.turns_row), ("asked", batch.asked, batch.asked_row)):
        some = draw.choice(len(which), min(count // 2, len(which)), replace=False)
        bare = np.zeros(len(some), bool)
        mine, _ = vectors(net, reader, kind, which[some], row[some], batch.names, bare, 2)
        with torch.no_grad():
            theirs, _ = vectors(stock, reader, kind, which[some], row[some], batch.names, bare, 2)
        told.append((mine, theirs))
    mine, theirs = (torch.cat(some) for some in zip(*told, strict=True))
    return (1 - (mine * theirs).sum(1)).mean() + 5 * F.mse_loss(mine @ mine.T, theirs @ theirs.T)


def student_losses(net: Any, teacher: Any, reader: Reader, batch: Batch) -> dict[str, Any]:
    """The student's questions lie where the teacher's lie, and as near to its turns."""
    ones = np.ones(len(batch.asked), bool)
    mine, _ = vectors(net, reader, "asked", batch.asked, batch.asked_row, batch.names, ones, 2)
    with torch.no_grad():
        theirs, _ = vectors(teacher, reader, "asked", batch.asked, batch.asked_row, batch.names, ones, 2)
        lead = batch.lead[batch.turns_row]
        turns, _ = vectors(teacher, reader, "turn", batch.turns, batch.turns_row, batch.names, lead, 8)
        aim = F.softmax(theirs @ turns.T * 20, 1)
    told = F.log_softmax(mine @ turns.T * 20, 1)
    return {"near": 5 * (1 - (mine * theirs).sum(1)).mean(), "order": F.kl_div(told, aim, reduction="batchmean")}


def drawn_ahead(drawer: Drawer) -> Any:
    """Batches, drawn by a thread beside the device. It ends with the program."""
    waiting: Any = queue.Queue(6)

    def work() -> None:
        while True:
            waiting.put(drawer())

    threading.Thread(target=work, daemon=True).start()
    return waiting


def start_weights(folder: Path, out: Path, name: str) -> dict[str, Any]:
    """What is saved has no word table: it is that of the base."""
    base = base_weights(folder / "base.npz")
    if not name:
        return base
    own = packed_weights(folder, name) or packed_weights(out, name)
    return {key: value for key, value in base.items() if key.endswith("word_embeddings.weight")} | own


def asked_for(usual: dict[str, Any]) -> tuple[Path, Path, dict[str, Any]]:
    """DATA, OUT and the knobs, as they are named on the command line."""
    folder, out, *given = sys.argv[1:]
    Path(out).mkdir(parents=True, exist_ok=True)
    told = dict(one.split("=", 1) for one in given)
    return Path(folder), Path(out), usual | {name: type(usual[name])(value) for name, value in told.items()}


def main() -> None:  # noqa: PLR0915  read top to bottom
    folder, out, knobs = asked_for(KNOBS)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(knobs["seed"])
    torch.backends.cuda.matmul.allow_tf32 = True
    draw = np.random.default_rng(knobs["seed"])
    talks = Talks(folder)
    print(knobs, talks.counts(), len(talks.names), "names", flush=True)
    reader = Reader(talks, device)
    drawer = Drawer(talks, knobs["seed"], knobs["talks"], knobs["asked"], knobs["turns"], knobs["group"])
    start = start_weights(folder, out, knobs["start"])
    stock = Finder(folder / "config.json").to(device).eval()
    stock.begin(start if knobs["student"] else base_weights(folder / "base.npz"))
    net = Finder(folder / "config.json", knobs["student"] or 6, knobs["dropout"]).to(device)
    net.begin(start, knobs["below"])
    net.m.embeddings.word_embeddings.weight.requires_grad = False
    if knobs["report"]:
        report(stock, stock, reader, "start")
    judge = Judge(folder / "config.json").to(device).eval() if knobs["judge"] else None
    if judge is not None:
        judge.begin(start_weights(folder, out, knobs["judge"]))
    average = copy.deepcopy(net).eval()
    learned = [p for p in net.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=knobs["rate"], weight_decay=0.01, fused=device == "cuda")
    waiting = drawn_ahead(drawer)
    began, step, halfway = time.time(), 0, False
    net.train()
    while True:
        gone = max((time.time() - began) / (60 * knobs["minutes"]), step / knobs["steps"])
        if gone >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = knobs["rate"] * min(1, (step + 1) / 100) * max(0.01, 1 - gone)
        batch = waiting.get()
        told = (
            student_losses(net, stock, reader, batch)
            if knobs["student"]
            else losses(net, stock, judge, reader, batch, knobs, draw)
        )
        loss: Any = sum(told.values())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        with torch.no_grad():
            share = max(1 - knobs["mean"], 1 / (step + 1))
            torch._foreach_lerp_(list(average.parameters()), list(net.parameters()), share)
        if step % 100 == 0:
            shown = {name: round(float(value.detach()), 3) for name, value in told.items()}
            print(step, f"{time.time() - began:.0f}s", batch.marks.shape, shown, flush=True)
        step += 1
        if gone >= 0.5 and not halfway:  # should the machine be taken away before the end
            halfway = True
            save(average, out, knobs["name"], frozen=True)
            if knobs["report"] and not knobs["student"]:
                report(average, average, reader, f"halfway, step {step}")
    save(average, out, knobs["name"], frozen=True)
    print("saved", knobs["name"], step, "steps", f"{time.time() - began:.0f}s", flush=True)
    if knobs["report"]:
        report(average, stock if knobs["student"] else average, reader, f"end, step {step}")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
