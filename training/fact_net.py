"""Trains what reads facts: layers of its own that go on from within the reader, and heads over values.

`python -m training.fact_net DATA OUT start=shipped,listed minutes=4`

DATA as for `train`. `start` names the weights of the reader, later ones over earlier ones (`listed` was saved without
word vectors); `go_on` those of an earlier training of this. The reader's lower layers stay as they are, since they are
run once for all that is read of a turn. `large=1` trains the larger net in its place, whose opinion counts beside the
labels, and of what nobody has labelled, where `teacher` names its weights. `share`: so much of all but the slots is
shown, for a short training on a few processor cores. OUT gets the weights; with
`export=MODEL_FOLDER` it asks what was held out with the shipped int8 layers below, and writes `facts_int8.onnx` and
`facts.npz`.
"""

from __future__ import annotations

import json
import math
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

from training import data, examples, facts, labels, streams
from training.coding import UNKNOWN, Coder, padded
from training.data import MOODS
from training.large import Large
from training.net import small
from training.train import packed_weights, save

KNOBS: dict[str, Any] = {
    "name": "facts", "start": "shipped", "minutes": 4.0, "epochs": 4.0, "rate": 2.0e-4, "seed": 1, "batch": 64,
    "threads": 16_000, "slots": 4_000, "plain": 20_000, "talk": 800, "export": "", "go_on": "",
    "large": 0, "teacher": "", "trust": 1.0, "turns": 0, "share": 1.0,
}  # fmt: skip
ALIKE, REPORT = 16, 200
"""So many batches are made of like lengths at once; after so many steps it says how it goes."""
PLAIN = "plain"
"""So begin the names of slots that tell facts straight out."""
LABELLED_AGAIN, STREAMS_AGAIN = 2, 1
"""Texts with labels for a graph, and turns of streams, are shown so often for each other turn."""
LIKELY = 0.15
"""The weight of a word that is probably no value, since nobody has called it one."""
DEPTH = 2
"""So many layers stay as they are."""
MIDDLE = f"/trunk/encoder/layer.{DEPTH - 1}/output/LayerNorm/LayerNormalization_output_0"


class Below(nn.Module):
    """The reader up to where facts go their own way. It is not trained."""

    def __init__(self, trunk: Any) -> None:
        super().__init__()
        self.embeddings, self.layers = trunk.embeddings, trunk.encoder.layer[:DEPTH]
        self.requires_grad_(False)

    def forward(self, ids: Any, types: Any, mask: Any) -> Any:
        states = self.embeddings(input_ids=ids, token_type_ids=types)
        return through(self.layers, states, mask)


def through(layers: Any, states: Any, mask: Any) -> Any:
    for layer in layers:
        told = layer(states, None if mask is None else mask[:, None, None, :].bool())
        states = told[0] if isinstance(told, tuple) else told
    return states


class Beginning(nn.Module):
    """Of the larger net nothing stays as it is."""

    def forward(self, ids: Any, types: Any, mask: Any) -> Any:
        return ids, types


class Heads(nn.Module):
    def __init__(self, width: int, relations: int) -> None:
        super().__init__()
        self.tag, self.mood = nn.Linear(width, 3), nn.Linear(2 * width, len(MOODS))
        self.relation = nn.Sequential(
            nn.Linear(2 * width, width), nn.GELU(approximate="tanh"), nn.Linear(width, relations)
        )
        self.query = nn.ModuleDict({name: nn.Linear(2 * width, width) for name in ("first", "last")})
        self.key = nn.ModuleDict({name: nn.Linear(width, width) for name in ("first", "last")})

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


class Top(Heads):
    """`layers`: those of the reader above where it goes its own way, to begin with."""

    def __init__(self, layers: Any, width: int, relations: int) -> None:
        super().__init__(width, relations)
        self.layers = layers

    def states(self, middle: Any, mask: Any = None) -> Any:
        return through(self.layers, middle, mask)


class Larger(Heads):
    def __init__(self, folder: Path, relations: int) -> None:
        given = json.loads((folder / "large.json").read_text())
        super().__init__(given["hidden_size"], relations)
        self.layers = Large(given, 0.1)
        self.layers.start_from(folder / "large.npz")
        self.layers.words.requires_grad_(False)

    def states(self, middle: Any, mask: Any = None) -> Any:
        ids, types = middle
        return self.layers(ids, torch.ones_like(ids) if mask is None else mask, types)[0]


