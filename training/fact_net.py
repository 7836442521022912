"""Trains what reads facts: two layers that go on from the middle of the shipped reader, and heads over values.

`python -m training.fact_net DATA MODEL_FOLDER OUT epochs=2 rate=0.00025 seed=1`

DATA as for `train`; MODEL_FOLDER holds the shipped `model_int8.onnx`, whose lower layers stay as they are: the states
in their middle are what is learned from, as they will be at run time. So a processor is enough. OUT gets
`facts_int8.onnx` and `facts.npz`. The shipped ones were made by a draft of this module (README.md).
"""

from __future__ import annotations

import json
import math
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

from training import data, examples, facts, restore
from training.coding import UNKNOWN, Coder, padded
from training.data import MOODS

KNOBS: dict[str, Any] = {"epochs": 2.0, "rate": 2.5e-4, "seed": 1, "threads": 14_000, "slots": 4_000, "talk": 800}
BATCH, ALIKE, REPORT = 32, 512, 200
MESSAGES_AGAIN = 2
"""Messages are labelled whole, and shown so often for each turn of a thread."""
LIKELY = 0.15
"""The weight of a word that is probably no value, since nobody has called it one."""
DEPTH = 4
"""So many layers stay as they are."""
MIDDLE = f"/trunk/encoder/layer.{DEPTH - 1}/output/LayerNorm/LayerNormalization_output_0"


class Top(nn.Module):
    def __init__(self, config: Any, relations: int, layers: int = 2) -> None:
        from transformers.models.bert.modeling_bert import BertLayer

        super().__init__()
        width = config.hidden_size
        self.layers = nn.ModuleList([BertLayer(config) for _ in range(layers)])
        self.tag, self.mood = nn.Linear(width, 3), nn.Linear(2 * width, len(MOODS))
        self.relation = nn.Sequential(
            nn.Linear(2 * width, width), nn.GELU(approximate="tanh"), nn.Linear(width, relations)
        )
        self.query = nn.ModuleDict({name: nn.Linear(2 * width, width) for name in ("first", "last")})
        self.key = nn.ModuleDict({name: nn.Linear(width, width) for name in ("first", "last")})

    def states(self, middle: Any, mask: Any = None) -> Any:
        for layer in self.layers:
            told = layer(middle, None if mask is None else mask[:, None, None, :].bool())
            middle = told[0] if isinstance(told, tuple) else told
        return middle

    def of_values(self, states: Any, mask: Any, row: Any, first: Any, last: Any) -> dict[str, Any]:
        """`row`, `first`, `last`: where each value stands."""
        summed = torch.cat([torch.zeros_like(states[:, :1]), states.cumsum(1)], 1)
        mean = (summed[row, last + 1] - summed[row, first]) / (last + 1 - first).unsqueeze(1)
        value = torch.cat([mean, states[row, 0]], 1)
        told = {"mood": self.mood(value), "relation": self.relation(value)}
        for name in ("first", "last"):
            near = torch.einsum("vd,vtd->vt", self.query[name](value), self.key[name](states)[row])
            told[name] = (near / math.sqrt(states.shape[-1])).masked_fill(~mask[row].bool(), -1e4)
        return told


@dataclass
class Seen:
    coded: facts.Coded
    middle: Any


def drawn(folder: Path, knobs: dict[str, Any]) -> tuple[facts.Names, list[facts.Told], list[facts.Told]]:
    """The relations, what is learned from, and what is held out."""
    slots = data.slots(path for path in (folder / "slots").glob("*.jsonl") if path.stem != "es")
    threads, messages = (getattr(data, n)((folder / n).glob("*.jsonl")) for n in ("threads", "messages"))
    held = {name: set(some) for name, some in json.loads((folder / "held.json").read_text()).items()}
    canon, draw = data.canonical(), random.Random(knobs["seed"])
    names = facts.Names(canon, data.relations()[:-1], facts.often_named(messages, threads, canon))
    told = [one for t in threads if t["lines"][0] not in held["threads"] for one in facts.of_thread(t, names, draw)]
    draw.shuffle(told)
    talk = json.loads((folder / "chat.json").read_text())
    maker = examples.Maker([one for one in slots if one["slot"] not in held["slots"]], talk, knobs["seed"])
    learn = told[: knobs["threads"]] + [facts.of_talk(talk["neutral"], draw) for _ in range(knobs["talk"])]
    while len(learn) < knobs["threads"] + knobs["talk"] + knobs["slots"]:
        made = facts.of_slots(maker, canon, names)
        learn += [made] if made is not None else []
    whole = [facts.of_message(one, names) for one in messages if one["text"] not in held["messages"]]
    kept = [facts.of_message(one, names) for one in messages if one["text"] in held["messages"]]
    return names, learn + whole * MESSAGES_AGAIN, kept


