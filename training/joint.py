"""A judge that reads a statement once, by itself, and asks many questions of what it read.

A statement's word pieces go through the lowest layers alone; what comes out is kept as a few states (`KEPT`), and a
question, or another statement, is read together with these. So a statement that was read when it was told costs a
question little. The net of `net.py`, which reads all pieces of everything anew, is where it begins and its teacher.

`python -m training.joint DATA OUT name=joint minutes=8 shapes=3:3:8`; a shape is own layers of a statement, layers of
all, states kept. Several shapes, by commas, learn from the same batches side by side.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

from training import examples
from training.coding import (
    BEFORE,
    CLOSING,
    IN_LIST,
    OPENING,
    QUESTION,
    STATEMENT,
    UNKNOWN,
    arrays,
    padded,
    part_labels,
    verdict_label,
)
from training.examples import ASKS, VERDICTS
from training.lists import PARTS, Listed
from training.net import head
from training.train import LIKE, Batches, Kept, _apart, _of_parts, _one_over_another, load, save, taught_by

KNOBS: dict[str, Any] = {
    "name": "joint",
    "start": "shipped",  # weights of the net of six layers that it begins with
    "shapes": "3:3:8",
    "below": 2,  # so many of the lowest layers stay as they are, and are the reader's
    "minutes": 8.0,
    "steps": 100_000,
    "rate": 2e-4,
    "batch": 256,
    "lists": 1.0,
    "open": 0.2,
    "passages": 0.05,
    "held": 0.15,
    "stores": 0.35,
    "talks": 0.15,
    "threads": 0.5,
    "streams": 2,
    "dropout": 0.1,
    "smoothing": 0.05,
    "teacher": "shipped",
    "teaches": "config",
    "trust": 1.0,
    "seed": 1,
    "workers": 14,
    "again": 300,
    "parts": "judge,list,asks",
    "layers": 6,
    "config": "config",
}
ALONE = QUESTION + 2
"""States of a question: one for each of its pieces."""
FIRST, LAST = 2, 5
"""The layers of the net it begins with that those which read together begin with."""
ORDERS = 24
QUESTION_KIND, TOLD, NEWER, CONTEXT = range(4)


# the net


class Block(nn.Module):
    """A layer of BERT, with one product for queries, keys and values."""

    def __init__(self, width: int, inner: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, inner), nn.Linear(inner, width)
        self.after, self.last = nn.LayerNorm(width, eps=1e-12), nn.LayerNorm(width, eps=1e-12)

    def forward(self, states: Any, seen: Any) -> Any:
        """`seen`: which states see which; None where each sees all."""
        rows, places, width = states.shape
        drop = self.dropout if self.training else 0.0
        q, k, v = self.qkv(states).view(rows, places, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        if torch.onnx.is_in_onnx_export():
            scores = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(width // self.heads), -1)
            told = scores @ v
        else:
            told = F.scaled_dot_product_attention(q, k, v, attn_mask=seen, dropout_p=drop)
        told = self.out(told.transpose(1, 2).reshape(rows, places, width))
        states = self.after(states + F.dropout(told, drop))
        return self.last(states + F.dropout(self.narrow(F.gelu(self.wide(states))), drop))

    def start_from(self, weights: dict[str, Any], layer: int) -> None:
        def of(name: str) -> Any:
            return weights[f"trunk.encoder.layer.{layer}.{name}"]

        own = ("query", "key", "value")
        found = {f"qkv.{part}": torch.cat([of(f"attention.self.{one}.{part}") for one in own]) for part in PARAMETERS}
        for mine, its in OWN_NAMES.items():
            found |= {f"{mine}.{part}": of(f"{its}.{part}") for part in PARAMETERS}
        self.load_state_dict(found)


PARAMETERS = ("weight", "bias")
OWN_NAMES = {
    "out": "attention.output.dense", "wide": "intermediate.dense", "narrow": "output.dense",
    "after": "attention.output.LayerNorm", "last": "output.LayerNorm",
}  # fmt: skip


class Joint(nn.Module):
    def __init__(self, given: dict[str, Any], alone: int, together: int, kept: int, dropout: float) -> None:
        super().__init__()
        width, self.kept, self.dropout = given["hidden_size"], kept, dropout
        layer = (width, given["intermediate_size"], given["num_attention_heads"], dropout)
        self.words, self.places = nn.Embedding(given["vocab_size"], width), nn.Embedding(512, width)
        self.types, self.norm = nn.Embedding(2, width), nn.LayerNorm(width, eps=1e-12)
        self.alone = nn.ModuleList(Block(*layer) for _ in range(alone))
        self.together = nn.ModuleList(Block(*layer) for _ in range(together))
        self.heads = nn.ModuleDict({
            "part": head(width, len(PARTS), "tanh"), "verdict": head(width, len(VERDICTS), "tanh"),
            "asks": nn.Linear(width, len(ASKS)), "kind": nn.Embedding(4, width), "order": nn.Embedding(ORDERS, width),
        })  # fmt: skip
        for name in ("kind", "order"):
            nn.init.normal_(self.heads[name].weight, std=0.02)

    def start_from(self, weights: dict[str, Any]) -> None:
        for mine, its in (("words", "word"), ("places", "position"), ("types", "token_type")):
            getattr(self, mine).weight.data.copy_(weights[f"trunk.embeddings.{its}_embeddings.weight"])
        for part in PARAMETERS:
            getattr(self.norm, part).data.copy_(weights[f"trunk.embeddings.LayerNorm.{part}"])
        for place, block in enumerate(self.alone):
            block.start_from(weights, place)
        for place, block in enumerate(self.together):
            block.start_from(weights, round(FIRST + place * (LAST - FIRST) / (len(self.together) - 1)))
        for name in ("part", "verdict"):
            self.heads[name].load_state_dict(
                {f"{n}.{part}": weights[f"heads.{name}.{n}.{part}"] for n in (0, 2) for part in PARAMETERS}
            )

    def freeze(self, below: int) -> None:
        for part in (self.words, self.places, self.types, self.norm, *self.alone[:below]):
            part.requires_grad_(False)

    def read(self, ids: Any, whose: Any, places: Any) -> Any:
        """The states of every piece of some texts that stand in one row; each sees its own text. `whose`: the number of
        its text, -1 for padding; `places`: where it stands in its text."""
        states = self.norm(self.words(ids) + self.places(places) + self.types.weight[0])
        seen = (whose[:, :, None] == whose[:, None, :])[:, None]
        for block in self.alone:
            states = block(states, seen)
        return states

    def shortened(self, states: Any, whose: Any, places: Any, lengths: Any) -> tuple[Any, Any, Any]:
        """Of a text of more pieces than are kept, means of neighbours. Gives the states kept of all texts of a row, one
        text behind the other; which of them there are; and, for each piece, the state it went into."""
        kept = self.kept
        own = torch.gather(lengths, 1, whose.clamp(min=0))
        inside = torch.where(own > kept, places * kept // own.clamp(min=1), places)
        slot = torch.where(whose > 0, ALONE + (whose - 1) * kept + inside, places)
        count = ALONE + (lengths.shape[1] - 1) * kept
        slot = torch.where(whose < 0, count, slot)
        rows, _, width = states.shape
        sums = states.new_zeros(rows, count + 1, width).scatter_add(1, slot[..., None].expand(-1, -1, width), states)
        pieces = states.new_zeros(rows, count + 1).scatter_add(1, slot, torch.ones_like(slot, dtype=states.dtype))
        return (sums / pieces.clamp(min=1)[..., None])[:, :count], pieces[:, :count], slot

    def joined(self, states: Any, there: Any, kinds: Any, orders: Any) -> Any:
        """`there`: how many pieces each state stands for."""
        states = states + self.heads["kind"](kinds) + self.heads["order"](orders)
        seen = (there > 0)[:, None, None]
        for block in self.together:
            states = block(states, seen)
        return states

    def asked(self, rows: tuple[Any, ...]) -> tuple[Any, Any, Any, Any, Any]:
        """All states of rows: alone for the first text, kept, how many pieces they stand for, slots of pieces."""
        ids, whose, places, lengths, kinds = rows
        with torch.autocast("cuda", torch.bfloat16, enabled=ids.is_cuda):
            read = self.read(ids, whose, places)
            kept, there, slot = self.shortened(read.float(), whose, places, lengths)
            kind = kinds.repeat_interleave(self.kept, 1)
            kind = torch.cat([kind.new_zeros(len(kind), ALONE), kind], 1)
            order = torch.arange(lengths.shape[1], device=ids.device).repeat_interleave(self.kept)[self.kept :]
            order = torch.cat([order.new_zeros(ALONE), order])[None].expand(len(kind), -1)
            told = self.joined(kept, there, kind, order)
        return read.float(), told.float(), there, slot, whose

    def listed(self, rows: tuple[Any, ...], inner: Any) -> tuple[Any, Any]:
        """`inner`: the number of the stretch that each piece belongs to; -1 for none."""
        _, told, _, slot, whose = self.asked(rows)
        found = []
        for number, shift in ((whose, 1), (inner, 0)):
            most = max(1, int(number.max().item()) + 1 - shift)
            weight = told.new_zeros(len(told), told.shape[1] + 1, most)
            rows_, places = torch.nonzero(number >= shift, as_tuple=True)
            at = (rows_, slot[rows_, places], number[rows_, places] - shift)
            weight.index_put_(at, torch.ones_like(rows_, dtype=told.dtype), accumulate=True)
            weight = weight[:, :-1]
            pooled = torch.einsum("rsk,rsd->rkd", weight, told) / weight.sum(1).clamp(min=1)[..., None]
            found.append(self.heads["part"](torch.cat([told[:, :1].expand(-1, most, -1), pooled], -1)))
        return found[0], found[1]

    def judged(self, rows: tuple[Any, ...]) -> Any:
        _, told, there, _, _ = self.asked(rows)
        weight = there[..., None]
        return self.heads["verdict"](torch.cat([told[:, 0], (told * weight).sum(1) / weight.sum(1)], 1))

    def asking(self, rows: tuple[Any, ...]) -> Any:
        ids, whose, places = rows[:3]
        with torch.autocast("cuda", torch.bfloat16, enabled=ids.is_cuda):
            read = self.read(ids, whose, places)
        weight = (whose == 0).float()[..., None]
        return self.heads["asks"]((read.float() * weight).sum(1) / weight.sum(1))


# as word pieces


def texts(some: list[list[int]]) -> tuple[list[int], list[int], list[int], list[int]]:
    """Ids, whose, places and lengths of texts that stand in one row."""
    ids: list[int] = []
    whose: list[int] = []
    places: list[int] = []
    for number, one in enumerate(some):
        row = [OPENING, *one, CLOSING]
        ids += row
        whose += [number] * len(row)
        places += range(len(row))
    return ids, whose, places, [len(one) + 2 for one in some]


def rowed(some: list[tuple[list[list[int]], list[int]]]) -> tuple[Any, ...]:
    """`some`: the texts of each row, and the kind of each but the first."""
    coded = [texts(one) for one, _ in some]
    return (
        padded([one[0] for one in coded]), padded([one[1] for one in coded], -1), padded([one[2] for one in coded]),
        padded([one[3] for one in coded]), padded([kinds or [TOLD] for _, kinds in some]),
    )  # fmt: skip


class JointBatches(Batches):
    """Every list and pair twice: as it is read here, and as the teacher reads it."""

    def list_texts(self, one: Listed) -> list[list[int]]:
        pieces = self.coder.pieces
        return [pieces(one.question, QUESTION), *(pieces(text, IN_LIST) for text in one.statements)]

    def listed_rows(self, some: list[Listed]) -> tuple[Any, ...]:
        whole = [self.coder.listed(one) for one in some]
        stretched = [self.coder.stretched(one, self.draw) for one in some]
        coded = [self.list_texts(one) for one in some]
        inner = []
        for one, (whose, _) in zip(coded, stretched, strict=True):
            at, row = len(one[0]) + 2, [-1] * (len(one[0]) + 2)
            for text in one[1:]:
                row += [-1, *whose[at : at + len(text)], -1]
                at += len(text) + 1
            inner.append(row)
        labels = padded([part_labels(one) for one in some], UNKNOWN)
        stretches = padded([parts or [UNKNOWN] for _, parts in stretched], UNKNOWN)
        taught = (*arrays([row[:2] for row in whole]), padded([row[2] for row in whole], -1))
        taught += (padded([whose for whose, _ in stretched], -1),)
        return (
            *rowed([(one, [TOLD] * (len(one) - 1)) for one in coded]), padded(inner, -1), labels, stretches, *taught,
        )  # fmt: skip

    def pair_rows(self, some: list[Any]) -> tuple[Any, ...]:
        pieces = self.coder.pieces
        coded = []
        for one in some:
            row = [pieces(one.question, QUESTION), pieces(one.older, STATEMENT), pieces(one.newer, STATEMENT)]
            kinds = [TOLD, NEWER]
            if one.before:
                row.append(pieces(one.before, BEFORE))
                kinds.append(CONTEXT)
            coded.append((row, kinds))
        labels = np.array([verdict_label(one) for one in some])
        return *rowed(coded), labels, *arrays([self.coder.verdict(one) for one in some])

    def asked_rows(self, some: list[Any]) -> tuple[Any, ...]:
        coded = [([self.coder.pieces(one.text, QUESTION)], [TOLD]) for one in some]
        return *rowed(coded), np.array([ASKS.index(one.asks) for one in some])

    def question(self) -> Any:
        found = examples.asking(self.maker, self.all["threads"])
        return found if found is not None and found.asks in ASKS else None

    def __call__(self) -> list[dict[str, Any]]:
        lists = self.some(self.listed, int(self.size * self.knobs["lists"]) * LIKE)
        pairs, asked = self.some(self.verdict, self.size * LIKE), self.some(self.question, self.size // 4 * LIKE)
        made = {
            "list": self.alike(lists, lambda one: sum(map(len, one.statements)), self.listed_rows),
            "judge": self.alike(pairs, lambda one: len(one.older) + len(one.newer) + len(one.before), self.pair_rows),
            "asks": self.alike(asked, lambda one: len(one.text), self.asked_rows),
        }
        return [{part: some[number] for part, some in made.items()} for number in range(LIKE)]


# the loop


def losses(net: Joint, batch: dict[str, Any], taught: dict[str, Any], knobs: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    rows, (inner, labels, stretches) = batch["list"][:5], batch["list"][5:8]
    part, stretch = net.listed(rows, inner)
    found["list"] = 2 * _of_parts(part, labels, knobs["smoothing"])
    found["stretch"] = _of_parts(stretch, stretches, knobs["smoothing"])
    verdict = net.judged(batch["judge"][:5])
    found["judge"] = F.cross_entropy(verdict, batch["judge"][5], label_smoothing=knobs["smoothing"])
    found["asks"] = 0.5 * F.cross_entropy(net.asking(batch["asks"]), batch["asks"][5])
    if taught:
        every = torch.ones(len(verdict), device=verdict.device)
        found["judge as taught"] = knobs["trust"] * _apart(verdict, taught["judge"], every)
        for name, told, right, weight in (("list", part, labels, 2.0), ("stretch", stretch, stretches, 1.0)):
            known = right[:, : told.shape[1]] != UNKNOWN
            found[f"{name} as taught"] = knobs["trust"] * weight * _apart(told, taught[name], known)
    return found


@torch.no_grad()
def lessons(teacher: Any, batch: dict[str, Any]) -> dict[str, Any]:
    ids, types, whose, inside = batch["list"][8:12]
    part, stretch = teacher.listed(ids, types, whose, inside)
    return {"list": part, "stretch": stretch, "judge": teacher.whole("verdict", *batch["judge"][6:8])}


def begun(folder: Path, shape: str, knobs: dict[str, Any], device: str) -> Joint:
    """From weights of its own, where `start` names some of that shape, else from those of the net of six layers."""
    torch.manual_seed(1)
    given = json.loads((folder / "config.json").read_text())
    alone, together, kept = map(int, shape.split(":"))
    net = Joint(given, alone, together, kept, knobs["dropout"])
    weights = _one_over_another(folder, knobs["start"])
    if "alone.0.qkv.weight" in weights:
        told = net.load_state_dict(weights, strict=False)
        assert set(told.missing_keys) <= {"words.weight"}, told
        net.words.weight.data.copy_(weights["trunk.embeddings.word_embeddings.weight"])
    else:
        net.start_from(weights)
    net.freeze(knobs["below"])
    return net.to(device)


def optimizer_of(net: Joint, rate: float) -> Any:
    heads = {id(p) for p in net.heads.parameters()}
    learn = [p for p in net.parameters() if p.requires_grad]
    groups = [{"params": [p for p in learn if id(p) not in heads], "times": 1.0},
              {"params": [p for p in learn if id(p) in heads], "times": 5.0}]  # fmt: skip
    return torch.optim.AdamW(groups, lr=rate, weight_decay=0.01)


NOT_ONE = 0.25
"""Below this score the teacher does not take a line for an answer."""


def stand_near(loaded: dict[str, Any], teacher: Any, folder: Path) -> None:
    """Gives questions of threads lines of others that a search finds for them and that do not answer them."""
    from training.coding import Coder
    from training.replay import parts

    path = folder / "near_raw.json"
    if not path.exists():
        return
    found = [(question, line) for question, some in json.loads(path.read_text()).items() for line in some]
    told = parts(teacher, Coder(folder / "tokenizer.json"), [(question, [line]) for question, line in found], 1024)
    near: dict[str, list[str]] = {}
    for (question, line), scores in zip(found, told, strict=True):
        if scores[0][PARTS.index("none")] > 1 - NOT_ONE:
            near.setdefault(question, []).append(line)
    print("near", len(near), "questions,", sum(map(len, near.values())), "of", len(found), "lines", flush=True)
    for thread in loaded["threads"]:
        for one in thread["questions"]:
            one["near"] = near.get(one["q"], [])


def work(queue: Any, loaded: dict[str, Any], folder: Path, knobs: dict[str, Any], seed: int) -> None:
    torch.set_num_threads(1)
    batches = JointBatches(loaded, folder, knobs, seed)
    while True:
        for batch in batches():
            queue.put({part: tuple(np.asarray(x).astype(np.int32) for x in rows) for part, rows in batch.items()})


def main() -> None:
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    knobs = dict(KNOBS)
    for given in sys.argv[3:]:
        name, value = given.split("=", 1)
        knobs[name] = type(KNOBS[name])(value)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    loaded = load(folder, knobs["streams"])
    teacher = taught_by(folder, loaded, {**knobs, "parts": "judge,list,read"})
    if teacher is not None:
        stand_near(loaded, teacher, folder)
    queue: Any = multiprocessing.Queue(24)
    for number in range(knobs["workers"]):
        given = (queue, loaded, folder, knobs, knobs["seed"] * 1000 + number)
        multiprocessing.Process(target=work, args=given, daemon=True).start()
    kept = Kept(queue, knobs["again"], knobs["seed"])
    shapes = knobs["shapes"].split(",")
    nets = {shape: begun(folder, shape, knobs, device) for shape in shapes}
    torch.manual_seed(knobs["seed"])
    optimizers = {shape: optimizer_of(net, knobs["rate"]) for shape, net in nets.items()}
    began, step = time.time(), 0
    while step < knobs["steps"] and (gone := (time.time() - began) / (60 * knobs["minutes"])) < 1:
        batch = {
            part: tuple(torch.from_numpy(np.asarray(x)).to(device, torch.int64) for x in rows)
            for part, rows in kept.next().items()
        }
        taught = lessons(teacher, batch) if teacher is not None else {}
        for shape, net in nets.items():
            for group in optimizers[shape].param_groups:
                group["lr"] = knobs["rate"] * group["times"] * min(1, (step + 1) / 100) * max(0.01, 1 - gone)
            net.train()
            lost = losses(net, batch, taught, knobs)
            optimizers[shape].zero_grad()
            sum(lost.values()).backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizers[shape].step()
            if step % 200 == 0:
                shown = {name: round(float(value.detach()), 3) for name, value in lost.items()}
                print(shape, step, f"{time.time() - began:.0f}s, {kept.fresh} new", shown, flush=True)
        step += 1
    from training.replay import report

    for shape, net in nets.items():
        net.eval()
        save(net, out, f"{knobs['name']}-{shape.replace(':', '-')}", frozen=True)
    if teacher is not None:
        report("teacher", teacher, folder)
    for shape, net in nets.items():
        report(f"{shape} {step}", net, folder)
    for worker in multiprocessing.active_children():  # they would hold the output open
        worker.kill()
    os._exit(0)


if __name__ == "__main__":
    main()