def drawn(
    folder: Path, knobs: dict[str, Any], known: Sequence[str] = ()
) -> tuple[facts.Names, list[facts.Told], list[facts.Told]]:
    """The relations, what is learned from, and what is held out. `known`: the relations of an earlier training."""
    slots = data.english_slots(folder)
    threads = data.threads((folder / "threads").glob("*.jsonl"))
    messages = list(labels.labelled(folder, data.messages((folder / "messages").glob("*.jsonl"))))
    held = {name: set(some) for name, some in json.loads((folder / "held.json").read_text()).items()}
    canon, draw = data.canonical(), random.Random(knobs["seed"])
    told_over_months = streams.all_of(folder)
    often = facts.often_named(messages, threads + told_over_months, canon)
    names = facts.Names(canon, known[:-1]) if known else facts.Names(canon, data.relations()[:-1], often)
    told = [one for t in threads if t["lines"][0] not in held["threads"] for one in facts.of_thread(t, names, draw)]
    draw.shuffle(told)
    talk = json.loads((folder / "chat.json").read_text())
    learn = [facts.of_talk(talk["neutral"], draw) for _ in range(knobs["talk"])]
    free = [one for one in slots if one["slot"] not in held["slots"]]
    named_so = labels.names_by_relation(messages, canon)
    for sort in ("slots", "plain"):
        some = [one for one in free if one["slot"].startswith(PLAIN) == (sort == "plain")]
        some = [labels.with_more_names(one, named_so) if sort == "plain" else one for one in some]
        maker, most = examples.Maker(some, talk, knobs["seed"]), len(learn) + knobs[sort]
        while len(learn) < most:
            made = facts.of_slots(maker, canon, names)
            learn += [made] if made is not None else []
    rest = told[: knobs["threads"]]
    rest += [one for stream in told_over_months for one in streams.of_stream(stream, names, draw)] * STREAMS_AGAIN
    rest += [facts.of_asked(one, names) for one in data.lines((folder / "asked").glob("*/messages.jsonl"))]
    mutual = data.mutual()
    marked = [(one, labels.of_labels(one, names, mutual)) for one in messages if "facts" in one]
    kept = [told for one, told in marked if one["text"] in held["messages"]]
    rest += [told for one, told in marked if one["text"] not in held["messages"]] * LABELLED_AGAIN
    learn += draw.sample(rest, round(knobs["share"] * len(rest)))
    turns = json.loads((folder / "turns.json").read_text()) if knobs["turns"] else []
    learn += [facts.Told(one["before"], one["speaker"], one["text"], [], False) for one in turns[: knobs["turns"]]]
    return names, learn, kept


def batches(some: list[facts.Coded], size: int, draw: random.Random) -> Iterator[list[facts.Coded]]:
    """Rows of like length stand together."""
    draw.shuffle(some)
    groups = []
    for start in range(0, len(some), size * ALIKE):
        alike = sorted(some[start : start + size * ALIKE], key=lambda one: len(one.ids))
        groups += [alike[place : place + size] for place in range(0, len(alike), size)]
    draw.shuffle(groups)
    yield from groups


def losses(net: Any, below: Any, some: list[facts.Coded], teacher: Any = None, trust: float = 0.0) -> dict[str, Any]:
    device = next(net.parameters()).device

    def laid(rows: list[Any], fill: int = 0) -> Any:
        return torch.tensor(padded(rows, fill)).to(device)

    tags, unsure = laid([one.tags for one in some], UNKNOWN), laid([one.unsure for one in some])
    ids, types = laid([one.ids for one in some]), laid([one.types for one in some])
    mask = laid([[1] * len(one.ids) for one in some])

    def states_of(one: Any, beneath: Any) -> Any:
        with torch.autocast("cuda", torch.bfloat16, enabled=mask.is_cuda):
            with torch.no_grad():
                middle = beneath(ids, types, mask)
            return one.states(middle, mask).float()

    states = states_of(net, below)
    seen = net.tag(states)
    lost = F.cross_entropy(seen.flatten(0, 1), tags.flatten(), ignore_index=UNKNOWN, reduction="none")
    weight = torch.where(unsure > 0, 0.0 if teacher else LIKELY, 1.0) * (tags != UNKNOWN)
    found = {"tag": 2 * (lost.view(tags.shape) * weight).sum() / weight.sum().clamp(min=1)}
    values = [(row, *value) for row, one in enumerate(some) for value in one.values]
    if values:
        row, first, last, mood, relation = (torch.tensor(column).to(device) for column in zip(*values, strict=True))
        told = net.of_values(states, mask, row, first, last)
        found["mood"] = F.cross_entropy(told["mood"], mood, label_smoothing=0.05)
        if bool((relation != UNKNOWN).any()):
            found["relation"] = F.cross_entropy(told["relation"], relation, ignore_index=UNKNOWN, label_smoothing=0.05)
        for name, share in (("first", 0.7), ("last", 0.5)):
            found[name] = share * _any_of(told[name], [places for one in some for places in getattr(one, name)])
    if teacher is not None:
        with torch.no_grad():
            its = states_of(teacher, Beginning())
            opinion = teacher.tag(its)
        own = tags != UNKNOWN
        found["taught tag"] = 2 * trust * _far(seen[own], opinion[own])
        stand = _stand_out(opinion, some)
        if stand:
            where = [torch.tensor(column).to(device) for column in zip(*stand, strict=True)]
            mine = net.of_values(states, mask, *where)
            with torch.no_grad():
                theirs = teacher.of_values(its, mask, *where)
            for name, share in (("mood", 1.0), ("relation", 1.0), ("first", 0.7), ("last", 0.5)):
                found[f"taught {name}"] = share * trust * _far(mine[name], theirs[name])
    return found


