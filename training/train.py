"""Trains one net: `python -m training.train DATA OUT name=reader layers=6 parts=judge,role,read minutes=5 …`.

Read top to bottom: knobs, what goes into a batch, the loop, what is saved. DATA holds the base weights and tokenizer
(`pack_base`), `chat.json` (`chat`), and the folders slots, threads, messages.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from training import data, examples, lists, streams
from training.coding import (
    UNKNOWN,
    UNLABELLED,
    Coder,
    arrays,
    coded_readings,
    padded,
    part_labels,
    role_label,
    verdict_label,
)
from training.threads import store_pair, thread_given, thread_pair, thread_reading, thread_role

KNOBS: dict[str, Any] = {
    "name": "reader",
    "layers": 6,
    "parts": "judge,list,read",
    "minutes": 4.0,  # the rate falls to nothing by then
    "steps": 4000,
    "rate": 6e-5,  # a low rate for a short time carries over to unseen slots better than a high one for long
    "batch": 192,
    "lists": 0.5,  # so many lists for each pair
    "open": 0.0,  # share of lists without labels, for a net that is taught
    "passages": 0.12,  # share of lists out of passages
    "held": 0.15,  # share of lists that ask whether a fact of a stream still holds
    "stores": 0.25,  # share of lists out of all that one user has told, and half as many pairs
    "talks": 0.0,  # share of lists out of long conversations, where several turns may answer together
    "dropout": 0.1,
    "smoothing": 0.05,
    "threads": 0.5,  # share of examples out of threads
    "streams": 2,  # so often each stream stands beside the threads
    "seed": 1,
    "workers": 12,
    "start": "",  # weights to start from instead of the base; of several, later ones over earlier ones
    "report": 1,  # whether what was held out is asked at the end
    "every": 1500,  # and in between, lists only, after so many steps
    "frozen": 0,  # 1: the word vectors stay as they are, and are not saved
    "below": 0,  # so many layers stay as they are, with all that is below them
    "config": "config",  # `large`: the net to learn from
    "teacher": "",  # weights of a net, trained before, whose opinion counts beside the labels; as in `start`
    "teaches": "large",  # its configuration; `config`: one of six layers like the one that is shipped
    "trust": 0.6,  # so much
    "again": 300,  # so many batches are kept, to be shown again while a new one is made
}
FEWEST = 40
"""So many batches are new before one is shown again."""
AS_MANY = 4
"""A set of stories has as many questions as so many stores, and is drawn as often."""
DEEP = 6
"""Layers of the net that is shipped."""
LIKE = 6
"""So many batches are made at once."""
WORDS = (
    "trunk.embeddings.word_embeddings.weight", "trunk.words.weight", "m.embeddings.word_embeddings.weight",
    "words.weight",
)  # fmt: skip
"""The word vectors of the small net, of the large one, of the finders and of the joint judge."""


def held_out(some: list[Any], held: list[str], key: Callable[[Any], str]) -> tuple[list[Any], list[Any]]:
    """What `data/held.json` names is never trained on, whatever is added later."""
    names = set(held)
    return [one for one in some if key(one) not in names], [one for one in some if key(one) in names]


def load(folder: Path, streams_again: int = 0) -> dict[str, Any]:
    slots = data.english_slots(folder)
    threads = data.threads((folder / "threads").glob("*.jsonl"))
    messages = data.messages((folder / "messages").glob("*.jsonl"))
    held = json.loads((folder / "held.json").read_text())
    learn_slots, held_slots = held_out(slots, held["slots"], lambda one: one["slot"])
    learn_threads, held_threads = held_out(threads, held["threads"], lambda one: one["lines"][0])
    told = streams.all_of(folder)
    learn_threads += told * streams_again
    near = folder / "near.json"
    found = json.loads(near.read_text()) if near.exists() else {}
    for thread in learn_threads:
        for one in thread["questions"]:
            one["near"] = found.get(one["q"], [])
    learn_messages, held_messages = held_out(messages, held["messages"], lambda one: one["text"])
    return {
        "slots": learn_slots, "threads": learn_threads, "messages": learn_messages,
        "held": {"slots": held_slots, "threads": held_threads, "messages": held_messages},
        "streams": [one for one in told if one["whole"]],
        "stores": stores_in(folder),
        "talks": data.talks([*(folder / "talks").glob("*.jsonl"), *(folder / "courses").glob("*.jsonl")]),
        "talk": json.loads((folder / "chat.json").read_text()),
        "passages": json.loads((folder / "passages.json").read_text()),
        "relations": {name: place for place, name in enumerate(data.relations())},
        "slot_ids": {slot["slot"]: place for place, slot in enumerate(slots)},
    }  # fmt: skip


def stores_in(folder: Path) -> list[Any]:
    """With what a finder finds for each question, where `found.json` tells (`training/found.py`)."""
    path = folder / "found.json"
    found = json.loads(path.read_text()) if path.exists() else {}
    some = data.stores((folder / "stores").glob("*.jsonl"))
    for name in ("life", "work"):
        some += data.lived(sorted((folder / "asked").glob(f"*/{name}.jsonl"))) * AS_MANY
    for store in some:
        for one in store["questions"]:
            one["found"] = found.get(f"{store['lines'][0]}|{one['q']}", [])
    return some


class Batches:
    """What is drawn for one step, as arrays."""

    def __init__(self, loaded: dict[str, Any], folder: Path, knobs: dict[str, Any], seed: int) -> None:
        self.all, self.knobs = loaded, knobs
        self.maker = examples.Maker(loaded["slots"], loaded["talk"], seed)
        self.draw, self.canon = self.maker.random, data.canonical()
        self.open = lists.Open(loaded["threads"], loaded["talk"])
        self.coder = Coder(folder / "tokenizer.json")
        self.size, self.parts = knobs["batch"], set(knobs["parts"].split(","))

    def some(self, make: Callable[[], Any], count: int) -> list[Any]:
        found: list[Any] = []
        while len(found) < count:
            one = make()
            if one is not None:
                found.append(one)
        return found

    def verdict(self) -> Any:
        if self.all["stores"] and self.draw.random() < self.knobs["stores"] / 2:
            return store_pair(self.all["stores"], self.draw)
        if self.draw.random() < self.knobs["threads"]:
            make = thread_pair if self.draw.random() < 0.5 else thread_given
            return make(self.all["threads"], self.draw)
        return self.maker.pair()

    def role(self) -> Any:
        if self.draw.random() < self.knobs["threads"]:
            return thread_role(self.all["threads"], self.draw)
        return self.maker.role()

    def listed(self) -> Any:
        if self.draw.random() < self.knobs["open"]:
            return self.open(self.maker)
        if self.all["talks"] and self.draw.random() < self.knobs["talks"]:
            return lists.talk_list(self.all["talks"], self.maker)
        if self.all["stores"] and self.draw.random() < self.knobs["stores"]:
            return lists.store_list(self.all["stores"], self.maker)
        if self.all["streams"] and self.draw.random() < self.knobs["held"]:
            return lists.fact_list(self.all["streams"], self.maker)
        if self.draw.random() < self.knobs["passages"]:
            return lists.passage_list(self.all["passages"], self.maker)
        if self.draw.random() < 0.7:
            return lists.thread_list(self.all["threads"], self.maker)
        return lists.slot_list(self.maker)

    def reading(self) -> Any:
        sort = self.draw.random()
        if sort < 0.4 and self.all["messages"]:
            return examples.message_reading(self.draw.choice(self.all["messages"]), self.canon)
        if sort < 0.5:
            return thread_reading(self.all["threads"], self.canon, self.draw)
        if sort < 0.62:
            return examples.asking(self.maker, self.all["threads"])
        return examples.slot_reading(self.maker, self.canon)

    def slot_group(self) -> list[Any]:
        """Statements and questions of a few slots, several of each."""
        found: list[Any] = []
        while len(found) < self.size // 2:
            slot = self.draw.choice(self.maker.slots)
            for _ in range(4):
                who, some = self.maker.who(slot), (*self.maker.values(slot, 2), "x")[:2]
                if self.draw.random() < 0.4:
                    text = self.maker.ask(slot, who, some[0])
                else:
                    said = self.maker.say(slot, self.draw.choice(("state", "change", "swap", "end")), who, *some)
                    text = self.maker.in_company(said.text, 0.15) if said else ""
                if text:
                    found.append(examples.Reading("", "User", text, [], slot=slot["slot"], cut=False))
        return found

    def __call__(self) -> list[dict[str, Any]]:
        """A few batches at once: in each part, rows of like length stand together, so that little is padding."""
        made: dict[str, list[tuple[Any, ...]]] = {}
        if "judge" in self.parts:
            told = [(self.coder.verdict(one), verdict_label(one)) for one in self.some(self.verdict, self.size * LIKE)]
            made["judge"] = self.alike(told, lambda one: len(one[0][0]), _labelled)
        if "role" in self.parts:
            told = [(self.coder.role(one), role_label(one)) for one in self.some(self.role, self.size * LIKE)]
            made["role"] = self.alike(told, lambda one: len(one[0][0]), _labelled)
        if "list" in self.parts:
            found = self.some(self.listed, int(self.size * self.knobs["lists"]) * LIKE)
            rows = [(self.coder.listed(one), part_labels(one), self.coder.stretched(one, self.draw)) for one in found]
            made["list"] = self.alike(rows, lambda one: len(one[0][0]), _lists)
        if "read" in self.parts:
            some = self.some(self.reading, self.size * 2 // 3 * LIKE)
            made["read"] = self.alike(
                some, lambda one: len(one.text), lambda some: coded_readings(self.coder, some, self.all["relations"])
            )
            made["slot"] = [self.slots_told() for _ in range(LIKE)]
        return [{part: some[number] for part, some in made.items()} for number in range(LIKE)]

    def alike(self, some: list[Any], length: Callable[[Any], int], code: Callable[[Any], Any]) -> list[tuple[Any, ...]]:
        some = sorted(some, key=length)
        each = len(some) // LIKE
        groups = [code(some[start : start + each]) for start in range(0, each * LIKE, each)]
        self.draw.shuffle(groups)
        return groups

    def slots_told(self) -> tuple[Any, ...]:
        group = self.slot_group()
        coded = [self.coder.reading(one, {}) for one in group]
        ids = np.array([self.all["slot_ids"][one.slot] for one in group])
        return *arrays([(one.ids, one.types) for one in coded]), ids


def _labelled(some: list[Any]) -> tuple[Any, ...]:
    return *arrays([row for row, _ in some]), np.array([label for _, label in some])


def _lists(some: list[Any]) -> tuple[Any, ...]:
    rows = arrays([row[:2] for row, _, _ in some])
    whole = padded([row[2] for row, _, _ in some], -1), padded([labels for _, labels, _ in some], UNKNOWN)
    inner = padded([one[0] for _, _, one in some], -1), padded([one[1] or [UNKNOWN] for _, _, one in some], UNKNOWN)
    return *rows, *whole, *inner


def _work(queue: Any, loaded: dict[str, Any], folder: Path, knobs: dict[str, Any], seed: int) -> None:
    batches = Batches(loaded, folder, knobs, seed)
    while True:
        for batch in batches():
            queue.put({part: tuple(np.asarray(x).astype(np.int32) for x in rows) for part, rows in batch.items()})


class Kept:
    """Batches are made more slowly than they are used: one that was there before fills the wait."""

    def __init__(self, queue: Any, most: int, seed: int) -> None:
        self._queue, self._most, self._draw = queue, most, random.Random(seed)
        self._batches: list[dict[str, Any]] = []
        self.fresh = 0

    def next(self) -> dict[str, Any]:
        if len(self._batches) < min(FEWEST, self._most) or not self._queue.empty():
            batch = self._queue.get()
            self.fresh += 1
            if len(self._batches) < self._most:
                self._batches.append(batch)
            elif self._most:
                self._batches[self._draw.randrange(self._most)] = batch
            return batch
        return self._draw.choice(self._batches)


def _of_parts(told: Any, labels: Any, smoothing: float) -> Any:
    import torch.nn.functional as F  # noqa: N812

    right = labels[:, : told.shape[1]]
    right = right.masked_fill(right == UNLABELLED, UNKNOWN)
    lost = F.cross_entropy(
        told.flatten(0, 1), right.flatten(), ignore_index=UNKNOWN, label_smoothing=smoothing, reduction="sum"
    )
    return lost / (right != UNKNOWN).sum().clamp(min=1)


def told_of(net: Any, batch: dict[str, Any]) -> dict[str, Any]:
    """All that a net says of a batch."""
    import torch

    found: dict[str, Any] = {}
    for part, head in (("judge", "verdict"), ("role", "role")):
        if part in batch:
            found[part] = net.whole(head, *batch[part][:2])
    if "list" in batch:
        ids, types, whose, _, inside, _ = batch["list"]
        found["list"], found["stretch"] = net.listed(ids, types, whose, inside)
    if "read" in batch:
        ids, types, _, _, _, whose, _, _ = batch["read"]
        found["read"] = net.read(ids, types, whose)
    if "slot" in batch:
        ids, types, _ = batch["slot"]
        found["slot"] = net.read(ids, types, torch.full_like(ids, -1))["slot"]
    return found


def losses(told: dict[str, Any], batch: dict[str, Any], smoothing: float) -> dict[str, Any]:
    """How far it is from what the authors have said."""
    import torch
    import torch.nn.functional as F  # noqa: N812

    found: dict[str, Any] = {}
    for part in ("judge", "role"):
        if part in batch:
            found[part] = F.cross_entropy(told[part], batch[part][2], label_smoothing=smoothing)
    if "list" in batch:
        _, _, _, labels, _, inner = batch["list"]
        found["list"] = 2 * _of_parts(told["list"], labels, smoothing)
        found["stretch"] = _of_parts(told["stretch"], inner, smoothing)
    if "read" in batch:
        found |= _read_losses(told["read"], batch["read"])
    if "slot" in batch:
        vectors, slots = told["slot"], batch["slot"][2]
        own = torch.eye(len(slots), device=slots.device, dtype=torch.bool)
        near = (vectors @ vectors.T * 20).masked_fill(own, -1e4)
        same = (slots[:, None] == slots[None]) & ~own
        apart = -(torch.log_softmax(near, 1) * same).sum(1) / same.sum(1).clamp(min=1)
        found["slot"] = 0.5 * apart[same.any(1)].mean()
    return found


def _read_losses(told: dict[str, Any], rows: tuple[Any, ...]) -> dict[str, Any]:
    import torch.nn.functional as F  # noqa: N812

    found: dict[str, Any] = {}
    _, _, cuts, tags, names, _, pieces, asks = rows
    for name, labels, weight in (("cut", cuts, 1.0), ("tag", tags, 2.0), ("name", names, 1.0)):
        if (labels != UNKNOWN).any():
            found[name] = weight * F.cross_entropy(told[name].flatten(0, 1), labels.flatten(), ignore_index=UNKNOWN)
    for place, name in enumerate(("mood", "relation", "kind", "lasts", "importance", "worth")):
        labels = pieces[:, : told[name].shape[1], place] if name in told else None
        if labels is None or not (labels != UNKNOWN).any():
            continue
        if name == "importance":
            ok = labels != UNKNOWN
            found[name] = 4.0 * F.mse_loss(told[name][..., 0][ok], labels[ok].float() / 100)
        else:
            weight = 0.5 if name in ("kind", "lasts", "worth") else 1.0
            found[name] = weight * F.cross_entropy(told[name].flatten(0, 1), labels.flatten(), ignore_index=UNKNOWN)
    if (asks != UNKNOWN).any():
        found["asks"] = 0.5 * F.cross_entropy(told["asks"], asks, ignore_index=UNKNOWN)
    return found


def lessons(told: dict[str, Any], taught: dict[str, Any], batch: dict[str, Any]) -> dict[str, Any]:
    """How far it is from what a larger net says of the same pairs and lists."""
    import torch

    _, _, _, labels, _, inner = batch["list"]
    found: dict[str, Any] = {}
    if "judge" in taught:
        every = torch.ones(len(told["judge"]), device=told["judge"].device)
        found["judge as taught"] = _apart(told["judge"], taught["judge"], every)
    for name, right, weight in (("list", labels, 2.0), ("stretch", inner, 1.0)):
        known = right[:, : told[name].shape[1]] != UNKNOWN
        found[f"{name} as taught"] = weight * _apart(told[name], taught[name], known)
    return found


def _apart(told: Any, taught: Any, known: Any) -> Any:
    import torch.nn.functional as F  # noqa: N812

    apart = F.kl_div(F.log_softmax(told, -1), F.log_softmax(taught, -1), log_target=True, reduction="none").sum(-1)
    return (apart * known).sum() / known.sum().clamp(min=1)


def main() -> None:
    import torch

    from training.evaluate import Asking, report, report_lists

    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    knobs = dict(KNOBS)
    for given in sys.argv[3:]:
        name, value = given.split("=", 1)
        knobs[name] = type(KNOBS[name])(value)
    loaded = load(folder, knobs["streams"])
    print(knobs["name"], {k: len(loaded[k]) for k in ("slots", "threads", "messages")}, flush=True)
    kept = Kept(_workers(loaded, folder, knobs), knobs["again"], knobs["seed"])
    net, teacher = begun(folder, loaded, knobs), taught_by(folder, loaded, knobs)
    device = next(net.parameters()).device
    optimizer = _optimizer(net, knobs["rate"])
    began, step, halfway = time.time(), 0, False
    while step < knobs["steps"]:
        gone = max((time.time() - began) / (60 * knobs["minutes"]), step / knobs["steps"])
        if gone >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = knobs["rate"] * group["times"] * min(1, (step + 1) / 100) * max(0.01, 1 - gone)
        batch = {
            part: tuple(torch.from_numpy(np.asarray(x)).to(device, torch.int64) for x in rows)
            for part, rows in kept.next().items()
        }
        net.train()
        told = told_of(net, batch)
        lost = losses(told, batch, knobs["smoothing"])
        if teacher is not None:
            with torch.no_grad():
                taught = told_of(teacher, {part: batch[part] for part in ("judge", "list") if part in batch})
            lost |= {name: knobs["trust"] * value for name, value in lessons(told, taught, batch).items()}
        optimizer.zero_grad()
        sum(lost.values()).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        if step % 250 == 0:
            shown = {name: round(float(value.detach()), 3) for name, value in lost.items()}
            print(knobs["name"], step, f"{time.time() - began:.0f}s, {kept.fresh} new", shown, flush=True)
        step += 1
        if "list" in net.parts and step % knobs["every"] == 0:
            net.eval()
            report_lists(Asking(net, Coder(folder / "tokenizer.json")), loaded, folder, f"{knobs['name']} {step}")
        if gone >= 0.7 and not halfway:  # should the machine be taken away before the end
            halfway = True
            save(net, out, knobs["name"], bool(knobs["frozen"]))
    net.eval()
    save(net, out, knobs["name"], bool(knobs["frozen"]))
    if knobs["report"]:
        report(net, loaded, folder, knobs["name"], step)
    for worker in multiprocessing.active_children():  # they would hold the output open
        worker.kill()
    os._exit(0)


def _workers(loaded: dict[str, Any], folder: Path, knobs: dict[str, Any]) -> Any:
    queue: Any = multiprocessing.Queue(24)
    for number in range(knobs["workers"]):
        seed = knobs["seed"] * 1000 + number
        multiprocessing.Process(target=_work, args=(queue, loaded, folder, knobs, seed), daemon=True).start()
    return queue


def begun(folder: Path, loaded: dict[str, Any], knobs: dict[str, Any]) -> Any:
    import torch

    from training.net import begun_from

    net = _net(folder, knobs["config"], loaded, knobs)
    base = "base" if knobs["config"] == "config" else knobs["config"]
    if (folder / f"{base}_0.npz").exists() or (folder / f"{base}.npz").exists():
        net.start_from(folder / f"{base}.npz")
    if knobs["start"]:
        weights = begun_from(_one_over_another(folder, knobs["start"]), knobs["layers"], knobs["below"])
        told = net.load_state_dict(weights, strict=False)
        print("begins with", knobs["start"], "but for", {name.split(".")[1] for name in told.missing_keys}, flush=True)
    net.words.requires_grad = not knobs["frozen"]
    if knobs["below"]:
        net.trunk.embeddings.requires_grad_(False)
        net.trunk.encoder.layer[: knobs["below"]].requires_grad_(False)
    torch.manual_seed(knobs["seed"])
    return net


def taught_by(folder: Path, loaded: dict[str, Any], knobs: dict[str, Any]) -> Any:
    """The net that gives its opinion, if there is one. The word vectors of a large one are those it began with."""
    if not knobs["teacher"]:
        return None
    large = knobs["teaches"] == "large"
    net = _net(folder, knobs["teaches"], loaded, knobs if large else {**knobs, "layers": DEEP})
    if large:
        net.start_from(folder / "large.npz")
    told = net.load_state_dict(_one_over_another(folder, knobs["teacher"]), strict=False)
    assert set(told.missing_keys) <= {"trunk.words.weight"}, told
    net.eval()
    return net


def _one_over_another(folder: Path, names: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in names.split(","):
        found |= packed_weights(folder, name)
    return found


def _net(folder: Path, config: str, loaded: dict[str, Any], knobs: dict[str, Any]) -> Any:
    import torch

    from training.net import Net

    torch.manual_seed(1)  # the heads begin alike in every training, so that weights can be averaged
    parts = frozenset(knobs["parts"].split(","))
    net = Net(folder / f"{config}.json", knobs["layers"], len(loaded["relations"]), parts, knobs["dropout"])
    return net.to("cuda" if torch.cuda.is_available() else "cpu")


def _optimizer(net: Any, rate: float) -> Any:
    import torch

    heads = {id(p) for p in net.heads.parameters()}
    groups = [{"params": [p for p in net.parameters() if id(p) not in heads], "times": 1.0},
              {"params": [p for p in net.parameters() if id(p) in heads], "times": 5.0}]  # fmt: skip
    return torch.optim.AdamW(groups, lr=rate, weight_decay=0.01)


def packed_weights(folder: Path, name: str) -> dict[str, Any]:
    """As `save` has written them."""
    import torch

    found: dict[str, Any] = {}
    for path in sorted(folder.glob(f"{name}_*.npz")):
        packed = np.load(path)
        for key in packed.files:
            if not key.endswith("|scale"):
                value = packed[key].astype(np.float32)
                scale = packed[key + "|scale"] if key + "|scale" in packed.files else 1.0
                found[key] = torch.from_numpy(value * scale)
    return found


def save(net: Any, out: Path, name: str, frozen: bool = False) -> None:
    """Word vectors in eight bits by row, the rest in sixteen, in files small enough to travel. `frozen`: without the
    word vectors."""
    packed: dict[str, Any] = {}
    for key, value in net.state_dict().items():
        if frozen and key in WORDS:
            continue
        array = value.cpu().float().numpy()
        if key in WORDS:
            scale = np.abs(array).max(1, keepdims=True) / 127 + 1e-12
            packed[key], packed[key + "|scale"] = np.round(array / scale).astype(np.int8), scale.astype(np.float32)
        elif "position_ids" not in key:
            packed[key] = array.astype(np.float16 if array.ndim == 2 else np.float32)
    files: list[dict[str, Any]] = [{}]
    for key, array in packed.items():
        if sum(x.nbytes for x in files[-1].values()) + array.nbytes > 14_500_000:
            files.append({})
        files[-1][key] = array
    for place, some in enumerate(files):
        np.savez(out / f"{name}_{place}.npz", **some)


if __name__ == "__main__":
    main()