def seen(some: Sequence[facts.Told], names: facts.Names, coder: Coder, model: Path) -> list[Seen]:
    """With the states of the shipped model, each run by itself as at run time."""
    import onnxruntime

    from treering.mind.inner_output import with_output

    session = onnxruntime.InferenceSession(with_output(model.read_bytes(), MIDDLE))
    found, known = [], dict[int, Seen]()
    for one in some:
        if id(one) not in known:
            coded = facts.coded(one, coder, MOODS, names)
            if coded is None:
                continue
            ids = np.array([coded.ids])
            given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.array([coded.types])}
            known[id(one)] = Seen(coded, session.run([MIDDLE], given)[0][0].astype(np.float16))
        found.append(known[id(one)])
    return found


def batches(some: list[Seen], draw: random.Random) -> Iterator[list[Seen]]:
    """Rows of like length stand together."""
    draw.shuffle(some)
    groups = []
    for start in range(0, len(some), ALIKE):
        alike = sorted(some[start : start + ALIKE], key=lambda one: len(one.coded.ids))
        groups += [alike[place : place + BATCH] for place in range(0, len(alike), BATCH)]
    draw.shuffle(groups)
    yield from groups


def losses(net: Top, some: list[Seen]) -> dict[str, Any]:
    coded = [one.coded for one in some]
    tags = torch.tensor(padded([one.tags for one in coded], UNKNOWN))
    unsure = torch.tensor(padded([one.unsure for one in coded]))
    mask = torch.tensor(padded([[1] * len(one.ids) for one in coded]))
    middle = torch.zeros((*mask.shape, some[0].middle.shape[-1]))
    for place, one in enumerate(some):
        middle[place, : len(one.middle)] = torch.from_numpy(one.middle.astype(np.float32))
    states = net.states(middle, mask)
    lost = F.cross_entropy(net.tag(states).flatten(0, 1), tags.flatten(), ignore_index=UNKNOWN, reduction="none")
    weight = torch.where(unsure > 0, LIKELY, 1.0) * (tags != UNKNOWN)
    found = {"tag": 2 * (lost.view(tags.shape) * weight).sum() / weight.sum()}
    values = [(row, *value) for row, one in enumerate(coded) for value in one.values]
    if values:
        row, first, last, mood, relation = (torch.tensor(column) for column in zip(*values, strict=True))
        told = net.of_values(states, mask, row, first, last)
        found["mood"] = F.cross_entropy(told["mood"], mood, label_smoothing=0.05)
        if bool((relation != UNKNOWN).any()):
            found["relation"] = F.cross_entropy(told["relation"], relation, ignore_index=UNKNOWN, label_smoothing=0.05)
        for name, share in (("first", 0.7), ("last", 0.5)):
            found[name] = share * _any_of(told[name], [places for one in coded for places in getattr(one, name)])
    return found


def _any_of(told: Any, right: list[list[int]]) -> Any:
    """Wherever a subject is named is right."""
    allowed = torch.full_like(told, -1e4)
    for place, some in enumerate(right):
        allowed[place, list(set(some))] = 0
    return -torch.logsumexp(F.log_softmax(told, 1) + allowed, 1).mean()


def train(net: Top, some: list[Seen], knobs: dict[str, Any]) -> None:
    steps = int(knobs["epochs"] * len(some) / BATCH)
    own = [p for n, p in net.named_parameters() if not n.startswith("layers")]
    slow = [p for n, p in net.named_parameters() if n.startswith("layers")]
    groups = [{"params": slow, "lr": knobs["rate"]}, {"params": own, "lr": 4 * knobs["rate"]}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    rate = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min(1, (s + 1) / 100) * max(0.0, 1 - s / steps))
    draw, done, since = random.Random(knobs["seed"]), 0, time.monotonic()
    net.train()
    while done < steps:
        for group in batches(some, draw):
            if done >= steps:
                break
            lost = losses(net, group)
            optimizer.zero_grad()
            sum(lost.values()).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            rate.step()
            done += 1
            if done % REPORT == 0:
                told = {name: round(float(one.detach()), 3) for name, one in lost.items()}
                print(done, steps, round(time.monotonic() - since), told, flush=True)