def _far(mine: Any, theirs: Any) -> Any:
    return F.kl_div(F.log_softmax(mine, -1), F.log_softmax(theirs, -1), reduction="batchmean", log_target=True)


def _stand_out(opinion: Any, some: list[facts.Coded]) -> list[tuple[int, int, int]]:
    """Where values stand, as authors or the teacher say."""
    labels, found = opinion.argmax(-1).tolist(), []
    for row, one in enumerate(some):
        spans = _spans(labels[row], [place for place, tag in enumerate(one.tags) if tag != UNKNOWN])
        found += [(row, *span) for span in sorted(spans | {(value[0], value[1]) for value in one.values})]
    return found


def _any_of(told: Any, right: list[list[int]]) -> Any:
    """Wherever a subject is named is right."""
    allowed = torch.full_like(told, -1e4)
    stands = [(place, one) for place, some in enumerate(right) for one in set(some)]
    allowed[torch.tensor(stands, device=told.device).unbind(1)] = 0  # at once: each by itself takes most of a step
    return -torch.logsumexp(F.log_softmax(told, 1) + allowed, 1).mean()


def train(net: Any, below: Any, some: list[facts.Coded], knobs: dict[str, Any], teacher: Any = None) -> None:
    steps = int(knobs["epochs"] * len(some) / knobs["batch"])
    own = [p for n, p in net.named_parameters() if not n.startswith("layers")]
    slow = [p for n, p in net.named_parameters() if n.startswith("layers")]
    optimizer = torch.optim.AdamW([{"params": slow, "times": 1.0}, {"params": own, "times": 4.0}], weight_decay=0.01)
    draw, done, since = random.Random(knobs["seed"]), 0, time.monotonic()
    net.train()
    while done < steps:
        for group in batches(some, knobs["batch"], draw):
            gone = max(done / steps, (time.monotonic() - since) / (60 * knobs["minutes"]))
            if gone >= 1:
                return
            for one in optimizer.param_groups:
                one["lr"] = knobs["rate"] * one["times"] * min(1, (done + 1) / 100) * (1 - gone)
            lost = losses(net, below, group, teacher, knobs["trust"])
            optimizer.zero_grad()
            sum(lost.values()).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            done += 1
            if done % REPORT == 0:
                told = {name: round(float(one.detach()), 3) for name, one in lost.items()}
                print(done, steps, round(time.monotonic() - since), told, flush=True)


def report(net: Any, middle_of: Any, some: list[facts.Coded]) -> None:
    """Of what was held out: values found, and of the right values mood, relation and subject. `middle_of`: the states
    of one turn, from below."""
    net.eval()
    device = next(net.parameters()).device
    counted = dict.fromkeys(("values", "found", "told", "mood", "relation", "subject"), 0)
    for one in some:
        with torch.no_grad():
            states = net.states(middle_of(one)).float()
            labels = net.tag(states)[0].argmax(-1).tolist()
            mine = _spans(labels, [place for place, tag in enumerate(one.tags) if tag != UNKNOWN])
            right = {(value[0], value[1]) for value in one.values}
            for name, count in (("values", len(right)), ("told", len(mine)), ("found", len(mine & right))):
                counted[name] += count
            if not one.values:
                continue
            first, last, mood, relation = (torch.tensor(c).to(device) for c in zip(*one.values, strict=True))
            mask = torch.ones(states.shape[:2], device=device)
            told = net.of_values(states, mask, torch.zeros_like(first), first, last)
            counted["mood"] += int((told["mood"].argmax(1) == mood).sum())
            counted["relation"] += int((told["relation"].argmax(1) == relation).sum())
            pointed = told["first"].argmax(1).tolist()
            counted["subject"] += sum(place in right for place, right in zip(pointed, one.first, strict=True))
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