def report(net: Top, some: list[Seen]) -> None:
    """Of what was held out: values found, and of the right values mood, relation and subject."""
    net.eval()
    counted = dict.fromkeys(("values", "found", "told", "mood", "relation", "subject"), 0)
    for one in some:
        with torch.no_grad():
            states = net.states(torch.from_numpy(one.middle.astype(np.float32))[None])
            labels = net.tag(states)[0].argmax(-1).tolist()
            mine = _spans(labels, [place for place, tag in enumerate(one.coded.tags) if tag != UNKNOWN])
            right = {(value[0], value[1]) for value in one.coded.values}
            for name, count in (("values", len(right)), ("told", len(mine)), ("found", len(mine & right))):
                counted[name] += count
            if not one.coded.values:
                continue
            first, last, mood, relation = (torch.tensor(c) for c in zip(*one.coded.values, strict=True))
            mask = torch.ones(states.shape[:2])
            told = net.of_values(states, mask, torch.zeros_like(first), first, last)
            counted["mood"] += int((told["mood"].argmax(1) == mood).sum())
            counted["relation"] += int((told["relation"].argmax(1) == relation).sum())
            pointed = told["first"].argmax(1).tolist()
            counted["subject"] += sum(place in right for place, right in zip(pointed, one.coded.first, strict=True))
    count = counted["values"]
    shares = {name: round(counted[name] / count, 3) for name in ("found", "mood", "relation", "subject")}
    print({**shares, "of those told": round(counted["found"] / max(1, counted["told"]), 3), "values": count})


def _spans(labels: list[int], own: list[int]) -> set[tuple[int, int]]:
    found, place = set(), 0
    while place < len(own):
        if labels[own[place]] == 0:
            place += 1
            continue
        end = place + 1
        while end < len(own) and labels[own[end]] == 2:
            end += 1
        found.add((own[place], own[end - 1]))
        place = end
    return found


def export(net: Top, names: facts.Names, out: Path) -> None:
    import tempfile

    from onnxruntime.quantization import QuantType, quantize_dynamic

    class States(nn.Module):
        def forward(self, middle: Any) -> Any:
            return net.states(middle)

    net.eval()
    for layer in net.layers:
        layer.attention.self.config._attn_implementation = "eager"
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "plain.onnx"
        wrapped = States()
        wrapped.net = net
        torch.onnx.export(
            wrapped, (torch.zeros(1, 7, net.tag.in_features),), str(plain), opset_version=17, dynamo=False,
            input_names=["middle"], output_names=["states"],
            dynamic_axes={name: {1: "places"} for name in ("middle", "states")},
        )  # fmt: skip
        quantize_dynamic(plain, out / "facts_int8.onnx", weight_type=QuantType.QInt8, per_channel=True,
                         reduce_range=True, op_types_to_quantize=["MatMul"])  # fmt: skip
    laid = {
        "tag": net.tag, "mood": net.mood, "relation.inner": net.relation[0], "relation.outer": net.relation[2],
        "first_query": net.query["first"], "last_query": net.query["last"],
        "first_key": net.key["first"], "last_key": net.key["last"],
    }  # fmt: skip
    arrays = {
        f"{name}.{part}": getattr(one, part).detach().numpy()
        for name, one in laid.items()
        for part in ("weight", "bias")
    }
    relations, fold = np.unique([facts.folded(name) for name in names.all], return_inverse=True)
    np.savez(out / "facts.npz", **arrays, relations=relations, fold=fold)


def main() -> None:
    from transformers import BertConfig

    folder, model, out = (Path(one) for one in sys.argv[1:4])
    knobs = {**KNOBS, **{k: type(KNOBS[k])(v) for k, v in (one.split("=") for one in sys.argv[4:])}}
    torch.manual_seed(knobs["seed"])
    names, learn, kept = drawn(folder, knobs)
    given = json.loads((folder / "config.json").read_text())
    config = BertConfig(**{k: v for k, v in given.items() if k not in ("architectures", "_name_or_path")})
    config._attn_implementation = "sdpa"
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.1
    net = Top(config, len(names.all))
    weights = restore.weights(model)
    for place, layer in enumerate(net.layers):
        lead = f"trunk.encoder.layer.{DEPTH + place}."
        layer.load_state_dict({
            name.removeprefix(lead): torch.from_numpy(np.array(value, np.float32))
            for name, value in weights.items()
            if name.startswith(lead)
        })  # fmt: skip
    coder = Coder(folder / "tokenizer.json")
    train(net, seen(learn, names, coder, model / "model_int8.onnx"), knobs)
    report(net, seen(kept, names, coder, model / "model_int8.onnx"))
    export(net, names, out)


if __name__ == "__main__":
    main()