def reader(folder: Path, start: str) -> Any:
    """The reader's trunk."""
    given = json.loads((folder / "config.json").read_text())
    trunk, weights = small(given, 6, 0.1), dict[str, Any]()
    for name in start.split(","):
        weights |= packed_weights(folder, name)
    own = {name.removeprefix("trunk."): value for name, value in weights.items() if name.startswith("trunk.")}
    missing = trunk.load_state_dict(own, strict=False).missing_keys
    assert not [name for name in missing if "position_ids" not in name], missing
    return trunk


def as_shipped(model: Path) -> Any:
    """The states of a turn as they will be at run time, each by itself."""
    import onnxruntime

    from treering.mind.inner_output import with_output

    session = onnxruntime.InferenceSession(with_output((model / "model_int8.onnx").read_bytes(), MIDDLE))

    def middle_of(one: facts.Coded) -> Any:
        ids = np.array([one.ids])
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.array([one.types])}
        return torch.from_numpy(session.run([MIDDLE], given)[0])

    return middle_of


def main() -> None:
    folder, out = (Path(one) for one in sys.argv[1:3])
    knobs = {**KNOBS, **{k: type(KNOBS[k])(v) for k, v in (one.split("=") for one in sys.argv[3:])}}
    known = json.loads((out / f"{knobs['name']}.json").read_text()) if knobs["export"] else ()
    names, learn, kept = drawn(folder, knobs, known)
    coder = Coder(folder / "tokenizer.json")
    torch.manual_seed(1)  # heads begin alike in every training, so that weights can be averaged
    net, below = begun(folder, knobs, len(names.all))
    torch.manual_seed(knobs["seed"])

    def coded(some: Sequence[facts.Told]) -> list[facts.Coded]:
        made = {id(one): facts.coded(one, coder, MOODS, names) for one in some}
        return [row for one in some if (row := made[id(one)]) is not None]

    if knobs["export"]:
        net.load_state_dict(packed_weights(out, knobs["name"]))
        report(net, as_shipped(Path(knobs["export"])), coded(kept))
        export(net, names, out)
        return
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net, below = net.to(device), below.to(device).eval()
    if knobs["go_on"]:
        net.load_state_dict(_going_on(net, folder, knobs["go_on"], names), strict=False)
    teacher = None
    if knobs["teacher"]:
        teacher = Larger(folder, len(names.all)).to(device).eval().requires_grad_(False)
        left = teacher.load_state_dict(packed_weights(folder, knobs["teacher"]), strict=False).missing_keys
        assert set(left) <= {"layers.words.weight"}, left
    rows = coded(learn)
    print(len(learn), "turns,", len(names.all), "relations", flush=True)
    train(net, below, rows, knobs, teacher)

    def middle_of(one: facts.Coded) -> Any:
        ids, types = (torch.tensor([row], device=device) for row in (one.ids, one.types))
        return below(ids, types, None)

    report(net, middle_of, coded(kept))
    if knobs["large"]:
        net.layers.words = None  # as they were
    save(net, out, knobs["name"])
    (out / f"{knobs['name']}.json").write_text(json.dumps(names.all))


def begun(folder: Path, knobs: dict[str, Any], relations: int) -> tuple[Any, Any]:
    if knobs["large"]:
        return Larger(folder, relations), Beginning()
    trunk = reader(folder, knobs["start"])
    return Top(trunk.encoder.layer[DEPTH:], trunk.config.hidden_size, relations), Below(trunk)


def _going_on(net: Top, folder: Path, name: str, names: facts.Names) -> dict[str, Any]:
    """Weights of an earlier training, `name`, with the list of its relations beside them: new ones begin afresh."""
    weights = packed_weights(folder, name)
    before = {relation: row for row, relation in enumerate(json.loads((folder / f"{name}.json").read_text()))}
    for key in ("relation.2.weight", "relation.2.bias"):
        own = net.state_dict()[key].clone().cpu()
        for row, relation in enumerate(names.all):
            if relation in before:
                own[row] = weights[key][before[relation]]
        weights[key] = own
    return weights


if __name__ == "__main__":
    main()
